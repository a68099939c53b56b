//! Saved views of the list of assessments and of the graph: links to them, and the form that saves the one that is open.

use crate::{
    saved_view::{MAX_VIEW_NAME, MAX_VIEW_NOTES, SavedView, SavedViewId, ViewPage},
    settings::WatchingSettings,
    store::WatchingStore,
};
use app::{Notice, NoticeAction, Pieces, session::encode};
use axum::{body::Body, http::Response};
use domain::user::{Action, Role, User};
use engine::accounts;
use feature::{FormPost, KeptForm, NoticeText, Slot, Web, redirect};
use leptos::prelude::*;
use serde::Deserialize;

/// Longest query of a view, in bytes.
const MAX_QUERY_BYTES: usize = 4_000;

/// Way from a refused view to the form.
const FORM: NoticeAction = NoticeAction { text: "See the saved views", href: "#save-view" };

/// Refusal of a view without a good name or a filter.
pub const BAD_NAME: NoticeText = NoticeText {
    code: "bad_view_name",
    message: "A view needs a name of 1 to 60 characters, and at least one filter.",
    action: FORM,
};

/// Refusal of one view more than the limit.
pub const TOO_MANY: NoticeText = NoticeText {
    code: "too_many_views",
    message: "You have as many saved views as this server allows. Remove one, then save again.",
    action: FORM,
};

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ViewForm {
    page: ViewPage,
    name: String,
    notes: String,
    query: String,
    shared: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct RemoveForm {
    page: ViewPage,
    id: String,
}

/// Handler of `POST /views`.
pub async fn save(post: FormPost<ViewForm>) -> Response<Body> {
    let form = &post.form;
    let (name, notes, query) = (form.name.trim(), form.notes.trim(), canonical(&form.query));
    let is_long = query.len() > MAX_QUERY_BYTES;
    // A long query is no part of an address.
    let address = page_address(form.page, if is_long { "" } else { &query });
    let is_named = !name.is_empty() && name.chars().count() <= MAX_VIEW_NAME && notes.chars().count() <= MAX_VIEW_NOTES;
    if !is_named || query.is_empty() || is_long {
        return post.refuse(&address, BAD_NAME.code).await;
    }
    let engine = &post.web.engine;
    let view = SavedView {
        id: SavedViewId(engine.ids.next()),
        owner: post.user.id,
        owner_name: post.user.name.clone(),
        name: name.to_owned(),
        notes: notes.to_owned(),
        is_shared: form.shared.is_some() && post.user.role.may(Action::Investigate),
        query,
    };
    let limit = post.web.settings.get::<WatchingSettings>().saved_views;
    match WatchingStore::new(&post.web).save_view(form.page, &view, engine.clock.now(), limit).await {
        Ok(true) => redirect(&address),
        Ok(false) => post.refuse(&address, TOO_MANY.code).await,
        Err(error) => post.fail(&address, &error).await,
    }
}

/// Handler of `POST /views/remove`. An administrator may remove what others share.
pub async fn remove(post: FormPost<RemoveForm>) -> Response<Body> {
    let address = page_address(post.form.page, "");
    let Ok(id) = post.form.id.parse::<SavedViewId>() else { return post.lead_to(&address, Notice::NotFound.code()) };
    let store = WatchingStore::new(&post.web);
    let mut removed = store.remove_view(post.user.id, id).await;
    if matches!(removed, Ok(false)) && post.user.role == Role::Admin {
        removed = store.remove_shared_view(id).await;
        if matches!(removed, Ok(true))
            && let Err(error) = accounts::audit(&post.web.engine, post.by, "remove_shared_view", &id.to_string()).await
        {
            removed = Err(error);
        }
    }
    match removed {
        Ok(true) => redirect(&address),
        Ok(false) => post.lead_to(&address, Notice::NotFound.code()),
        Err(error) => post.fail(&address, &error).await,
    }
}

/// Returns the address of a page in the state of a query.
fn page_address(page: ViewPage, query: &str) -> String {
    match query {
        "" => format!("/{}", page.as_str()),
        query => format!("/{}?{query}", page.as_str()),
    }
}

/// Piece of the feature below the filters of a page.
pub fn piece(place: &Slot) -> Option<AnyView> {
    let Slot::Filters { page, viewer, query, is_chosen } = place else { return None };
    let (page, viewer, query, may_save) = (ViewPage::parse(page)?, viewer.clone(), query.clone(), *is_chosen);
    Some(Suspend::new(load(page, viewer, query, may_save)).into_any())
}

async fn load(page: ViewPage, viewer: User, query: String, may_save: bool) -> AnyView {
    let Some(web) = Web::of_page() else { return ().into_any() };
    let kept = KeptForm::take_of_page(viewer.id).await;
    let views = WatchingStore::new(&web).saved_views(viewer.id, page).await.unwrap_or_else(|error| {
        tracing::error!(%error, "saved views not read");
        vec![]
    });
    view! { <SavedViews page viewer views query may_save kept /> }.into_any()
}

/// Views that the viewer saved or that others share. `query` is that of the open page, which `may_save` offers to save.
#[component]
fn SavedViews(
    page: ViewPage,
    viewer: User,
    views: Vec<SavedView>,
    query: String,
    may_save: bool,
    kept: KeptForm,
) -> impl IntoView {
    let (viewer, role, person) = (viewer.id, viewer.role, viewer);
    // The graph view that is open can be shared and exported.
    let open = views.iter().find(|view| page == ViewPage::Graph && view.query == query).map(|view| Slot::Share {
        viewer: person,
        kind: Slot::GRAPH_VIEW,
        object: view.id.to_string(),
    });
    let hidden = || view! { <input type="hidden" name="page" value=page.as_str() /> };
    let items: Vec<_> = views
        .into_iter()
        .map(|view| {
            let SavedView { id, owner, owner_name, name, notes, is_shared, query: saved } = view;
            let is_current = (saved == query).then_some("page");
            let is_mine = owner == viewer;
            let whose = match (is_mine, is_shared) {
                (true, true) => Some("shared".to_owned()),
                (true, false) => None,
                (false, _) => Some(format!("by {owner_name}")),
            };
            let remove = (is_mine || role == Role::Admin).then(|| {
                view! {
                    <form method="post" action="/views/remove">
                        {hidden()}
                        <input type="hidden" name="id" value=id.to_string() />
                        <button type="submit" class="quiet" aria-label=format!("Remove the view {name}")>"Remove"</button>
                    </form>
                }
            });
            view! {
                <li>
                    <a href=format!("/{}?{saved}", page.as_str()) aria-current=is_current>{name.clone()}</a>
                    {whose.map(|whose| view! { <span class="muted">{whose}</span> })}
                    {(!notes.is_empty()).then(|| match is_mine {
                        true => view! { <span class="muted">{notes}</span> }.into_any(),
                        false => view! { <details><summary>"Notes" <span class="hidden">{format!(" of {owner_name}")}</span></summary> <p class="muted">{notes}</p></details> }.into_any(),
                    })}
                    {remove}
                </li>
            }
        })
        .collect();
    let notes = (page == ViewPage::Graph).then(|| {
        view! {
            <label for="view-notes">"Notes"</label>
            <input id="view-notes" name="notes" type="text" maxlength=MAX_VIEW_NOTES.to_string() value=kept.value("notes") />
            {role.may(Action::Investigate).then(|| view! {
                <label class="filter-check"><input type="checkbox" name="shared" value="1" checked={!kept.value("shared").is_empty()} /> <span>"Share with everybody"</span></label>
            })}
        }
    });
    view! {
        {(!items.is_empty()).then(|| view! { <nav class="saved-views" aria-label="Saved views"><ul>{items}</ul></nav> })}
        {open.map(|at| view! { <Pieces at /> })}
        {may_save.then(|| view! {
            <form method="post" action="/views" class="save-view" id="save-view">
                {hidden()}
                <input type="hidden" name="query" value=query />
                <label for="view-name">"Save this view as"</label>
                <input id="view-name" name="name" type="text" maxlength=MAX_VIEW_NAME.to_string() value=kept.value("name") required />
                {notes}
                <button type="submit" class="outline">"Save"</button>
            </form>
        })}
    }
    .into_any()
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
