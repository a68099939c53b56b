//! Server-sent events of an interview while the interviewer thinks: each says that the page has changed.

use crate::{
    interview::{InterviewId, InterviewState},
    store::InterviewStore,
};
use axum::{
    extract::{Path, State},
    response::sse::{Event, Sse},
};
use domain::UserId;
use feature::{ApiError, ApiUser, Web};
use futures::{Stream, stream};
use std::{convert::Infallible, time::Duration};
use tokio::{sync::watch, time::timeout};

/// Pause after which a stream looks for changes without an announcement.
const LOOK: Duration = Duration::from_secs(1);
/// Looks without a change after which a stream ends. The browser connects again, and is checked again.
const MAX_LOOKS: u32 = 20;

/// State of a stream.
struct Follower {
    store: InterviewStore,
    user: UserId,
    id: InterviewId,
    announcements: watch::Receiver<u64>,
    /// State, number of signals and note that the page shows.
    seen: Option<(InterviewState, usize, String)>,
    looks: u32,
}

/// Handler of `GET /interview/{id}/events`.
pub async fn follow(
    State(web): State<Web>,
    ApiUser(user): ApiUser,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let id = id.parse::<InterviewId>().map_err(|_| ApiError::NotFound)?;
    let store = InterviewStore::new(&web);
    store.transcript(user.id, id).await?.ok_or(ApiError::NotFound)?;
    let announcements = store.subscribe();
    let follower = Follower { store, user: user.id, id, announcements, seen: None, looks: 0 };
    Ok(Sse::new(stream::unfold(follower, next_change)))
}

/// Waits for the next change; none: the stream ends.
async fn next_change(mut follower: Follower) -> Option<(Result<Event, Infallible>, Follower)> {
    if follower.seen.as_ref().is_some_and(|(state, ..)| *state != InterviewState::Interviewer) {
        return None;
    }
    while follower.looks < MAX_LOOKS {
        let found = follower.store.transcript(follower.user, follower.id).await;
        let found = found.inspect_err(|error| tracing::warn!(%error, "interview not read, event stream closed")).ok()??;
        let now = (found.interview.state, found.signals.len(), found.interview.note);
        if follower.seen.as_ref() != Some(&now) {
            (follower.seen, follower.looks) = (Some(now), 0);
            return Some((Ok(Event::default().data("changed")), follower));
        }
        follower.looks += 1;
        // An announcement may concern another interview; without one, the pause ends the wait.
        let _ = timeout(LOOK, follower.announcements.changed()).await;
    }
    None
}
