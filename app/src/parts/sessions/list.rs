//! The list of sessions, and what they used together.

use super::{SessionBadge, role, took_ms};
use crate::format;
use domain::{
    Timestamp,
    pages::{SessionLine, SessionsView},
};
use leptos::prelude::*;

#[component]
pub fn SessionList(view: SessionsView) -> impl IntoView {
    let SessionsView { investigation_id, lines, total, page, per_page, spent, currency, now, .. } = view;
    let is_empty = lines.is_empty();
    let rows = lines.into_iter().map(|line| view! { <Row line now currency=currency.clone() /> }).collect_view();
    view! {
        <section aria-labelledby="sessions-title" class="sessions">
            <h2 id="sessions-title">{format::count(total, "session", "sessions")}</h2>
            <p class="muted">"Together: " {format::spent(&spent, &currency)}</p>
            {is_empty.then(|| view! { <p class="muted">"None on this page. The Analyst's is the first."</p> })}
            <div class="scroll" role="region" aria-labelledby="sessions-title" tabindex="0">
                <table class="session-table">
                    <thead>
                        <tr>
                            <th scope="col">"Session"</th>
                            <th scope="col">"Model"</th>
                            <th scope="col" class="number">"Turns"</th>
                            <th scope="col" class="number">"Tool calls"</th>
                            <th scope="col" class="number">"Tokens in"</th>
                            <th scope="col" class="number">"Out"</th>
                            <th scope="col" class="number">"Cost"</th>
                            <th scope="col" class="number">"Time"</th>
                            <th scope="col">"State"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <Pages address=format!("/investigations/{investigation_id}/sessions") page last=total.div_ceil(per_page.max(1)) />
        </section>
    }
    .into_any()
}

#[component]
fn Row(line: SessionLine, now: Timestamp, currency: String) -> impl IntoView {
    let SessionLine { session, objective, tally, spent, answers } = line;
    let failed = match tally.failed_calls {
        0 => String::new(),
        failed => format!(", {failed} failed"),
    };
    view! {
        <tr>
            <th scope="row">
                <a href=format!("/sessions/{}", session.id)>{role(session.role)} ", cycle " {session.cycle}</a>
                {objective.map(|objective| view! { <span class="objective">{objective}</span> })}
            </th>
            <td>{session.provider.clone()} <span class="path">{session.model.clone()}</span></td>
            <td class="number">{format::grouped(u64::from(session.turns.max(answers)))}</td>
            <td class="number">{format::grouped(tally.calls)} {failed}</td>
            <td class="number">{format::grouped(spent.tokens_in)}</td>
            <td class="number">{format::grouped(spent.tokens_out)}</td>
            <td class="number">{format::money(spent.cost_micros, &currency)}</td>
            <td class="number">{format::duration(took_ms(&session, now))}</td>
            <td>
                <SessionBadge status=session.status />
                {session.reason.clone().map(|reason| view! { <span class="objective">{reason}</span> })}
            </td>
        </tr>
    }
    .into_any()
}

/// Links to the pages around this one.
#[component]
pub(super) fn Pages(address: String, page: u64, last: u64) -> impl IntoView {
    (last > 1).then(|| {
        let to = |to: u64, text: &'static str| {
            let is_there = (1..=last).contains(&to) && to != page;
            is_there.then(|| view! { <a class="button quiet" href=format!("{address}?page={to}")>{text}</a> })
        };
        view! {
            <nav class="pages" aria-label="Pages">
                {(page > 2).then(|| to(1, "First"))}
                {to(page.saturating_sub(1), "Earlier")}
                <span>{page} " of " {last}</span>
                {to(page + 1, "Next")}
                {(page + 1 < last).then(|| to(last, "Last"))}
            </nav>
        }
    })
}
