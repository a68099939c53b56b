//! Fields that limit a list to a collection, and that hide the sample.

use domain::CollectionId;
use leptos::prelude::*;

/// Field `collection` of a filter.
#[component]
pub fn CollectionFilter(collections: Vec<(CollectionId, String)>, chosen: Option<CollectionId>) -> impl IntoView {
    let options = collections
        .into_iter()
        .map(|(id, name)| view! { <option value=id.to_string() selected={chosen == Some(id)}>{name}</option> })
        .collect_view();
    view! {
        <label class="filter">
            <span>"Collection"</span>
            <select name="collection">
                <option value="">"All"</option>
                {options}
            </select>
        </label>
    }
    .into_any()
}

/// Field `sample` of a filter.
#[component]
pub fn SampleFilter(is_hidden: bool) -> impl IntoView {
    view! {
        <label class="filter">
            <span>"Sample"</span>
            <select name="sample">
                <option value="">"Shown"</option>
                <option value="hidden" selected=is_hidden>"Hidden"</option>
            </select>
        </label>
    }
    .into_any()
}
