//! Download of an assessment as JSON or Markdown.

use super::prelude::*;
use domain::{assessment::Assessment, fetch::PageFinding};
use engine::assessments;

pub(super) async fn json(caller: Caller, Path(id): Path<String>) -> Response<Body> {
    download(&caller, &id, "application/json", "json", |assessment, _| {
        serde_json::to_string_pretty(assessment).map(|json| json + "\n").ok()
    })
    .await
}

pub(super) async fn markdown(caller: Caller, Path(id): Path<String>) -> Response<Body> {
    let media_type = "text/markdown; charset=utf-8";
    download(&caller, &id, media_type, "md", |assessment, findings| Some(assessments::markdown(assessment, findings))).await
}

async fn download(
    caller: &Caller,
    id: &str,
    media_type: &'static str,
    ending: &str,
    write: impl Fn(&Assessment, &[PageFinding]) -> Option<String>,
) -> Response<Body> {
    let found = match id.parse() {
        Ok(id) => caller.web.program.engine.exported_assessment(&caller.user, id).await,
        Err(_) => Ok(None),
    };
    let (assessment, findings) = match found {
        Ok(Some(found)) => found,
        Ok(None) => return refuse(StatusCode::NOT_FOUND, Notice::NotFound),
        Err(error) => return ApiError::from(error).into_response(),
    };
    let Some(text) = write(&assessment, &findings) else { return refuse(StatusCode::INTERNAL_SERVER_ERROR, Notice::Internal) };
    let object = format!("{}.{ending}", assessment.id);
    if let Err(error) = caller.audit("export_assessment", &object).await {
        return ApiError::from(error).into_response();
    }
    let disposition = format!("attachment; filename=\"assessment-{}.{ending}\"", assessment.id);
    ([(header::CONTENT_TYPE, media_type.to_owned()), (header::CONTENT_DISPOSITION, disposition)], text).into_response()
}
