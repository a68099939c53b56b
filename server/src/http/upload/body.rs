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
};

/// Maximum bytes between two steps of the reader: the head of a part, with what came along.
const MAX_UNREAD_BYTES: usize = 1024 * 1024;

/// Bytes that have arrived since the reader's last step. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct UnreadBytes(Arc<AtomicUsize>);

impl UnreadBytes {
    /// Notes a step of the reader.
    pub(super) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Limits a body.
    pub(super) fn limit(&self, body: Body) -> Body {
        Body::new(LimitedBody { body, unread: self.clone() })
    }
}

struct LimitedBody {
    body: Body,
    unread: UnreadBytes,
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
        if self.unread.0.fetch_add(bytes, Ordering::Relaxed) > MAX_UNREAD_BYTES {
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
