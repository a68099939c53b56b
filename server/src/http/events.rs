//! Live events of an investigation over SSE: stored events after the last one seen, then new ones.
//!
//! Invariant: a stream ends soon after its user signs out, is disabled, or loses access to the investigation.

use super::{api, auth::ApiUser, prelude::*, sessions};
use crate::metrics as exporter;
use axum::{
    extract::Query,
    response::sse::{Event, KeepAlive, Sse},
};
use engine::accounts::active_user;
use futures::{Stream, StreamExt, future};
use std::{convert::Infallible, time::Duration};

#[derive(Debug, Deserialize)]
pub(super) struct EventsQuery {
    /// Sequence number of the last event on the page.
    #[serde(default)]
    after: u64,
}

pub(super) async fn follow(
    State(web): State<WebState>,
    ApiUser(user): ApiUser,
    session: Session,
    Path(id): Path<String>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let investigation = api::watchable(&web, &user, &id).await?;
    let max_streams = web.program.config.server.connections.streams_per_person;
    let slot = web.streams.take(user.id, max_streams).ok_or(ApiError::TooManyStreams)?;
    // `Last-Event-ID` reflects a reconnect, so the larger number wins.
    let seen = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.trim().parse::<u64>().ok());
    let after = seen.map_or(query.after, |seen| seen.max(query.after));
    let events = web.program.engine.events.follow(investigation.id, after);
    let events = events.filter_map(|event| future::ready(to_sse(event))).map(Ok);
    let keep_alive = KeepAlive::new().interval(Duration::from_millis(web.program.config.server.keep_alive_ms));
    let session = sessions::key(&session).ok_or(ApiError::SignedOut)?;
    let guard = StreamGuard { session, user: user.id, investigation: investigation.id };
    let open = exporter::GaugeGuard::new("autosint_event_streams");
    let over = async move {
        // Dropped with the stream.
        let _open = (open, slot);
        tokio::select! {
            () = web.shutdown.cancelled() => {}
            () = guard.wait_until_revoked(&web) => {}
        }
    };
    Ok(Sse::new(events.take_until(Box::pin(over))).keep_alive(keep_alive))
}

/// Guard of an event stream: its session, user and investigation.
struct StreamGuard {
    /// Key of the session.
    session: String,
    user: UserId,
    investigation: InvestigationId,
}

impl StreamGuard {
    /// Waits until the stream must end.
    async fn wait_until_revoked(&self, web: &WebState) {
        let pause = Duration::from_millis(web.program.config.server.stream_check_ms);
        loop {
            tokio::time::sleep(pause).await;
            match self.is_allowed(web).await {
                Ok(true) => {}
                Ok(false) => return,
                // The browser reconnects by itself, and is checked again then.
                Err(error) => {
                    tracing::warn!(%error, "event stream closed, permission check failed");
                    return;
                }
            }
        }
    }

    async fn is_allowed(&self, web: &WebState) -> Result<bool, StoreError> {
        let program = &web.program;
        if program.web_sessions.load(&self.session, program.engine.clock.now()).await?.is_none() {
            return Ok(false);
        }
        match active_user(&program.engine, self.user).await? {
            Some(user) if !user.must_change_password => program.engine.may_watch(&user, self.investigation).await,
            _ => Ok(false),
        }
    }
}

fn to_sse(event: Result<domain::event::Event, engine::StoreError>) -> Option<Event> {
    let event = event.inspect_err(|error| tracing::error!(%error, "event read failed, browser will reconnect")).ok()?;
    let sse = Event::default().id(event.sequence.to_string()).json_data(&event);
    sse.inspect_err(|error| tracing::error!(%error, "event serialization failed")).ok()
}
