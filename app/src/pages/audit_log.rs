//! The audit log, newest first. For administrators.

use super::{Visit, number, render_page};
use crate::prelude::*;
use views::{AuditLine, AuditView};

async fn load_audit_log(page: u64) -> Result<Visit<AuditView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let refused = || AppError::not_allowed("The audit log is visible to administrators.");
    let page = engine.audit_view(&viewer, page).await?.ok_or_else(refused)?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn AuditLogPage() -> impl IntoView {
    render_page(load_audit_log(number("page")), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

#[component]
pub(super) fn PageBody(viewer: User, page: AuditView) -> impl IntoView {
    let AuditView { lines, total, page, per_page } = page;
    let last = total.div_ceil(per_page.max(1)).max(1);
    let rows = lines.into_iter().map(|line| view! { <Row line /> }).collect_view();
    view! {
        <Title text="Audit log" />
        <Frame viewer nav=NavItem::People>
            <h1>"Audit log"</h1>
            <p class="muted" role="status">{format::count(total, "entry", "entries")} ", newest first. Times are UTC."</p>
            <table class="audit stacked" role="table" aria-label="Audit log">
                <Columns names=&["Action", "Time", "User", "Target", "Address"] />
                <tbody role="rowgroup">{rows}</tbody>
            </table>
            <PageLinks label="Pages" address="/people/log".to_owned() name="page" fields=vec![] page last />
        </Frame>
    }
    .into_any()
}

#[component]
fn Row(line: AuditLine) -> impl IntoView {
    let AuditLine { at, actor, act, object, address } = line;
    // Without an actor and an address: the command line.
    let actor = actor.unwrap_or_else(|| if address.is_some() { "No account".to_owned() } else { "Command line".to_owned() });
    view! {
        <tr role="row">
            <th role="rowheader" scope="row">{format::sentence_case(&act)}</th>
            <td role="cell" data-label="Time"><time datetime=at.to_string()>{format::minute(at)}</time></td>
            <td role="cell" data-label="User">{actor}</td>
            <td role="cell" data-label="Target">{object}</td>
            <td role="cell" data-label="Address">{address}</td>
        </tr>
    }
    .into_any()
}
