//! Downloads of a report, and the links to them.

use crate::{
    file, graph_view,
    report::{ExportError, ExportedReport, load},
    signing::SigningKey,
    stix as stix_export,
};
use app::AppError;
use axum::{
    body::Body,
    extract::Path,
    http::{Response, header},
    response::IntoResponse,
};
use domain::{AssessmentId, user::User};
use engine::{
    StoreError,
    accounts::{self, Actor},
};
use feature::{ClientAddress, PageVisit, Slot, Web};
use leptos::prelude::*;
use std::net::IpAddr;

/// Handler of `GET /assessments/{id}/bundle.html`.
pub async fn bundle(visit: PageVisit, ClientAddress(address): ClientAddress, Path(id): Path<String>) -> Response<Body> {
    let made = async {
        let report = exported(&visit.web, &visit.viewer, address, &id, "export_bundle").await?;
        let key = SigningKey::load(&visit.web).await.map_err(|error| match error {
            StoreError::Invalid(_) => ExportError::UnreadableKey,
            error => error.into(),
        })?;
        Ok::<_, ExportError>(file::write(&report, &key, visit.web.engine.clock.now()))
    };
    let made = made.await.map_err(AppError::from);
    answer(visit, made, &format!("report-{id}.html"), "text/html; charset=utf-8").await
}

/// Handler of `GET /assessments/{id}/bundle.stix.json`.
pub async fn stix(visit: PageVisit, ClientAddress(address): ClientAddress, Path(id): Path<String>) -> Response<Body> {
    let report = exported(&visit.web, &visit.viewer, address, &id, "export_stix").await;
    let made = report.map(|report| format!("{:#}\n", stix_export::bundle(&report))).map_err(AppError::from);
    answer_stix(visit, made, &format!("report-{id}.stix.json")).await
}

/// Loads the report of a download, and records it in the audit log.
async fn exported(web: &Web, viewer: &User, address: IpAddr, id: &str, act: &str) -> Result<ExportedReport, ExportError> {
    let id = id.parse::<AssessmentId>().map_err(|_| ExportError::NotFound)?;
    let report = load(web, viewer, id).await?;
    let by = Actor { user: Some(viewer.id), address: Some(address) };
    accounts::audit(&web.engine, by, act, &report.assessment.id.to_string()).await?;
    Ok(report)
}

/// Answers with STIX, or with the page of the error.
pub async fn answer_stix(visit: PageVisit, made: Result<String, AppError>, name: &str) -> Response<Body> {
    answer(visit, made, name, "application/json").await
}

/// Answers with the file, or with the page of the error.
async fn answer(visit: PageVisit, made: Result<String, AppError>, name: &str, media_type: &'static str) -> Response<Body> {
    match made {
        Ok(text) => {
            let disposition = format!("attachment; filename=\"{name}\"");
            ([(header::CONTENT_TYPE, media_type.to_owned()), (header::CONTENT_DISPOSITION, disposition)], text).into_response()
        }
        Err(error) => visit.show(Err::<(), AppError>(error), |_, ()| ().into_any()).await,
    }
}

/// Piece of the feature among the exports of a report, and beside a saved graph view.
pub fn piece(place: &Slot) -> Option<AnyView> {
    let assessment = match place {
        Slot::Exports { assessment } => assessment,
        Slot::Share { kind: Slot::GRAPH_VIEW, object, .. } => return Some(graph_view::link(object)),
        _ => return None,
    };
    let (bundle, stix) =
        (format!("/assessments/{assessment}/bundle.html"), format!("/assessments/{assessment}/bundle.stix.json"));
    Some(
        view! {
            <a class="button quiet" href=bundle download>"Signed bundle"</a>
            <a class="button quiet" href=stix download>"STIX"</a>
        }
        .into_any(),
    )
}
