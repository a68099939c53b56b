//! Download of an assessment as JSON or Markdown.

use super::{
    WebState,
    answer::{ApiError, refuse},
    auth::SessionUser,
    client_address::ClientAddress,
};
use app::Notice;
use axum::{
    body::Body,
    extract::{Path, State},
    http::{Response, StatusCode, header},
    response::IntoResponse,
};
use domain::{assessment::Assessment, fetch::PageFinding, user::User};
use engine::{
    accounts::{self, Actor},
    assessments,
};
use std::net::IpAddr;

pub(super) async fn json(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    download(&web, &user, address, &id, "application/json", "json", |assessment, _| {
        serde_json::to_string_pretty(assessment).map(|json| json + "\n").ok()
    })
    .await
}

pub(super) async fn markdown(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    let media_type = "text/markdown; charset=utf-8";
    download(&web, &user, address, &id, media_type, "md", |assessment, findings| {
        Some(assessments::markdown(assessment, findings))
    })
    .await
}

async fn download(
    web: &WebState,
    user: &User,
    address: IpAddr,
    id: &str,
    media_type: &'static str,
    ending: &str,
    write: impl Fn(&Assessment, &[PageFinding]) -> Option<String>,
) -> Response<Body> {
    let found = match id.parse() {
        Ok(id) => web.program.engine.exported_assessment(user, id).await,
        Err(_) => Ok(None),
    };
    let (assessment, findings) = match found {
        Ok(Some(found)) => found,
        Ok(None) => return refuse(StatusCode::NOT_FOUND, Notice::NotFound),
        Err(error) => return ApiError::from(error).into_response(),
    };
    let Some(text) = write(&assessment, &findings) else { return refuse(StatusCode::INTERNAL_SERVER_ERROR, Notice::Internal) };
    let by = Actor { user: Some(user.id), address: Some(address) };
    let object = format!("{}.{ending}", assessment.id);
    if let Err(error) = accounts::audit(&web.program.engine, by, "export_assessment", &object).await {
        return ApiError::from(error).into_response();
    }
    let disposition = format!("attachment; filename=\"assessment-{}.{ending}\"", assessment.id);
    ([(header::CONTENT_TYPE, media_type.to_owned()), (header::CONTENT_DISPOSITION, disposition)], text).into_response()
}
