//! Saved graph views as STIX: as a person exports them, and their download.

use crate::{pages::answer_stix, stix::graph_bundle};
use app::AppError;
use axum::{body::Body, extract::Path, http::Response};
use domain::{ObjectId, user::User};
use engine::{
    StoreResult,
    accounts::{self, Actor},
};
use feature::{ClientAddress, PageVisit, SavedGraphView, Web};
use leptos::prelude::*;
use serde_json::Value;

/// Returns the address of the download.
fn address(id: &str) -> String {
    format!("/graph/views/{id}/stix.json")
}

/// Writes a view as `person` reads it, and records it in the audit log; none where they do not see it. It holds what
/// [`SavedGraphView::load_public`] leaves; names of files are hidden.
pub async fn export(web: &Web, person: &User, id: ObjectId, by: Actor) -> StoreResult<Option<Value>> {
    let Some(public) = SavedGraphView::load_public(web, person, id).await? else { return Ok(None) };
    accounts::audit(&web.engine, by, "export_stix", &id.to_string()).await?;
    Ok(Some(graph_bundle(&public.view, &public.graph, web.engine.clock.now())))
}

/// Handler of `GET /graph/views/{id}/stix.json`.
pub async fn download(visit: PageVisit, ClientAddress(address): ClientAddress, Path(id): Path<String>) -> Response<Body> {
    let by = Actor { user: Some(visit.viewer.id), address: Some(address) };
    let exported = match id.parse::<ObjectId>() {
        Ok(id) => export(&visit.web, &visit.viewer, id, by).await,
        Err(_) => Ok(None),
    };
    let made = match exported {
        Ok(Some(bundle)) => Ok(format!("{bundle:#}\n")),
        Ok(None) => Err(AppError::not_found("graph view")),
        Err(error) => Err(error.into()),
    };
    answer_stix(visit, made, "graph-view.stix.json").await
}

/// Link to the download of the view that is open.
pub fn link(id: &str) -> AnyView {
    view! { <p class="share-button"><a class="button quiet" href=address(id) download>"STIX"</a></p> }.into_any()
}
