//! The list of assessments, filtered and paged by its address.

use super::{Visit, number, query, render_page};
use crate::{
    AppError, format,
    parts::{AssessmentRow, Frame, NavItem, PageLinks},
};
use domain::user::User;
use leptos::prelude::*;
use leptos_meta::Title;
use views::{AssessmentList, ListFilter};

#[server]
async fn load_assessments(filter: ListFilter, page: u64) -> Result<Visit<AssessmentList>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.assessment_list(&viewer, filter, page).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn AssessmentsPage() -> impl IntoView {
    let filter = ListFilter {
        query: query("q").unwrap_or_default(),
        is_mine: query("owner").as_deref() == Some("me"),
        hides_sample: query("sample").as_deref() == Some("hidden"),
        is_oldest_first: query("sort").as_deref() == Some("oldest"),
    };
    render_page(load_assessments(filter, number("page")), |Visit { viewer, page }| {
        view! { <PageBody viewer page /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(viewer: User, page: AssessmentList) -> impl IntoView {
    let AssessmentList { assessments, total, page, per_page, filter, has_sample, now } = page;
    let last = total.div_ceil(per_page.max(1));
    let found = found_text(total, &filter);
    let fields = fields(&filter);
    let is_filtered = !fields.is_empty();
    let rows = assessments.into_iter().map(|card| view! { <AssessmentRow card now /> }).collect_view();
    view! {
        <Title text="Assessments" />
        <Frame viewer nav=NavItem::Assessments>
            <h1>"Assessments"</h1>
            <Filters filter has_sample />
            <p class="muted" role="status">
                {found} {is_filtered.then(|| view! { " · " <a href="/assessments">"Clear filters"</a> })}
            </p>
            {(total > 0).then(|| view! { <ul class="assessment-rows">{rows}</ul> })}
            <PageLinks label="Pages of assessments" address="/assessments".to_owned() name="page" fields page last />
        </Frame>
    }
    .into_any()
}

#[component]
fn Filters(filter: ListFilter, has_sample: bool) -> impl IntoView {
    let ListFilter { query, is_mine, hides_sample, is_oldest_first } = filter;
    view! {
        <form method="get" action="/assessments" class="filters" role="search">
            <div class="filter-words">
                <label for="q" class="hidden">"Search assessments"</label>
                <input id="q" name="q" type="search" value=query placeholder="Search assessments" />
            </div>
            <label class="filter">
                <span>"Owner"</span>
                <select name="owner">
                    <option value="">"Everyone"</option>
                    <option value="me" selected=is_mine>"Me"</option>
                </select>
            </label>
            {has_sample.then(|| view! {
                <label class="filter">
                    <span>"Sample"</span>
                    <select name="sample">
                        <option value="">"Shown"</option>
                        <option value="hidden" selected=hides_sample>"Hidden"</option>
                    </select>
                </label>
            })}
            <label class="filter">
                <span>"Sort"</span>
                <select name="sort">
                    <option value="">"Newest first"</option>
                    <option value="oldest" selected=is_oldest_first>"Oldest first"</option>
                </select>
            </label>
            <button type="submit" class="outline">"Apply"</button>
        </form>
    }
    .into_any()
}

/// Returns the fields of the address that keep the filter from page to page.
fn fields(filter: &ListFilter) -> Vec<(&'static str, String)> {
    let words = Some(filter.query.clone()).filter(|words| !words.is_empty());
    let fields = [
        ("q", words),
        ("owner", filter.is_mine.then(|| "me".to_owned())),
        ("sample", filter.hides_sample.then(|| "hidden".to_owned())),
        ("sort", filter.is_oldest_first.then(|| "oldest".to_owned())),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// Returns the line above the rows.
fn found_text(total: u64, filter: &ListFilter) -> String {
    match (total, filter.query.as_str()) {
        (0, "") => "No assessments".to_owned(),
        (0, words) => format!("No assessment contains “{words}”"),
        (_, "") => format::count(total, "assessment", "assessments"),
        (_, words) => format!("{} with “{words}”", format::count(total, "assessment", "assessments")),
    }
}
