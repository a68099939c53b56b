//! The JSON API: what a person may read, through their scope. Somebody else's private things are not found.

use super::{Web, answer::ApiError, visitor::ApiVisitor};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    AssessmentId, DocumentId, InvestigationId, Scope, Timestamp, UserId,
    assessment::Assessment,
    document::Document,
    investigation::{Investigation, InvestigationKind, Status, Trigger},
    user::User,
};
use engine::investigations::InvestigationFilter;
use serde::Serialize;
use std::str::FromStr;

/// An investigation as the API shows it.
#[derive(Debug, Serialize)]
pub(super) struct InvestigationLine {
    id: InvestigationId,
    /// The investigation that it is a part of.
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
}

/// A document with its text.
#[derive(Debug, Serialize)]
pub(super) struct DocumentWithText {
    #[serde(flatten)]
    document: Document,
    text: String,
}

pub(super) async fn investigations(
    State(web): State<Web>,
    ApiVisitor(user): ApiVisitor,
) -> Result<Json<Vec<InvestigationLine>>, ApiError> {
    let engine = &web.program.engine;
    let scope = engine.accounts.scope_of(user.id).await?;
    let filter = InvestigationFilter {
        owner: Some(user.id),
        scope: Some(scope.clone()),
        limit: web.program.config.server.api_list_limit,
        ..InvestigationFilter::default()
    };
    let mut lines = vec![];
    for investigation in engine.investigations.list(&filter).await? {
        lines.push(line(&web, &scope, investigation).await?);
    }
    Ok(Json(lines))
}

pub(super) async fn investigation(
    State(web): State<Web>,
    ApiVisitor(user): ApiVisitor,
    Path(id): Path<String>,
) -> Result<Json<InvestigationLine>, ApiError> {
    let investigation = visible(&web, &user, &id).await?;
    let scope = web.program.engine.accounts.scope_of(user.id).await?;
    Ok(Json(line(&web, &scope, investigation).await?))
}

pub(super) async fn assessment(
    State(web): State<Web>,
    ApiVisitor(user): ApiVisitor,
    Path(id): Path<String>,
) -> Result<Json<Assessment>, ApiError> {
    let engine = &web.program.engine;
    let scope = engine.accounts.scope_of(user.id).await?;
    let found = engine.assessments.assessment(&scope, parse(&id)?).await?;
    Ok(Json(found.ok_or(ApiError::NotFound)?.assessment))
}

pub(super) async fn document(
    State(web): State<Web>,
    ApiVisitor(user): ApiVisitor,
    Path(id): Path<String>,
) -> Result<Json<DocumentWithText>, ApiError> {
    let engine = &web.program.engine;
    let scope = engine.accounts.scope_of(user.id).await?;
    let found = engine.documents.texts(&scope, &[parse::<DocumentId>(&id)?]).await?.pop();
    let found = found.ok_or(ApiError::NotFound)?;
    Ok(Json(DocumentWithText { document: found.document, text: found.text }))
}

/// No such address; said as JSON, and to strangers nothing.
pub(super) async fn unknown(_: ApiVisitor) -> ApiError {
    ApiError::NotFound
}

/// The investigation, when `user` may follow it.
pub(super) async fn visible(web: &Web, user: &User, id: &str) -> Result<Investigation, ApiError> {
    let engine = &web.program.engine;
    let id = parse(id)?;
    if !engine.may_watch(user, id).await? {
        return Err(ApiError::NotFound);
    }
    engine.investigations.investigation(id).await?.ok_or(ApiError::NotFound)
}

/// What is no id names nothing.
fn parse<T: FromStr>(id: &str) -> Result<T, ApiError> {
    id.parse().map_err(|_| ApiError::NotFound)
}

async fn line(web: &Web, scope: &Scope, investigation: Investigation) -> Result<InvestigationLine, ApiError> {
    let stored = web.program.engine.assessments.of_investigation(scope, investigation.id).await?;
    Ok(InvestigationLine {
        id: investigation.id,
        parent_id: investigation.parent_id,
        question: investigation.prompt,
        kind: investigation.kind,
        trigger: investigation.trigger,
        status: investigation.progress.status,
        cycle: investigation.progress.cycle,
        reason: investigation.reason,
        owner: investigation.owner,
        created_at: investigation.created_at,
        completed_at: investigation.completed_at,
        assessment_id: stored.map(|stored| stored.assessment.id),
    })
}
