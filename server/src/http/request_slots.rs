//! Requests of signed-in people at work: some per person, and some in this process. Further ones wait a moment, then get status 429 or 503.
//!
//! Invariant: what requests keep in memory is bounded by these numbers times the bound of one request (`docs/operations.md`).

use super::{answer, person_slots::PersonSlots, prelude::*};
use crate::config::RequestConfig;
use app::session::USER_KEY;
use std::{sync::Arc, time::Duration};
use tokio::{sync::Semaphore, time::timeout};

/// Places for requests at work. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct RequestSlots {
    of_person: PersonSlots,
    of_process: Arc<Semaphore>,
    wait: Duration,
}

impl RequestSlots {
    pub(super) fn new(config: &RequestConfig) -> Self {
        Self {
            of_person: PersonSlots::new(config.per_person),
            of_process: Arc::new(Semaphore::new(config.at_once)),
            wait: config.wait(),
        }
    }
}

/// Answers a request of a signed-in person in one of their places, held until the head of the response is there.
pub(super) async fn limit(State(web): State<WebState>, session: Session, request: Request, next: Next) -> Response<Body> {
    // Site files come with each page, and cost no more than reading them.
    if request.uri().path().starts_with("/pkg/") {
        return next.run(request).await;
    }
    let Ok(Some(user)) = session.get::<UserId>(USER_KEY).await else { return next.run(request).await };
    let (slots, is_api) = (&web.requests, request.uri().path().starts_with("/api/"));
    let Some(_of_person) = slots.of_person.take(user, slots.wait).await else {
        tracing::warn!(%user, "requests of a person limited");
        return match is_api {
            true => ApiError::TooManyRequests.into_response(),
            false => answer::refuse(StatusCode::TOO_MANY_REQUESTS, Notice::TooManyRequests),
        };
    };
    let Ok(Ok(_of_process)) = timeout(slots.wait, slots.of_process.acquire()).await else {
        tracing::warn!("requests of this process limited");
        return answer::refuse(StatusCode::SERVICE_UNAVAILABLE, Notice::Unavailable);
    };
    next.run(request).await
}
