//! Work orders that failed for good, newest first. For administrators.

use super::{Visit, number, query, render_page};
use crate::{atoms::ActionButton, prelude::*};
use views::{FailedOrderLine, FailedOrdersView, OrderWords};

async fn load_failed_orders(page: u64) -> Result<Visit<FailedOrdersView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let refused = || AppError::not_allowed("Failed work orders are visible to administrators.");
    let page = engine.failed_orders_view(&viewer, page).await?.ok_or_else(refused)?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn FailedOrdersPage() -> impl IntoView {
    let error = query("error");
    render_page(load_failed_orders(number("page")), move |Visit { viewer, page }| {
        view! { <PageBody viewer page error /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(viewer: User, page: FailedOrdersView, error: Option<String>) -> impl IntoView {
    let FailedOrdersView { lines, total, page, per_page } = page;
    let last = total.div_ceil(per_page.max(1)).max(1);
    let is_empty = lines.is_empty();
    let rows = lines.into_iter().map(|line| view! { <Row line /> }).collect_view();
    view! {
        <Title text="Failed work orders" />
        <Frame viewer nav=NavItem::Settings>
            <Breadcrumbs above=[("Settings", "/settings".to_owned())] here="Failed work orders" />
            <h1>"Failed work orders"</h1>
            <NoticeBanner code=error />
            <p class="lead">
                "A work order fails for good after its last attempt; the investigation goes on without it. "
                "Requeue it once the cause is gone, or discard it."
            </p>
            <p class="muted" role="status">{format::count(total, "work order", "work orders")} ". Times are UTC."</p>
            {is_empty.then(|| view! { <EmptyState text="No work order failed for good." href="/settings" button="Settings" /> })}
            {(!is_empty).then(|| view! {
                <table class="stacked" role="table" aria-label="Failed work orders">
                    <Columns names=&["Work order", "Reason", "Time", "Attempts", "Action"] numbers=&["Attempts"] />
                    <tbody role="rowgroup">{rows}</tbody>
                </table>
            })}
            <PageLinks label="Pages" address="/work-orders/failed".to_owned() name="page" fields=vec![] page last />
        </Frame>
    }
    .into_any()
}

#[component]
fn Row(line: FailedOrderLine) -> impl IntoView {
    let FailedOrderLine { id, investigation_id, words, reason, attempts, failed_at, is_open } = line;
    let name = words.as_ref().map_or_else(|| id.to_string(), |words| words.objective.clone());
    let (requeue, discard) = (format!("Requeue: {name}"), format!("Discard: {name}"));
    let words = match words {
        Some(OrderWords { question, objective }) => view! {
            <p>{objective}</p>
            <p class="hint"><a href=format!("/investigations/{investigation_id}")>{question}</a></p>
        }
        .into_any(),
        None => view! { <p>"Private to its owner"</p> <p class="hint"><code>{id.to_string()}</code></p> }.into_any(),
    };
    let time = failed_at.map(|at| view! { <time datetime=at.to_string()>{format::minute(at)}</time> });
    view! {
        <tr role="row">
            <th role="rowheader" scope="row">{words}</th>
            <td role="cell" data-label="Reason">{reason}</td>
            <td role="cell" data-label="Time">{time}</td>
            <td role="cell" data-label="Attempts" class="number">{attempts}</td>
            <td role="cell" data-label="Action">
                {match is_open {
                    true => view! {
                        <ActionButton action=format!("/work-orders/{id}/requeue") fields=vec![] text="Requeue" label=requeue />
                    }
                    .into_any(),
                    false => view! { <p class="hint">"Its investigation has ended."</p> }.into_any(),
                }}
                <ActionButton action=format!("/work-orders/{id}/discard") fields=vec![] text="Discard" label=discard />
            </td>
        </tr>
    }
    .into_any()
}
