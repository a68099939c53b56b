//! JSON API of the feature: `GET /api/v1/watching`.

use crate::{
    pages::watched,
    watch::{MatchLine, WatchId, WatchLine},
};
use axum::{Json, extract::State};
use domain::{AssessmentId, ClaimId, DocumentId, Timestamp};
use feature::{ApiDescription, ApiError, ApiUser, Web};
use schemars::JsonSchema;
use serde::Serialize;

/// Address of the list.
pub const WATCHING: &str = "/api/v1/watching";

/// Watched indicator with the claims that match.
#[derive(Serialize, JsonSchema)]
pub struct WatchedIndicator {
    id: WatchId,
    assessment_id: AssessmentId,
    /// Question of the assessment.
    question: String,
    /// Id of the indicator in the assessment.
    indicator: String,
    text: String,
    watched_at: Timestamp,
    /// Newest first.
    matches: Vec<MatchingClaim>,
}

/// Claim that matches a watched indicator.
#[derive(Serialize, JsonSchema)]
struct MatchingClaim {
    claim_id: ClaimId,
    document_id: DocumentId,
    content: String,
    /// Outlet, host or file of the document.
    source: String,
    found_at: Timestamp,
}

/// Adds the paths of the feature to the description of the API.
pub fn describe(api: &mut ApiDescription) {
    api.get::<Vec<WatchedIndicator>>(WATCHING, &[], "Indicators that the signed-in person watches, newest first");
}

/// Handler of `GET /api/v1/watching`.
pub async fn list(State(web): State<Web>, ApiUser(user): ApiUser) -> Result<Json<Vec<WatchedIndicator>>, ApiError> {
    let lines = watched::load(&web, &user).await?;
    Ok(Json(lines.into_iter().map(WatchedIndicator::from).collect()))
}

impl From<WatchLine> for WatchedIndicator {
    fn from(line: WatchLine) -> Self {
        let WatchLine { entry, matches } = line;
        Self {
            id: entry.watch.id,
            assessment_id: entry.watch.assessment,
            question: entry.question,
            indicator: entry.watch.item,
            text: entry.watch.text,
            watched_at: entry.watch.at,
            matches: matches.into_iter().map(MatchingClaim::from).collect(),
        }
    }
}

impl From<MatchLine> for MatchingClaim {
    fn from(line: MatchLine) -> Self {
        let MatchLine { claim, source, found_at, .. } = line;
        Self { claim_id: claim.id, document_id: claim.document_id, content: claim.content, source, found_at }
    }
}
