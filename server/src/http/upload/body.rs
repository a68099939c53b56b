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
        Body::new(LimitedBody { body, unread: self.clone(), waits_since: None, waited: Duration::ZERO, received: 0 })
    }
}

struct LimitedBody {
    body: Body,
    unread: UnreadBytes,
    /// When the reader began to wait for the sender.
    waits_since: Option<Instant>,
    /// Time for which the reader has waited for the sender. Time without a reader does not count.
    waited: Duration,
    received: u64,
}

/// Reason for which a body ends early.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadBody {
    #[error("the upload is too slow")]
    TooSlow,
    #[error("the head of a part of the form is too long")]
    HeadTooLong,
}

impl HttpBody for LimitedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        match (&frame, self.waits_since) {
            (Poll::Pending, None) => self.waits_since = Some(Instant::now()),
            (Poll::Ready(_), Some(since)) => {
                self.waited += since.elapsed();
                self.waits_since = None;
            }
            _ => {}
        }
        let Poll::Ready(Some(Ok(frame))) = frame else {
            return frame.map(|end| end.map(|frame| frame.map_err(BoxError::from)));
        };
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        self.received += bytes as u64;
        if is_too_slow(self.received, self.waited, self.unread.min_bytes_per_s) {
            return Poll::Ready(Some(Err(BadBody::TooSlow.into())));
        }
        if self.unread.bytes.fetch_add(bytes, Ordering::Relaxed) > MAX_UNREAD_BYTES {
            return Poll::Ready(Some(Err(BadBody::HeadTooLong.into())));
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

/// Returns whether a body for which the reader has waited this long came in more slowly than it may.
fn is_too_slow(received: u64, waited: Duration, min_bytes_per_s: u64) -> bool {
    waited > GRACE && received < min_bytes_per_s.saturating_mul(waited.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn time_without_a_reader_does_not_count_as_slowness() {
        use futures::{StreamExt, stream};
        let pieces = |pause_s: u64| {
            let slow = stream::iter(0..5_u8).then(move |_| async move {
                tokio::time::sleep(Duration::from_secs(pause_s)).await;
                Ok::<_, BoxError>(Bytes::from_static(b"piece"))
            });
            UnreadBytes::new(256).limit(Body::from_stream(slow))
        };
        let read = async |body: Body, pause_s: u64| {
            let (mut body, mut received) = (body.into_data_stream(), 0);
            while let Some(data) = body.next().await {
                received += data.map_err(|error| error.to_string())?.len();
                tokio::time::sleep(Duration::from_secs(pause_s)).await;
            }
            Ok::<_, String>(received)
        };
        assert_eq!(read(pieces(0), 60).await, Ok(25), "a reader that pauses");
        assert!(read(pieces(11), 0).await.unwrap_err().contains("too slow"), "a sender that pauses");
    }

    #[test]
    fn an_upload_has_a_least_rate_after_its_first_seconds() {
        for (received, seconds, is_slow) in [(0, 10, false), (1, 11, true), (256 * 11, 11, false), (256 * 600 - 1, 600, true)] {
            assert_eq!(is_too_slow(received, Duration::from_secs(seconds), 256), is_slow, "{received} in {seconds} s");
        }
    }
}
