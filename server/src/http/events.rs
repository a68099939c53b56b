//! The live events of an investigation (SSE): every stored event after the one the browser has seen, then those to come.
//!
//! Invariant: a stream ends soon after whoever follows it has signed out, is kept out, or may not see the investigation any more.

use super::{Web, answer::ApiError, api, visitor::ApiVisitor};
use crate::metrics as figures;
use axum::{
    extract::{Path, Query, State},
    http::HeaderMap,
    response::sse::{Event, KeepAlive, Sse},
};
use domain::{InvestigationId, UserId};
use engine::StoreError;
use futures::{Stream, StreamExt, future};
use serde::Deserialize;
use std::{convert::Infallible, time::Duration};
use tower_sessions::Session;

#[derive(Debug, Deserialize)]
pub(super) struct From {
    /// The number of the last event that the page has drawn.
    #[serde(default)]
    after: u64,
}

pub(super) async fn follow(
    State(web): State<Web>,
    ApiVisitor(user): ApiVisitor,
    session: Session,
    Path(id): Path<String>,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let investigation = api::visible(&web, &user, &id).await?;
    // What the browser has seen since it opened the page counts more than where the page began.
    let seen = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.trim().parse::<u64>().ok());
    let after = seen.map_or(from.after, |seen| seen.max(from.after));
    let events = web.program.engine.events.follow(investigation.id, after);
    let events = events.filter_map(|event| future::ready(to_sse(event))).map(Ok);
    let keep_alive = KeepAlive::new().interval(Duration::from_millis(web.program.config.server.keep_alive_ms));
    let session = session.id().ok_or(ApiError::SignedOut)?.to_string();
    let seat = Seat { session, user: user.id, investigation: investigation.id };
    let open = figures::Held::new("autosint_event_streams");
    let over = async move {
        // Goes with the stream, however that ends.
        let _open = open;
        tokio::select! {
            () = web.shutdown.cancelled() => {}
            () = seat.lost(&web) => {}
        }
    };
    Ok(Sse::new(events.take_until(Box::pin(over))).keep_alive(keep_alive))
}

/// Who follows what, and by which browser session.
struct Seat {
    session: String,
    user: UserId,
    investigation: InvestigationId,
}

impl Seat {
    /// Returns when the stream must end.
    async fn lost(&self, web: &Web) {
        let pause = Duration::from_millis(web.program.config.server.stream_check_ms);
        loop {
            tokio::time::sleep(pause).await;
            match self.holds(web).await {
                Ok(true) => {}
                Ok(false) => return,
                // The browser comes back by itself, and is looked at anew then.
                Err(error) => {
                    tracing::warn!(%error, "a live stream ends: whether it may go on cannot be found out");
                    return;
                }
            }
        }
    }

    async fn holds(&self, web: &Web) -> Result<bool, StoreError> {
        let program = &web.program;
        if program.web_sessions.load(&self.session, program.engine.clock.now()).await?.is_none() {
            return Ok(false);
        }
        match program.engine.accounts.user(self.user).await? {
            Some(user) if !user.is_disabled => program.engine.may_watch(&user, self.investigation).await,
            _ => Ok(false),
        }
    }
}

fn to_sse(event: Result<domain::event::Event, engine::StoreError>) -> Option<Event> {
    let event =
        event.inspect_err(|error| tracing::error!(%error, "an event could not be read; the browser asks again")).ok()?;
    let sse = Event::default().id(event.sequence.to_string()).json_data(&event);
    sse.inspect_err(|error| tracing::error!(%error, "an event could not be written")).ok()
}
