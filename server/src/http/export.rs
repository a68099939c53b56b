//! An assessment as a file to keep.

use super::{
    Web,
    answer::{ApiError, refuse},
    api,
    visitor::Visitor,
};
use app::Notice;
use axum::{
    body::Body,
    extract::{Path, State},
    http::{Response, StatusCode, header},
    response::IntoResponse,
};
use domain::{assessment::Assessment, user::User};
use engine::assessments;

pub(super) async fn json(State(web): State<Web>, Visitor(user): Visitor, Path(id): Path<String>) -> Response<Body> {
    download(&web, &user, &id, "application/json", "json", |assessment| {
        serde_json::to_string_pretty(assessment).map(|json| json + "\n").ok()
    })
    .await
}

pub(super) async fn markdown(State(web): State<Web>, Visitor(user): Visitor, Path(id): Path<String>) -> Response<Body> {
    download(&web, &user, &id, "text/markdown; charset=utf-8", "md", |assessment| Some(assessments::markdown(assessment))).await
}

async fn download(
    web: &Web,
    user: &User,
    id: &str,
    media_type: &'static str,
    ending: &str,
    write: impl Fn(&Assessment) -> Option<String>,
) -> Response<Body> {
    let assessment = match api::readable_assessment(web, user, id).await {
        Ok(assessment) => assessment,
        Err(ApiError::NotFound) => return refuse(StatusCode::NOT_FOUND, Notice::NotFound),
        Err(error) => return error.into_response(),
    };
    let Some(text) = write(&assessment) else { return refuse(StatusCode::INTERNAL_SERVER_ERROR, Notice::Internal) };
    let disposition = format!("attachment; filename=\"assessment-{}.{ending}\"", assessment.id);
    ([(header::CONTENT_TYPE, media_type.to_owned()), (header::CONTENT_DISPOSITION, disposition)], text).into_response()
}
