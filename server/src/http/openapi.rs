//! OpenAPI description of `/api/v1`: the paths of the kernel and those of the features.

use super::api::InvestigationSummary;
use crate::features;
use axum::Json;
use domain::assessment::Assessment;
use feature::ApiDescription;
use serde_json::Value;

/// Handler of `GET /api/v1/openapi.json`, which needs no session.
pub(super) async fn document() -> Json<Value> {
    let mut api = ApiDescription::default();
    api.get::<Vec<InvestigationSummary>>("/api/v1/investigations", &[], "Newest investigations of the signed-in person");
    api.get::<InvestigationSummary>("/api/v1/investigations/{id}", &[], "An investigation");
    api.stream("/api/v1/investigations/{id}/events", "Events of an investigation as they happen; resumes after Last-Event-ID");
    api.get::<Assessment>("/api/v1/assessments/{id}", &[], "An assessment");
    api.get::<Value>("/api/v1/documents/{id}", &[], "A document with its text");
    api.get::<Value>("/api/v1/search", &["q", "words_only"], "Best hits of every kind for the words");
    for describe in features::FEATURES.iter().filter_map(|feature| feature.api) {
        describe(&mut api);
    }
    Json(api.document())
}
