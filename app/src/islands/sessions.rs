//! Sessions as they go on: what is shown is read again whenever an event says that there is more.

use super::browser::{self, Link};
use crate::{
    AppError,
    pages::{load_session, load_sessions},
    parts::sessions::{Lures, SessionFacts, SessionList, Transcript},
};
use domain::{
    InvestigationId, SessionId,
    event::{Event, Happening},
    pages::{SessionView, SessionsView},
};
use leptos::{prelude::*, task::spawn_local};
use std::time::Duration;

/// Many events at once are one reading.
const PAUSE: Duration = Duration::from_millis(700);

/// The list of sessions of an investigation.
#[island]
pub fn LiveSessions(view: SessionsView) -> impl IntoView {
    let (id, page, is_over, last) = (view.investigation_id, view.page, view.is_over, view.last_event);
    let view = RwSignal::new(view);
    let read = move || async move { load_sessions(id.to_string(), page).await.map(|visit| visit.page) };
    let link = keep_fresh(Follow { investigation: id, last, is_over }, is_about_sessions, read, view);
    view! {
        <LinkState link />
        {move || view! { <SessionList view=view.get() /> }}
    }
    .into_any()
}

/// One session with a page of its steps.
#[island]
pub fn LiveSession(view: SessionView, asked: Option<u64>) -> impl IntoView {
    let session = view.line.session.id;
    let follow = Follow { investigation: view.line.session.investigation_id, last: view.last_event, is_over: view.is_over };
    let view = RwSignal::new(view);
    let read = move || async move { load_session(session.to_string(), asked).await.map(|visit| visit.page) };
    let link = keep_fresh(follow, move |what| is_about(what, session), read, view);
    view! {
        <LinkState link />
        {move || view! { <SessionFacts view=view.get() /> }}
        {move || view! { <Lures lures=view.get().lures /> }}
        {move || view! { <Transcript view=view.get() /> }}
    }
    .into_any()
}

#[component]
fn LinkState(link: RwSignal<Link>) -> impl IntoView {
    let words = move || match link.get() {
        Link::Idle => "",
        Link::Open => "Live",
        Link::Reconnecting => "Connection lost, reconnecting…",
    };
    view! { <p class="link-state" class:idle=move || words().is_empty() role="status">{words}</p> }
}

/// The events to follow.
struct Follow {
    investigation: InvestigationId,
    last: u64,
    is_over: bool,
}

/// Reads `view` again a moment after each event that matters, until the investigation is over.
fn keep_fresh<V, F>(
    follow: Follow,
    matters: impl Fn(&Happening) -> bool + Send + Sync + 'static,
    read: impl Fn() -> F + Copy + Send + Sync + 'static,
    view: RwSignal<V>,
) -> RwSignal<Link>
where
    V: Send + Sync + 'static,
    F: Future<Output = Result<V, AppError>> + 'static,
{
    let link = RwSignal::new(Link::Idle);
    let is_waiting = StoredValue::new(false);
    let matters = StoredValue::new(matters);
    Effect::new(move || {
        if follow.is_over {
            return;
        }
        let again = move || {
            if is_waiting.get_value() {
                return;
            }
            is_waiting.set_value(true);
            let read = move || {
                is_waiting.set_value(false);
                spawn_local(async move {
                    if let Ok(fresh) = read().await {
                        view.set(fresh);
                    }
                });
            };
            set_timeout(read, PAUSE);
        };
        let take = move |data: &str| {
            let Ok(event) = serde_json::from_str::<Event>(data) else { return true };
            let is_end = matches!(&event.what, Happening::StatusChanged { status, .. } if status.is_terminal());
            if is_end || matters.with_value(|matters| matters(&event.what)) {
                again();
            }
            if is_end {
                link.set(Link::Idle);
            }
            !is_end
        };
        let address = format!("/api/v1/investigations/{}/events?after={}", follow.investigation, follow.last);
        browser::follow(&address, take, move |state| link.set(state));
    });
    link
}

fn is_about_sessions(what: &Happening) -> bool {
    matches!(
        what,
        Happening::SessionStarted { .. }
            | Happening::SessionEnded { .. }
            | Happening::ModelCalled { .. }
            | Happening::ToolCalled { .. }
            | Happening::LureFound { .. }
    )
}

fn is_about(what: &Happening, session: SessionId) -> bool {
    match what {
        Happening::SessionStarted { session_id, .. }
        | Happening::SessionEnded { session_id, .. }
        | Happening::ModelCalled { session_id, .. }
        | Happening::ToolCalled { session_id, .. }
        | Happening::LureFound { session_id, .. } => *session_id == session,
        _ => false,
    }
}
