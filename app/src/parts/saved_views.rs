//! Saved views of a page: links to them, and the form that saves the one that is open.

use domain::{
    UserId,
    notification::{MAX_VIEW_NAME, SavedView, ViewPage},
    user::{Action, Role},
};
use leptos::prelude::*;

/// Views that the viewer saved or that others share. `query` is that of the open page, which `may_save` offers to save.
#[component]
pub fn SavedViews(
    page: ViewPage,
    viewer: UserId,
    role: Role,
    views: Vec<SavedView>,
    query: String,
    may_save: bool,
) -> impl IntoView {
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
            <input id="view-notes" name="notes" type="text" maxlength="2000" />
            {role.may(Action::Investigate).then(|| view! {
                <label class="filter-check"><input type="checkbox" name="shared" value="1" /> <span>"Share with everybody"</span></label>
            })}
        }
    });
    view! {
        {(!items.is_empty()).then(|| view! { <nav class="saved-views" aria-label="Saved views"><ul>{items}</ul></nav> })}
        {may_save.then(|| view! {
            <form method="post" action="/views" class="save-view" id="save-view">
                {hidden()}
                <input type="hidden" name="query" value=query />
                <label for="view-name">"Save this view as"</label>
                <input id="view-name" name="name" type="text" maxlength=MAX_VIEW_NAME.to_string() required />
                {notes}
                <button type="submit" class="outline">"Save"</button>
            </form>
        })}
    }
    .into_any()
}
