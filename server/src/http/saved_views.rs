//! Form posts on saved views of the list of assessments and of the graph.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    audit,
    auth::SessionUser,
    client_address::ClientAddress,
};
use app::{Notice, session::encode};
use axum::{Form, body::Body, extract::State, http::Response};
use domain::{
    SavedViewId,
    notification::{MAX_VIEW_NAME, SavedView, ViewPage},
    user::{Action, Role},
};
use serde::Deserialize;

/// Longest query of a view, in bytes.
const MAX_QUERY_BYTES: usize = 4_000;
/// Longest notes, in characters.
const MAX_NOTES: usize = 2_000;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ViewForm {
    page: ViewPage,
    name: String,
    notes: String,
    query: String,
    shared: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct RemoveForm {
    page: ViewPage,
    id: String,
}

/// Returns the address of the page whose views these are.
const fn address(page: ViewPage) -> &'static str {
    match page {
        ViewPage::Assessments => "/assessments",
        ViewPage::Graph => "/graph",
    }
}

pub(super) async fn save(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Form(form): Form<ViewForm>,
) -> Response<Body> {
    let address = address(form.page);
    let (name, notes, query) = (form.name.trim(), form.notes.trim(), canonical(&form.query));
    let is_named = !name.is_empty() && name.chars().count() <= MAX_VIEW_NAME && notes.chars().count() <= MAX_NOTES;
    if !is_named || query.is_empty() || query.len() > MAX_QUERY_BYTES {
        return redirect_back(address, Notice::BadViewName, &[]);
    }
    let engine = &web.program.engine;
    let view = SavedView {
        id: SavedViewId(engine.ids.next()),
        owner: user.id,
        owner_name: user.name.clone(),
        name: name.to_owned(),
        notes: notes.to_owned(),
        is_shared: form.shared.is_some() && user.role.may(Action::Investigate),
        query,
    };
    match engine.watchlist.save_view(form.page, &view, engine.clock.now(), engine.config.watching.saved_views).await {
        Ok(true) => redirect(&format!("{address}?{}", view.query)),
        Ok(false) => redirect_back(address, Notice::TooManyViews, &[]),
        Err(error) => redirect_back(address, store_notice(&error), &[]),
    }
}

pub(super) async fn remove(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(client): ClientAddress,
    Form(form): Form<RemoveForm>,
) -> Response<Body> {
    let address = address(form.page);
    let Ok(id) = form.id.parse::<SavedViewId>() else { return redirect_back(address, Notice::NotFound, &[]) };
    let watchlist = &web.program.engine.watchlist;
    let mut removed = watchlist.remove_view(user.id, id).await;
    if matches!(removed, Ok(false)) && user.role == Role::Admin {
        removed = watchlist.remove_shared_view(id).await;
        if matches!(removed, Ok(true))
            && let Err(error) = audit::entry(&web, &user, client, "remove_shared_view", &id.to_string()).await
        {
            removed = Err(error);
        }
    }
    match removed {
        Ok(true) => redirect(address),
        Ok(false) => redirect_back(address, Notice::NotFound, &[]),
        Err(error) => redirect_back(address, store_notice(&error), &[]),
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
