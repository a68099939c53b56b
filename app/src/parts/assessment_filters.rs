//! Filter of a list of assessments.

use crate::{
    parts::{CollectionFilter, SampleFilter, TagFilter},
    prelude::*,
};
use domain::{
    assessment::{AssessmentKind, AssessmentState},
    investigation::Period,
    visibility::VisibilityKind,
};
use views::ListFilter;

/// Choices of the filter by readers.
const VISIBILITIES: [(VisibilityKind, &str); 3] =
    [(VisibilityKind::Private, "Owner only"), (VisibilityKind::Workspace, "Everyone"), (VisibilityKind::Team, "A team")];

/// Form of the filter, whose state is in the address.
#[component]
pub fn AssessmentFilters(
    /// Page that has the list.
    action: &'static str,
    filter: ListFilter,
    collections: Vec<(CollectionId, String)>,
    has_sample: bool,
) -> impl IntoView {
    let ListFilter { query, is_mine, hides_sample, is_oldest_first, is_archived, visibility, tag, .. } = filter.clone();
    let ListFilter { state, kind, collection, period, added, .. } = filter;
    let states = AssessmentState::ALL.map(|one| (one.as_str(), one.words()));
    let kinds = AssessmentKind::ALL.map(|one| (one.as_str(), format::capitalised(one.words())));
    let readers = VISIBILITIES.map(|(one, text)| (one.as_str(), text));
    let visibility = visibility.map_or("", |visibility| visibility.as_str());
    let if_set = |is_set: bool, value: &'static str| if is_set { value } else { "" };
    // What is filled in stays in sight.
    let has_choice = kind.is_some() || collection.is_some() || !visibility.is_empty() || period != Period::default();
    let is_open = has_choice || !tag.is_empty() || is_mine || is_archived || !added.is_empty();
    let filters = Contributions::of_page().filters;
    let added = filters.iter().map(|one| {
        let chosen = if_set(added.iter().any(|field| field == one.field), "me");
        view! { <FilterSelect name=one.field label=one.label every="All" chosen options=vec![("me", one.choice)] /> }
    });
    let added = added.collect_view();
    view! {
        <form method="get" action=action class="filters" role="search" aria-label="Filter the assessments">
            <div class="filter-words">
                <label for="q" class="hidden">"Search assessments"</label>
                <input id="q" name="q" type="search" value=query placeholder="Search assessments" />
            </div>
            <FilterSelect name="state" label="State" every="All" chosen=state.map_or("", |state| state.as_str()) options=Vec::from(states) />
            {has_sample.then(|| view! { <SampleFilter is_hidden=hides_sample /> })}
            <FilterSelect name="sort" label="Sort" every="Newest first" chosen=if_set(is_oldest_first, "oldest") options=vec![("oldest", "Oldest first")] />
            <details class="more-filters" open=is_open>
                <summary>"More filters"</summary>
                <div class="filters">
                    <TagFilter tag />
                    <FilterSelect name="owner" label="Owner" every="Everyone" chosen=if_set(is_mine, "me") options=vec![("me", "Me")] />
                    <FilterSelect name="view" label="View" every="Current" chosen=if_set(is_archived, "archived") options=vec![("archived", "Archived")] />
                    <FilterSelect name="kind" label="Kind" every="All" chosen=kind.map_or("", |kind| kind.as_str()) options=Vec::from(kinds) />
                    <CollectionFilter collections chosen=collection />
                    <PeriodFields label="Written from" from=period.from until=period.until />
                    <FilterSelect name="visibility" label="Readers" every="All" chosen=visibility options=Vec::from(readers) />
                    {added}
                </div>
            </details>
            <button type="submit" class="outline">"Apply"</button>
        </form>
    }
}
