//! Events of a stream, with what may happen to it on its way.

use axum::{
    body::Body,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures::{StreamExt, stream};
use std::{io, time::Duration};

/// Characters of a text in one event.
const PIECE: usize = 120;

/// How a stream ends.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Course {
    pub cut_after: Option<usize>,
    pub stall_after: Option<(usize, u64)>,
}

/// A text in the pieces in which it is written.
pub(crate) fn pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

/// Sends the events one by one.
pub(crate) fn stream(events: Vec<String>, course: Course) -> Response {
    let end = course.cut_after.unwrap_or(usize::MAX);
    let broken = (end < events.len()).then(|| Err(io::Error::other("cut")));
    let sent = events.into_iter().take(end).map(|event| Ok(Bytes::from(event)));
    let body = stream::iter(sent.chain(broken)).enumerate().then(move |(n, event)| async move {
        if let Some((after, ms)) = course.stall_after
            && n == after
        {
            tokio::time::sleep(Duration::from_millis(ms)).await;
        }
        event
    });
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(body)).into_response()
}
