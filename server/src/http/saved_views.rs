//! Form posts on saved views of the list of assessments.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    auth::SessionUser,
};
use app::{Notice, session::encode};
use axum::{Form, body::Body, extract::State, http::Response};
use domain::{
    SavedViewId,
    notification::{MAX_VIEW_NAME, SavedView},
};
use serde::Deserialize;

const PAGE: &str = "/assessments";
/// Longest query of a view, in bytes.
const MAX_QUERY_BYTES: usize = 2_000;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ViewForm {
    name: String,
    query: String,
}

#[derive(Deserialize)]
pub(super) struct RemoveForm {
    #[serde(default)]
    id: String,
}

pub(super) async fn save(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Form(form): Form<ViewForm>,
) -> Response<Body> {
    let (name, query) = (form.name.trim(), canonical(&form.query));
    if name.is_empty() || name.chars().count() > MAX_VIEW_NAME || query.is_empty() || query.len() > MAX_QUERY_BYTES {
        return redirect_back(PAGE, Notice::BadViewName, &[]);
    }
    let engine = &web.program.engine;
    let view = SavedView { id: SavedViewId(engine.ids.next()), name: name.to_owned(), query };
    match engine.watchlist.save_view(user.id, &view, engine.clock.now(), engine.config.watching.saved_views).await {
        Ok(true) => redirect(&format!("{PAGE}?{}", view.query)),
        Ok(false) => redirect_back(PAGE, Notice::TooManyViews, &[]),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}

pub(super) async fn remove(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Form(form): Form<RemoveForm>,
) -> Response<Body> {
    let Ok(id) = form.id.parse::<SavedViewId>() else { return redirect_back(PAGE, Notice::NotFound, &[]) };
    match web.program.engine.watchlist.remove_view(user.id, id).await {
        Ok(true) => redirect(PAGE),
        Ok(false) => redirect_back(PAGE, Notice::NotFound, &[]),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}

/// The query as its fields, encoded once more, so that nothing else gets into an address.
fn canonical(query: &str) -> String {
    let fields = form_urlencoded::parse(query.as_bytes());
    let fields = fields.filter(|(name, value)| name.chars().all(|c| c.is_ascii_lowercase()) && !value.is_empty());
    fields.map(|(name, value)| format!("{name}={}", encode(&value))).collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_keeps_its_fields_and_nothing_else() {
        let text = "q=grain%20store&owner=me";
        assert_eq!(canonical(text), canonical(&canonical(text)));
        assert!(canonical(text).starts_with("q=") && canonical(text).ends_with("&owner=me"));
        assert_eq!(canonical("https://b.example/?X=1&<b>=2&sort="), "");
    }
}
