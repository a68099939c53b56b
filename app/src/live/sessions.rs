//! Agent sessions: the list, the facts of one, and its steps. Drawn on the server, and again in the browser when there is more.

mod excerpt;
mod facts;
mod injections;
mod list;
mod transcript;

pub use injections::InjectionFindings;
pub use list::SessionList;

use crate::{
    atoms::{Badge, Tone},
    format,
};
use domain::{
    Timestamp,
    agent::{AgentSession, SessionStatus},
};
use facts::SessionFacts;
use leptos::prelude::*;
use transcript::Transcript;
use views::SessionView;

/// `Analyst, cycle 2`.
pub fn name(session: &AgentSession) -> String {
    format!("{}, cycle {}", format::sentence_case(session.role.as_str()), session.cycle)
}

/// Facts of a session, injections found in it, and a page of its steps.
#[component]
pub fn SessionBody(view: SessionView) -> impl IntoView {
    view! {
        <SessionFacts view=view.clone() />
        <InjectionFindings findings=view.injections.clone() />
        <Transcript view />
    }
}

/// Status of a session.
#[component]
fn SessionBadge(status: SessionStatus) -> impl IntoView {
    let (tone, text) = match status {
        SessionStatus::Running => (Tone::Live, "Running"),
        SessionStatus::Completed => (Tone::Good, "Completed"),
        SessionStatus::Empty => (Tone::Warning, "Empty"),
        SessionStatus::Failed => (Tone::Bad, "Failed"),
        SessionStatus::Abandoned => (Tone::Quiet, "Interrupted"),
    };
    view! { <Badge tone text /> }
}

/// Returns the duration so far.
fn took_ms(session: &AgentSession, now: Timestamp) -> u64 {
    u64::try_from(session.ended_at.unwrap_or(now).ms_since(session.started_at)).unwrap_or(0)
}
