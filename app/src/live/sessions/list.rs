//! The list of sessions, and what they used together.

use super::{SessionBadge, name, took_ms};
use crate::{
    atoms::{Badge, Columns, Tone},
    format,
    live::PageLinks,
};
use domain::Timestamp;
use leptos::prelude::*;
use views::{SessionLine, SessionsView};

#[component]
pub fn SessionList(view: SessionsView) -> impl IntoView {
    let SessionsView { investigation_id, lines, total, page, per_page, spent, currency, prices_known, now, .. } = view;
    let has_free = lines.iter().any(|line| line.spent.is_free());
    let is_empty = lines.is_empty();
    let address = format!("/investigations/{investigation_id}/sessions");
    let rows = lines.into_iter().map(|line| view! { <Row line now currency=currency.clone() prices_known /> }).collect_view();
    view! {
        <section aria-labelledby="sessions-title" class="sessions">
            <h2 id="sessions-title">{format::count(total, "session", "sessions")}</h2>
            <p class="muted">"Total: " {format::spend_if_priced(&spent, &currency, prices_known || !(has_free || spent.is_free()))}</p>
            {is_empty.then(|| view! { <p class="muted">"No sessions on this page."</p> })}
            <table class="session-table stacked" role="table">
                <Columns
                    names=&["Session", "Model", "Turns", "Tool calls", "Tokens in", "Out", "Cost", "Time", "State"]
                    numbers=&["Turns", "Tool calls", "Tokens in", "Out", "Cost", "Time"]
                />
                <tbody role="rowgroup">{rows}</tbody>
            </table>
            <PageLinks label="Pages of sessions" address name="page" fields=vec![] page last=total.div_ceil(per_page.max(1)) />
        </section>
    }
    .into_any()
}

#[component]
fn Row(line: SessionLine, now: Timestamp, currency: String, prices_known: bool) -> impl IntoView {
    let SessionLine { session, objective, tally, spent, answers } = line;
    let failed = match tally.failed_calls {
        0 => String::new(),
        failed => format!(", {failed} failed"),
    };
    view! {
        <tr role="row">
            <th role="rowheader" scope="row">
                <a href=format!("/sessions/{}", session.id)>{name(&session)}</a>
                {objective.map(|objective| view! { <span class="objective">{objective}</span> })}
            </th>
            <td role="cell" data-label="Model">{session.provider.clone()} <span class="path">{session.model.clone()}</span></td>
            <td role="cell" data-label="Turns" class="number">{format::grouped(u64::from(session.turns.max(answers)))}</td>
            <td role="cell" data-label="Tool calls" class="number">
                {format::grouped(tally.calls)} {failed}
                {(tally.injections > 0).then(|| view! { " " <Badge tone=Tone::Warning text="Injection" /> })}
            </td>
            <td role="cell" data-label="Tokens in" class="number">{format::grouped(spent.tokens_in)}</td>
            <td role="cell" data-label="Tokens out" class="number">{format::grouped(spent.tokens_out)}</td>
            <td role="cell" data-label="Cost" class="number">{format::money_if_priced(&spent, &currency, prices_known || !spent.is_free())}</td>
            <td role="cell" data-label="Time" class="number">{format::duration(took_ms(&session, now))}</td>
            <td role="cell" data-label="State">
                <SessionBadge status=session.status />
                {session.reason.clone().map(|reason| view! { <span class="objective">{reason}</span> })}
            </td>
        </tr>
    }
    .into_any()
}
