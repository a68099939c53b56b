//! Live sessions: the view is reloaded after each event that concerns it.

use super::browser::{self, Connection};
use crate::{
    AppError,
    live::sessions::{SessionBody, SessionList},
};
use domain::{
    InvestigationId, SessionId,
    event::{Event, EventKind},
};
use leptos::{prelude::*, task::spawn_local};
use std::time::Duration;
use views::{SessionView, SessionsView};

/// Many events at once are one reading.
const PAUSE: Duration = Duration::from_millis(700);

#[server]
async fn reload_sessions(investigation: String, page: u64) -> Result<SessionsView, AppError> {
    crate::pages::load_sessions(investigation, page).await.map(|visit| visit.page)
}

#[server]
async fn reload_session(session: String, page: Option<u64>) -> Result<SessionView, AppError> {
    crate::pages::load_session(session, page).await.map(|visit| visit.page)
}

/// The list of sessions of an investigation.
#[island]
pub fn LiveSessions(view: SessionsView) -> impl IntoView {
    let (id, page, is_over, last) = (view.investigation_id, view.page, view.is_over, view.last_event);
    let view = RwSignal::new(view);
    let read = move || async move { reload_sessions(id.to_string(), page).await };
    let connection = reload_on_events(EventFeed { investigation: id, last, is_over }, is_about_sessions, read, view);
    view! {
        <ConnectionStatus connection />
        {move || view! { <SessionList view=view.get() /> }}
    }
    .into_any()
}

/// One session with a page of its steps.
#[island]
pub fn LiveSession(view: SessionView, requested_page: Option<u64>) -> impl IntoView {
    let session = view.line.session.id;
    let follow = EventFeed { investigation: view.investigation_id, last: view.last_event, is_over: view.is_over };
    let view = RwSignal::new(view);
    let read = move || async move { reload_session(session.to_string(), requested_page).await };
    let connection = reload_on_events(follow, move |kind| is_about(kind, session), read, view);
    view! {
        <ConnectionStatus connection />
        {move || view! { <SessionBody view=view.get() /> }}
    }
    .into_any()
}

#[component]
fn ConnectionStatus(connection: RwSignal<Connection>) -> impl IntoView {
    let words = move || match connection.get() {
        Connection::Idle => "",
        Connection::Open => "Live",
        Connection::Reconnecting => "Connection lost, reconnecting…",
        Connection::Refused => "No live updates. Close other live pages, then reload this one.",
    };
    view! { <p class="connection-state" class:idle=move || words().is_empty() role="status">{words}</p> }
}

/// The events to follow.
struct EventFeed {
    investigation: InvestigationId,
    last: u64,
    is_over: bool,
}

/// Reads `view` again a moment after each event that matters, until the investigation is over.
fn reload_on_events<V, F>(
    follow: EventFeed,
    matters: impl Fn(&EventKind) -> bool + Send + Sync + 'static,
    read: impl Fn() -> F + Copy + Send + Sync + 'static,
    view: RwSignal<V>,
) -> RwSignal<Connection>
where
    V: Send + Sync + 'static,
    F: Future<Output = Result<V, AppError>> + 'static,
{
    let connection = RwSignal::new(Connection::Idle);
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
            let is_end = matches!(&event.kind, EventKind::StatusChanged { status, .. } if status.is_terminal());
            if is_end || matters.with_value(|matters| matters(&event.kind)) {
                again();
            }
            if is_end {
                connection.set(Connection::Idle);
            }
            !is_end
        };
        let address = format!("/api/v1/investigations/{}/events?after={}", follow.investigation, follow.last);
        browser::follow(&address, take, move |state| connection.set(state));
    });
    connection
}

fn is_about_sessions(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::SessionStarted { .. }
            | EventKind::SessionEnded { .. }
            | EventKind::ModelCalled { .. }
            | EventKind::ToolCalled { .. }
            | EventKind::InjectionDetected { .. }
    )
}

fn is_about(kind: &EventKind, session: SessionId) -> bool {
    match kind {
        EventKind::SessionStarted { session_id, .. }
        | EventKind::SessionEnded { session_id, .. }
        | EventKind::ModelCalled { session_id, .. }
        | EventKind::ToolCalled { session_id, .. }
        | EventKind::InjectionDetected { session_id, .. } => *session_id == session,
        _ => false,
    }
}
