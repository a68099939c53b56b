//! The reading tasks (work orders), and what is being read for them.

use crate::{
    atoms::{Badge, Tone},
    format,
};
use domain::{live::LiveState, live::OrderState, work_order::WorkOrderStatus};
use leptos::prelude::*;

/// The documents that are open now.
#[component]
pub fn NowReading(live: LiveState) -> impl IntoView {
    let items = live
        .reading()
        .map(|(id, title)| view! { <li><a href=format!("/documents/{id}")>{title.clone()}</a></li> })
        .collect_view();
    let is_any = live.reading().next().is_some();
    is_any.then(|| {
        view! {
            <section class="reading" aria-labelledby="reading-title">
                <h2 id="reading-title">"Reading now"</h2>
                <ul>{items}</ul>
            </section>
        }
    })
}

/// Every reading task of the investigation, newest round last.
#[component]
pub fn Orders(live: LiveState) -> impl IntoView {
    let none = live.orders.is_empty().then_some(match live.ended_at {
        // There may have been some for documents that the viewer may not read.
        Some(_) => "No reading tasks to show.",
        None => "No reading tasks yet.",
    });
    let rows = live.orders.into_iter().map(|order| view! { <Row order /> }).collect_view();
    view! {
        <section aria-labelledby="orders-title">
            <h2 id="orders-title">"Reading tasks"</h2>
            {none.map(|none| view! { <p class="muted">{none}</p> })}
            <ol class="orders">{rows}</ol>
        </section>
    }
    .into_any()
}

#[component]
fn Row(order: OrderState) -> impl IntoView {
    let read = order.read.len() as u64;
    let (tone, text) = match order.status {
        WorkOrderStatus::Staged => (Tone::Quiet, "Planned"),
        WorkOrderStatus::Queued => (Tone::Quiet, "Queued"),
        WorkOrderStatus::Assigned => (Tone::Live, "Reading"),
        WorkOrderStatus::Completed => (Tone::Good, "Done"),
        WorkOrderStatus::Failed => (Tone::Bad, "Failed"),
        WorkOrderStatus::Cancelled => (Tone::Quiet, "Removed"),
    };
    view! {
        <li class="order">
            <p>{order.objective}</p>
            <p class="card-facts">
                <Badge tone text />
                {(order.cycle > 1).then(|| view! { <span>"Round " {order.cycle}</span> })}
                {(order.attempt > 1).then(|| view! { <span>"Attempt " {order.attempt}</span> })}
                {(read > 0).then(|| view! { <span>{format::count(read, "document read", "documents read")}</span> })}
            </p>
        </li>
    }
    .into_any()
}
