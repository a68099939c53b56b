//! Body of an upload whose unread bytes are limited. The parser of forms keeps the head of a part in memory until it ends, and
//! searches all of it again with each piece.

use axum::{
    BoxError,
    body::{Body, HttpBody},
};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::Instant;

/// Maximum bytes between two steps of the reader: the head of a part, with what came along.
const MAX_UNREAD_BYTES: usize = 1024 * 1024;

/// Time for which the rate of an upload does not count.
const GRACE: Duration = Duration::from_secs(10);

/// Bytes that have arrived since the reader's last step. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct UnreadBytes {
    bytes: Arc<AtomicUsize>,
    /// Rate below which the body ends.
    min_bytes_per_s: u64,
}

impl UnreadBytes {
    pub(super) fn new(min_bytes_per_s: u64) -> Self {
        Self { bytes: Arc::default(), min_bytes_per_s }
    }

    /// Notes a step of the reader.
    pub(super) fn reset(&self) {
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Limits a body.
    pub(super) fn limit(&self, body: Body) -> Body {
        Body::new(LimitedBody { body, unread: self.clone(), began: Instant::now(), received: 0 })
    }
}

struct LimitedBody {
    body: Body,
    unread: UnreadBytes,
    began: Instant,
    received: u64,
}

impl HttpBody for LimitedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        let Poll::Ready(Some(Ok(frame))) = frame else {
            return frame.map(|end| end.map(|frame| frame.map_err(BoxError::from)));
        };
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        self.received += bytes as u64;
        if is_too_slow(self.received, self.began.elapsed(), self.unread.min_bytes_per_s) {
            return Poll::Ready(Some(Err("the upload is too slow".into())));
        }
        if self.unread.bytes.fetch_add(bytes, Ordering::Relaxed) > MAX_UNREAD_BYTES {
            return Poll::Ready(Some(Err("the head of a part of the form is too long".into())));
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Returns whether a body came in more slowly than it may.
fn is_too_slow(received: u64, elapsed: Duration, min_bytes_per_s: u64) -> bool {
    elapsed > GRACE && received < min_bytes_per_s.saturating_mul(elapsed.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_has_a_least_rate_after_its_first_seconds() {
        for (received, seconds, is_slow) in [(0, 10, false), (1, 11, true), (256 * 11, 11, false), (256 * 600 - 1, 600, true)] {
            assert_eq!(is_too_slow(received, Duration::from_secs(seconds), 256), is_slow, "{received} in {seconds} s");
        }
    }
}
