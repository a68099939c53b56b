//! Server-sent events, with faults of the stream.

use axum::{
    body::Body,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures::{StreamExt, stream};
use std::{io, time::Duration};

/// Maximum characters of text per event.
const PIECE: usize = 120;

/// Faults of a stream.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StreamFault {
    pub cut_after: Option<usize>,
    pub stall_after: Option<(usize, u64)>,
}

/// Splits a text into events.
pub(crate) fn pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

/// Streams the events one by one.
pub(crate) fn stream(events: Vec<String>, stream_fault: StreamFault) -> Response {
    let end = stream_fault.cut_after.unwrap_or(usize::MAX);
    let broken = (end < events.len()).then(|| Err(io::Error::other("cut")));
    let sent = events.into_iter().take(end).map(|event| Ok(Bytes::from(event)));
    let body = stream::iter(sent.chain(broken)).enumerate().then(move |(n, event)| async move {
        if let Some((after, ms)) = stream_fault.stall_after
            && n == after
        {
            tokio::time::sleep(Duration::from_millis(ms)).await;
        }
        event
    });
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(body)).into_response()
}
