//! JSON API of the feature: the export of a person's interviews, and the interests that they accepted, for the Monitor to import.

use crate::{
    interview::{Interview, InterviewId, InterviewState, Profile, Proposal, Signal, Turn},
    store::InterviewStore,
};
use axum::{Json, extract::State};
use domain::Timestamp;
use feature::{ApiDescription, ApiError, ApiUser, Web};
use schemars::JsonSchema;
use serde::Serialize;

/// Address of the accepted interests.
pub const INTERESTS: &str = "/api/v1/interview/interests";
/// Address of the export.
pub const EXPORT: &str = "/api/v1/interview/export";

/// Interest that a person accepted.
#[derive(Serialize, JsonSchema)]
pub struct InterestItem {
    sentence: String,
    /// Words of the person from which it follows.
    because: String,
    accepted_at: Timestamp,
}

/// Interview with everything that is stored about it.
#[derive(Serialize, JsonSchema)]
pub struct InterviewExport {
    id: InterviewId,
    /// Key of the set of cards.
    set: String,
    state: InterviewState,
    started_at: Timestamp,
    ended_at: Option<Timestamp>,
    turns: Vec<Turn>,
    signals: Vec<Signal>,
    profile: Option<Profile>,
    proposals: Vec<Proposal>,
}

/// Handler of `GET /api/v1/interview/interests`.
pub async fn interests(State(web): State<Web>, ApiUser(user): ApiUser) -> Result<Json<Vec<InterestItem>>, ApiError> {
    let accepted = InterviewStore::new(&web).accepted(user.id).await?.into_iter();
    let item = accepted.map(|one| InterestItem { sentence: one.sentence, because: one.because, accepted_at: one.at });
    Ok(Json(item.collect()))
}

/// Handler of `GET /api/v1/interview/export`.
pub async fn export(State(web): State<Web>, ApiUser(user): ApiUser) -> Result<Json<Vec<InterviewExport>>, ApiError> {
    let (store, mut all) = (InterviewStore::new(&web), vec![]);
    for interview in store.interviews(user.id).await? {
        let Some(transcript) = store.transcript(user.id, interview.id).await? else { continue };
        let Interview { id, set, state, profile, started_at, ended_at, .. } = transcript.interview;
        let (turns, signals, proposals) = (transcript.turns, transcript.signals, transcript.proposals);
        all.push(InterviewExport { id, set, state, started_at, ended_at, turns, signals, profile, proposals });
    }
    Ok(Json(all))
}

/// Describes the API of the feature.
pub fn describe(description: &mut ApiDescription) {
    description.get::<Vec<InterestItem>>(
        INTERESTS,
        &[],
        "Interests that you accepted after interviews, in the order of your decisions.",
    );
    description.get::<Vec<InterviewExport>>(EXPORT, &[], "Everything that your interviews stored, the newest first.");
}
