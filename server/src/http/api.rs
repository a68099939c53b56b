//! JSON API, limited to the user's scope. Private data of others is reported as not found.

use super::{
    auth::{ApiCaller, ApiUser},
    prelude::*,
};
use crate::features;
use app::added_groups;
use axum::{Json, extract::Query};
use domain::{
    Scope, Timestamp,
    assessment::Assessment,
    document::Document,
    investigation::{Investigation, InvestigationKind, Status, Trigger, WebAccess},
};
use engine::investigations::InvestigationFilter;
use schemars::JsonSchema;
use serde::Serialize;
use std::str::FromStr;
use views::{SearchQuery, SearchView};

/// Investigation in API responses.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct InvestigationSummary {
    id: InvestigationId,
    /// Parent investigation of a part.
    parent_id: Option<InvestigationId>,
    question: String,
    kind: InvestigationKind,
    trigger: Trigger,
    status: Status,
    cycle: u32,
    reason: Option<String>,
    owner: UserId,
    created_at: Timestamp,
    completed_at: Option<Timestamp>,
    assessment_id: Option<AssessmentId>,
    web: WebAccess,
}

/// Document with its text.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct DocumentWithText {
    #[serde(flatten)]
    document: Document,
    text: String,
}

pub(super) async fn investigations(
    State(web): State<WebState>,
    ApiUser(user): ApiUser,
) -> Result<Json<Vec<InvestigationSummary>>, ApiError> {
    let engine = &web.program.engine;
    let scope = engine.read_scope(&user).await?;
    let filter = InvestigationFilter {
        owner: Some(user.id),
        scope: Some(scope.clone()),
        limit: web.program.config.server.api_list_limit,
        ..InvestigationFilter::default()
    };
    Ok(Json(summaries(&web, &scope, engine.investigations.list(&filter).await?).await?))
}

pub(super) async fn investigation(
    State(web): State<WebState>,
    ApiUser(user): ApiUser,
    Path(id): Path<String>,
) -> Result<Json<InvestigationSummary>, ApiError> {
    let investigation = readable(&web, &user, &id).await?;
    let scope = web.program.engine.read_scope(&user).await?;
    summaries(&web, &scope, vec![investigation]).await?.pop().map(Json).ok_or(ApiError::NotFound)
}

pub(super) async fn assessment(ApiCaller(caller): ApiCaller, Path(id): Path<String>) -> Result<Json<Assessment>, ApiError> {
    let engine = &caller.web.program.engine;
    let scope = engine.read_scope(&caller.user).await?;
    let found = engine.assessments.assessment(&scope, parse(&id)?).await?;
    let found = found.ok_or(ApiError::NotFound)?;
    caller.audit("read_assessment", &id).await?;
    Ok(Json(found.assessment))
}

pub(super) async fn document(ApiCaller(caller): ApiCaller, Path(id): Path<String>) -> Result<Json<DocumentWithText>, ApiError> {
    let engine = &caller.web.program.engine;
    let scope = engine.read_scope(&caller.user).await?;
    let found = engine.documents.texts(&scope, &[parse::<DocumentId>(&id)?]).await?.pop();
    let found = found.ok_or(ApiError::NotFound)?;
    caller.audit("read_document", &id).await?;
    Ok(Json(DocumentWithText { document: found.document, text: found.text }))
}

/// Words of a search.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SearchWords {
    #[serde(default)]
    q: String,
    /// Leaves out likeness, and hits without every word.
    #[serde(default)]
    words_only: bool,
}

/// Best hits of every kind for the words, as on the page `/search`.
pub(super) async fn search(
    State(web): State<WebState>,
    ApiUser(user): ApiUser,
    Query(SearchWords { q, words_only }): Query<SearchWords>,
) -> Result<Json<SearchView>, ApiError> {
    let query = SearchQuery { words: q, is_words_only: words_only, ..Default::default() };
    let (engine, state) = (&web.program.engine, web.features.clone());
    let sources = features::search_sources(move || Some(state.clone()));
    let mut found = engine.search_view(&user, query).await?;
    found.added = added_groups(&sources, &user, &found.query, engine.config.pages.search_hits as usize).await?;
    Ok(Json(found))
}

/// Unknown path: 404 for signed-in users, 401 otherwise.
pub(super) async fn unknown(_: ApiUser) -> ApiError {
    ApiError::NotFound
}

/// Returns the investigation if `user` may read its report.
async fn readable(web: &WebState, user: &User, id: &str) -> Result<Investigation, ApiError> {
    let engine = &web.program.engine;
    let id = parse(id)?;
    if !engine.may_read(user, id).await? {
        return Err(ApiError::NotFound);
    }
    engine.investigations.investigation(id).await?.ok_or(ApiError::NotFound)
}

/// Returns the investigation if `user` may follow its events.
pub(super) async fn watchable(web: &WebState, user: &User, id: &str) -> Result<Investigation, ApiError> {
    let engine = &web.program.engine;
    let id = parse(id)?;
    if !engine.may_watch(user, id).await? {
        return Err(ApiError::NotFound);
    }
    engine.investigations.investigation(id).await?.ok_or(ApiError::NotFound)
}

/// Parses an id; a malformed one is reported as not found.
fn parse<T: FromStr>(id: &str) -> Result<T, ApiError> {
    id.parse().map_err(|_| ApiError::NotFound)
}

async fn summaries(
    web: &WebState,
    scope: &Scope,
    investigations: Vec<Investigation>,
) -> Result<Vec<InvestigationSummary>, ApiError> {
    let ids: Vec<InvestigationId> = investigations.iter().map(|investigation| investigation.id).collect();
    let assessments = web.program.engine.assessments.ids_of(scope, &ids).await?;
    let summary = |investigation: Investigation| InvestigationSummary {
        web: web.program.engine.web_access(&investigation),
        id: investigation.id,
        parent_id: investigation.parent_id,
        question: investigation.question,
        kind: investigation.kind,
        trigger: investigation.trigger,
        status: investigation.progress.status,
        cycle: investigation.progress.cycle,
        reason: investigation.reason,
        owner: investigation.owner,
        created_at: investigation.created_at,
        completed_at: investigation.completed_at,
        assessment_id: assessments.get(&investigation.id).copied(),
    };
    Ok(investigations.into_iter().map(summary).collect())
}
