//! The live events of an investigation (SSE): every stored event after the one the browser has seen, then those to come.

use super::{Web, answer::ApiError, api, visitor::ApiVisitor};
use axum::{
    extract::{Path, Query, State},
    http::HeaderMap,
    response::sse::{Event, KeepAlive, Sse},
};
use futures::{Stream, StreamExt, future};
use serde::Deserialize;
use std::{convert::Infallible, time::Duration};

#[derive(Debug, Deserialize)]
pub(super) struct From {
    /// The number of the last event that the page has drawn.
    #[serde(default)]
    after: u64,
}

pub(super) async fn follow(
    State(web): State<Web>,
    ApiVisitor(user): ApiVisitor,
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
    let until_shutdown = events.take_until(web.shutdown.clone().cancelled_owned());
    let keep_alive = KeepAlive::new().interval(Duration::from_millis(web.program.config.server.keep_alive_ms));
    Ok(Sse::new(until_shutdown).keep_alive(keep_alive))
}

fn to_sse(event: Result<domain::event::Event, engine::StoreError>) -> Option<Event> {
    let event =
        event.inspect_err(|error| tracing::error!(%error, "an event could not be read; the browser asks again")).ok()?;
    let sse = Event::default().id(event.sequence.to_string()).json_data(&event);
    sse.inspect_err(|error| tracing::error!(%error, "an event could not be written")).ok()
}
