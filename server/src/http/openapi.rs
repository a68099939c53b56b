//! OpenAPI description of `/api/v1`: the paths of the kernel and those of the features.

use super::api::{DocumentWithText, InvestigationSummary, SearchWords};
use crate::features;
use axum::Json;
use domain::assessment::Assessment;
use feature::ApiDescription;
use serde_json::Value;
use std::sync::LazyLock;
use views::SearchView;

/// Handler of `GET /api/v1/openapi.json`, which needs no session.
pub(super) async fn document() -> Json<&'static Value> {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(describe);
    let document: &'static Value = &DOCUMENT;
    Json(document)
}

fn describe() -> Value {
    let mut api = ApiDescription::default();
    api.get::<Vec<InvestigationSummary>>("/api/v1/investigations", &[], "Newest investigations of the signed-in person");
    api.get::<InvestigationSummary>("/api/v1/investigations/{id}", &[], "An investigation");
    api.stream("/api/v1/investigations/{id}/events", "Events of an investigation as they happen; resumes after Last-Event-ID");
    api.get::<Assessment>("/api/v1/assessments/{id}", &[], "An assessment");
    api.get::<DocumentWithText>("/api/v1/documents/{id}", &[], "A document with its text");
    api.get_with_query::<SearchWords, SearchView>("/api/v1/search", "Best hits of every kind for the words");
    for describe in features::FEATURES.iter().filter_map(|feature| feature.api) {
        describe(&mut api);
    }
    api.document()
}
