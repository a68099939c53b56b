//! Filter of a list of assessments.

use crate::{
    format,
    parts::{CollectionFilter, PeriodFields, SampleFilter},
};
use domain::{
    CollectionId,
    assessment::{AssessmentKind, AssessmentState},
    investigation::Period,
    visibility::VisibilityKind,
};
use leptos::prelude::*;
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
    let ListFilter { state, kind, collection, period, is_watched, .. } = filter;
    let states = AssessmentState::ALL.map(|one| {
        view! { <option value=one.as_str() selected={state == Some(one)}>{one.words()}</option> }
    });
    let kinds = AssessmentKind::ALL.map(|one| {
        view! { <option value=one.as_str() selected={kind == Some(one)}>{format::capitalised(one.words())}</option> }
    });
    // What is filled in stays in sight.
    let has_choice = kind.is_some() || collection.is_some() || visibility.is_some() || period != Period::default();
    let is_open = has_choice || !tag.is_empty() || is_mine || is_archived || is_watched;
    view! {
        <form method="get" action=action class="filters" role="search" aria-label="Filter the assessments">
            <div class="filter-words">
                <label for="q" class="hidden">"Search assessments"</label>
                <input id="q" name="q" type="search" value=query placeholder="Search assessments" />
            </div>
            <label class="filter">
                <span>"State"</span>
                <select name="state">
                    <option value="">"All"</option>
                    {states}
                </select>
            </label>
            {has_sample.then(|| view! { <SampleFilter is_hidden=hides_sample /> })}
            <label class="filter">
                <span>"Sort"</span>
                <select name="sort">
                    <option value="">"Newest first"</option>
                    <option value="oldest" selected=is_oldest_first>"Oldest first"</option>
                </select>
            </label>
            <details class="more-filters" open=is_open>
                <summary>"More filters"</summary>
                <div class="filters">
                    <label class="filter">
                        <span>"Tag"</span>
                        <input name="tag" type="text" value=tag size="12" maxlength="40" />
                    </label>
                    <label class="filter">
                        <span>"Owner"</span>
                        <select name="owner">
                            <option value="">"Everyone"</option>
                            <option value="me" selected=is_mine>"Me"</option>
                        </select>
                    </label>
                    <label class="filter">
                        <span>"View"</span>
                        <select name="view">
                            <option value="">"Current"</option>
                            <option value="archived" selected=is_archived>"Archived"</option>
                        </select>
                    </label>
                    <label class="filter">
                        <span>"Kind"</span>
                        <select name="kind">
                            <option value="">"All"</option>
                            {kinds}
                        </select>
                    </label>
                    <CollectionFilter collections chosen=collection />
                    <PeriodFields label="Written from" from=period.from until=period.until />
                    <label class="filter">
                        <span>"Readers"</span>
                        <select name="visibility">
                            <option value="">"All"</option>
                            {VISIBILITIES.map(|(kind, text)| view! { <option value=kind.as_str() selected={visibility == Some(kind)}>{text}</option> }).collect_view()}
                        </select>
                    </label>
                    <label class="filter">
                        <span>"Watching"</span>
                        <select name="watching">
                            <option value="">"All"</option>
                            <option value="me" selected=is_watched>"Watched by me"</option>
                        </select>
                    </label>
                </div>
            </details>
            <button type="submit" class="outline">"Apply"</button>
        </form>
    }
    .into_any()
}
