//! The facts of one session.

use super::{SessionBadge, took_ms};
use crate::format;
use leptos::prelude::*;
use views::{SessionLine, SessionView};

#[component]
pub fn SessionFacts(view: SessionView) -> impl IntoView {
    let SessionLine { session, objective, tally, spent, answers } = view.line;
    let calls = match (tally.failed_calls, tally.cached_calls) {
        (0, 0) => format::grouped(tally.calls),
        (failed, cached) => format!("{}, {failed} failed, {cached} from the cache", format::grouped(tally.calls)),
    };
    view! {
        <dl class="facts session-facts">
            {objective.map(|objective| view! { <dt>"Work order"</dt><dd>{objective}</dd> })}
            <dt>"State"</dt>
            <dd><SessionBadge status=session.status /> " " {session.reason.clone()}</dd>
            <dt>"Model"</dt>
            <dd>{session.provider.clone()} " · " {session.model.clone()}</dd>
            <dt>"Started"</dt>
            <dd>
                <time datetime=session.started_at.to_string()>{format::minute(session.started_at)}</time>
                ", " {format::duration(took_ms(&session, view.now))}
            </dd>
            <dt>"Turns"</dt>
            <dd>{format::grouped(u64::from(session.turns.max(answers)))} "; tool calls: " {calls}</dd>
            <dt>"Used"</dt>
            <dd>{format::spend_if_priced(&spent, &view.currency, view.prices_known || !spent.is_free())}</dd>
            <dt>"Prompt"</dt>
            <dd><code>{session.prompt_hash.chars().take(16).collect::<String>()}</code></dd>
        </dl>
    }
    .into_any()
}
