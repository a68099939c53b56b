//! Download of an assessment as JSON or Markdown.

use super::{
    WebState,
    answer::{ApiError, refuse},
    auth::SessionUser,
};
use app::Notice;
use axum::{
    body::Body,
    extract::{Path, State},
    http::{Response, StatusCode, header},
    response::IntoResponse,
};
use domain::{assessment::Assessment, fetch::PageFinding, pages::AssessmentView, user::User};
use engine::assessments;

pub(super) async fn json(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
) -> Response<Body> {
    download(&web, &user, &id, "application/json", "json", |assessment, _| {
        serde_json::to_string_pretty(assessment).map(|json| json + "\n").ok()
    })
    .await
}

pub(super) async fn markdown(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
) -> Response<Body> {
    let media_type = "text/markdown; charset=utf-8";
    download(&web, &user, &id, media_type, "md", |assessment, findings| Some(assessments::markdown(assessment, findings))).await
}

async fn download(
    web: &WebState,
    user: &User,
    id: &str,
    media_type: &'static str,
    ending: &str,
    write: impl Fn(&Assessment, &[PageFinding]) -> Option<String>,
) -> Response<Body> {
    let found = match id.parse() {
        Ok(id) => web.program.engine.assessment_view(user, id).await,
        Err(_) => Ok(None),
    };
    let AssessmentView { assessment, findings, .. } = match found {
        Ok(Some(view)) => view,
        Ok(None) => return refuse(StatusCode::NOT_FOUND, Notice::NotFound),
        Err(error) => return ApiError::from(error).into_response(),
    };
    let Some(text) = write(&assessment, &findings) else { return refuse(StatusCode::INTERNAL_SERVER_ERROR, Notice::Internal) };
    let disposition = format!("attachment; filename=\"assessment-{}.{ending}\"", assessment.id);
    ([(header::CONTENT_TYPE, media_type.to_owned()), (header::CONTENT_DISPOSITION, disposition)], text).into_response()
}
