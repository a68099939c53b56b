//! Fields that limit a list to a collection or a tag, and that hide the sample.

use super::FilterSelect;
use crate::prelude::*;
use domain::annotation::MAX_TAG_CHARS;

/// Field `collection` of a filter.
#[component]
pub fn CollectionFilter(collections: Vec<(CollectionId, String)>, chosen: Option<CollectionId>) -> impl IntoView {
    let options: Vec<_> = collections.into_iter().map(|(id, name)| (id.to_string(), name)).collect();
    let chosen = chosen.map(|id| id.to_string()).unwrap_or_default();
    view! { <FilterSelect name="collection" label="Collection" every="All" chosen options /> }
}

/// Field `tag` of a filter.
#[component]
pub fn TagFilter(tag: String) -> impl IntoView {
    view! {
        <label class="filter">
            <span>"Tag"</span>
            <input name="tag" type="text" value=tag size="12" maxlength=MAX_TAG_CHARS.to_string() />
        </label>
    }
}

/// Field `sample` of a filter.
#[component]
pub fn SampleFilter(is_hidden: bool) -> impl IntoView {
    let chosen = if is_hidden { "hidden" } else { "" };
    view! { <FilterSelect name="sample" label="Sample" every="Shown" chosen options=vec![("hidden", "Hidden")] /> }
}
