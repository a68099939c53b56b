//! Saved graph views as STIX: as a person exports them, and their download.

use crate::{pages::answer_stix, stix::graph_bundle};
use app::AppError;
use axum::{body::Body, extract::Path, http::Response};
use domain::user::User;
use engine::{
    StoreResult,
    accounts::{self, Actor},
};
use feature::{ClientAddress, PageVisit, Web, find_graph_view, keep_readable, shareable::PrivateNames};
use leptos::prelude::*;
use serde_json::Value;

/// Returns the address of the download.
fn address(id: &str) -> String {
    format!("/graph/views/{id}/stix.json")
}

/// Writes a view as `person` reads it, and records it in the audit log; none where they do not see it. Of the relationships, it has
/// what [`keep_readable`] leaves; names of files are hidden.
pub async fn export(web: &Web, person: &User, reference: &str, by: Actor) -> StoreResult<Option<Value>> {
    let Some(view) = find_graph_view(web, person, reference).await? else { return Ok(None) };
    let mut shown = view.load(web, person).await?;
    let mut names = PrivateNames::default();
    keep_readable(web, person, &mut shown.graph).await?.iter().for_each(|path| names.add(path));
    shown.graph.nodes.iter_mut().for_each(|node| node.name = names.hide(&node.name));
    shown.graph.edges.iter_mut().for_each(|edge| edge.description = names.hide(&edge.description));
    accounts::audit(&web.engine, by, "export_stix", &view.id.to_string()).await?;
    Ok(Some(graph_bundle(&view, &shown.graph, web.engine.clock.now())))
}

/// Handler of `GET /graph/views/{id}/stix.json`.
pub async fn download(visit: PageVisit, ClientAddress(address): ClientAddress, Path(id): Path<String>) -> Response<Body> {
    let by = Actor { user: Some(visit.viewer.id), address: Some(address) };
    let made = match export(&visit.web, &visit.viewer, &id, by).await {
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
