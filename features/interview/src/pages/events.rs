//! Server-sent events of an interview while the interviewer thinks: that the page has changed, and the question as it is written.

use crate::{
    drafts::{Drafts, question_so_far},
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
use protocol::model::ReplyProgress;
use std::{convert::Infallible, future::pending, time::Duration};
use tokio::{sync::watch, time::timeout};

/// Pause after which a stream looks for changes without an announcement.
const LOOK: Duration = Duration::from_secs(1);
/// Looks without a change after which a stream ends. The browser connects again, and is checked again.
const MAX_LOOKS: u32 = 20;
/// Sign that nothing of a question is written yet.
const NOTHING_YET: &str = "…";

/// State of a stream.
struct Follower {
    store: InterviewStore,
    user: UserId,
    id: InterviewId,
    announcements: watch::Receiver<u64>,
    /// State, number of signals and note that the page shows.
    seen: Option<(InterviewState, usize, String)>,
    looks: u32,
    drafts: Drafts,
    /// Reply that is being written, where it is in this process.
    written: Option<watch::Receiver<ReplyProgress>>,
    /// The last draft that was sent.
    draft: String,
    /// Whether the last event was a draft, after which the interview is not read at once.
    is_drafting: bool,
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
    let (drafts, draft) = (Drafts::of_process(&web).await, NOTHING_YET.to_owned());
    let follower = Follower {
        store,
        user: user.id,
        id,
        announcements,
        seen: None,
        looks: 0,
        drafts,
        written: None,
        draft,
        is_drafting: false,
    };
    Ok(Sse::new(stream::unfold(follower, next_change)))
}

/// Waits for the next change; none: the stream ends.
async fn next_change(mut follower: Follower) -> Option<(Result<Event, Infallible>, Follower)> {
    if follower.seen.as_ref().is_some_and(|(state, ..)| *state != InterviewState::Interviewer) {
        return None;
    }
    while follower.looks < MAX_LOOKS {
        if !std::mem::take(&mut follower.is_drafting) {
            let found = follower.store.transcript(follower.user, follower.id).await;
            let found = found.inspect_err(|error| tracing::warn!(%error, "interview not read, event stream closed")).ok()??;
            let now = (found.interview.state, found.signals.len(), found.interview.note);
            if follower.seen.as_ref() != Some(&now) {
                (follower.seen, follower.looks) = (Some(now), 0);
                return Some((Ok(Event::default().data("changed")), follower));
            }
        }
        follower.looks += 1;
        follower.written = follower.written.or_else(|| follower.drafts.receiver(follower.id));
        // An announcement may concern another interview; without one, the pause ends the wait.
        let draft = tokio::select! {
            _ = timeout(LOOK, follower.announcements.changed()) => None,
            draft = next_draft(&mut follower.written, &follower.draft) => Some(draft),
        };
        if let Some(draft) = draft {
            (follower.looks, follower.is_drafting) = (0, true);
            follower.draft.clone_from(&draft);
            return Some((Ok(Event::default().event("draft").data(draft)), follower));
        }
    }
    None
}

/// Waits for another draft of the question than the last one; for ever where nothing is being written.
async fn next_draft(written: &mut Option<watch::Receiver<ReplyProgress>>, last: &str) -> String {
    while let Some(receiver) = written {
        if receiver.changed().await.is_err() {
            *written = None;
            break;
        }
        let text = question_so_far(receiver.borrow_and_update().call.as_deref()).replace(['\r', '\n'], " ");
        let draft = if text.is_empty() { NOTHING_YET.to_owned() } else { text };
        if draft != last {
            return draft;
        }
    }
    pending().await
}
