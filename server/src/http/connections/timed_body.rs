//! Request body that must arrive in time.

use axum::{BoxError, body::HttpBody};
use bytes::Bytes;
use hyper::body::{Frame, Incoming, SizeHint};
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Sleep, sleep};

/// Body that fails after too long a silence, or when the whole takes too long. Time without a reader does not count as silence.
pub(super) struct TimedBody {
    body: Incoming,
    idle: Duration,
    /// Runs while a reader waits for the next piece.
    waiting: Option<Pin<Box<Sleep>>>,
    end: Pin<Box<Sleep>>,
}

impl TimedBody {
    pub(super) fn new(body: Incoming, idle: Duration, total: Duration) -> Self {
        Self { body, idle, waiting: None, end: Box::pin(sleep(total)) }
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            this.waiting = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)));
        }
        let waiting = this.waiting.get_or_insert_with(|| Box::pin(sleep(this.idle)));
        if waiting.as_mut().poll(context).is_ready() || this.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err("the request body did not arrive in time".into())));
        }
        Poll::Pending
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
