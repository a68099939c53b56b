//! The list of assessments, filtered and paged by its address.

use super::{Visit, dashboard::first_step, number, period, query, query_values, render_page};
use crate::{
    parts::{AssessmentFilters, AssessmentRow, TIDY_FORM, TidyForm, UndoNotice},
    prelude::*,
};
use domain::{
    assessment::{AssessmentKind, AssessmentState},
    visibility::VisibilityKind,
};
use views::{AssessmentCard, AssessmentList, ListFilter};

async fn load_assessments(filter: ListFilter, page: u64) -> Result<Visit<AssessmentList>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let only = selected_by_features(&filter, viewer.id).await?;
    let page = engine.assessment_list(&viewer, filter, only, page).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn AssessmentsPage() -> impl IntoView {
    let undo = query_values("undo");
    let error = query("error");
    render_page(load_assessments(addressed_filter(), number("page")), |Visit { viewer, page }| {
        view! { <PageBody viewer page undo error /> }.into_any()
    })
}

/// Returns the filter that the address holds.
pub(super) fn addressed_filter() -> ListFilter {
    ListFilter {
        query: query("q").unwrap_or_default(),
        is_mine: query("owner").as_deref() == Some("me"),
        hides_sample: query("sample").as_deref() == Some("hidden"),
        is_oldest_first: query("sort").as_deref() == Some("oldest"),
        is_archived: query("view").as_deref() == Some("archived"),
        visibility: query("visibility").as_deref().and_then(VisibilityKind::parse),
        tag: query("tag").unwrap_or_default(),
        state: query("state").as_deref().and_then(AssessmentState::parse),
        kind: query("kind").as_deref().and_then(AssessmentKind::parse),
        collection: query("collection").and_then(|id| id.parse().ok()),
        period: period(),
        added: added_filters(),
    }
}

/// Returns the fields of features that the address chooses.
fn added_filters() -> Vec<String> {
    let filters = Contributions::of_page().filters;
    let chosen = filters.iter().filter(|filter| query(filter.field).as_deref() == Some("me"));
    chosen.map(|filter| filter.field.to_owned()).collect()
}

/// Returns the assessments that all chosen filters of features select; none where no such filter is chosen.
pub(super) async fn selected_by_features(filter: &ListFilter, viewer: UserId) -> Result<Option<Vec<AssessmentId>>, AppError> {
    let mut selected: Option<Vec<AssessmentId>> = None;
    for one in Contributions::of_page().filters.iter().filter(|one| filter.added.iter().any(|field| field == one.field)) {
        let ids = (one.select)(viewer).await?;
        selected = Some(match selected {
            Some(before) => before.into_iter().filter(|id| ids.contains(id)).collect(),
            None => ids,
        });
    }
    Ok(selected)
}

#[component]
pub(super) fn PageBody(viewer: User, page: AssessmentList, undo: Vec<String>, error: Option<String>) -> impl IntoView {
    let AssessmentList { assessments, total, page, per_page, filter, collections, has_sample, now } = page;
    let last = total.div_ceil(per_page.max(1));
    let found = found_text(total, &filter);
    let fields = filter_fields(&filter);
    let is_archived = filter.is_archived;
    // The tab is no filter: clearing them stays in it.
    let is_filtered = fields.iter().any(|(name, _)| *name != "view");
    let all = if is_archived { "/assessments?view=archived" } else { "/assessments" };
    let place = Slot::Filters {
        page: "assessments",
        viewer: viewer.clone(),
        query: format::query_string(fields.clone()),
        is_chosen: !fields.is_empty(),
    };
    let may_ask = viewer.role.may(Action::Investigate);
    let may_tidy = may_ask && !assessments.is_empty();
    let is_admin = viewer.role == Role::Admin;
    let may_select = |card: &AssessmentCard| may_tidy && (is_admin || card.access.as_ref().is_none_or(|access| access.is_mine));
    let row = |card: AssessmentCard| match may_select(&card) {
        true => view! { <AssessmentRow card now form=TIDY_FORM /> }.into_any(),
        false => view! { <AssessmentRow card now /> }.into_any(),
    };
    let rows = assessments.into_iter().map(row).collect_view();
    // A filter is cleared by the link beside the count.
    let nothing = (total == 0 && !is_filtered).then(|| {
        let (text, (href, button)) = match is_archived {
            true => ("Nothing is archived.", ("/assessments", "All assessments")),
            false => ("An assessment answers a question.", first_step(may_ask)),
        };
        view! { <EmptyState text href button /> }
    });
    view! {
        <Title text="Assessments" />
        <Frame viewer nav=NavItem::Assessments>
            <h1>{if is_archived { "Archived assessments" } else { "Assessments" }}</h1>
            <NoticeBanner code=error />
            <UndoNotice kind=TidyKind::Investigations ids=undo is_archived filter=fields.clone() />
            <AssessmentFilters action="/assessments" filter collections has_sample />
            <Pieces at=place />
            <p class="muted" role="status">
                {found} {is_filtered.then(|| view! { " · " <a href=all>"Clear filters"</a> })}
            </p>
            {(total > 0).then(|| view! { <ul class="assessment-rows">{rows}</ul> })}
            {nothing}
            {may_tidy.then(|| view! { <TidyForm kind=TidyKind::Investigations is_archived filter=fields.clone() /> })}
            <PageLinks label="Pages of assessments" address="/assessments".to_owned() name="page" fields page last />
        </Frame>
    }
    .into_any()
}

/// Returns the fields of the address that keep the filter from page to page.
pub(super) fn filter_fields(filter: &ListFilter) -> Vec<(&'static str, String)> {
    let words = Some(filter.query.clone()).filter(|words| !words.is_empty());
    let fields = [
        ("q", words),
        ("owner", filter.is_mine.then(|| "me".to_owned())),
        ("sample", filter.hides_sample.then(|| "hidden".to_owned())),
        ("sort", filter.is_oldest_first.then(|| "oldest".to_owned())),
        ("view", filter.is_archived.then(|| "archived".to_owned())),
        ("visibility", filter.visibility.map(|kind| kind.as_str().to_owned())),
        ("tag", Some(filter.tag.clone()).filter(|tag| !tag.is_empty())),
        ("state", filter.state.map(|state| state.as_str().to_owned())),
        ("kind", filter.kind.map(|kind| kind.as_str().to_owned())),
        ("collection", filter.collection.map(|collection| collection.to_string())),
        ("from", filter.period.from.map(|date| date.to_string())),
        ("until", filter.period.until.map(|date| date.to_string())),
    ];
    let added = Contributions::of_page().filters;
    let added = added.iter().filter(|one| filter.added.iter().any(|field| field == one.field));
    let added: Vec<_> = added.map(|one| (one.field, "me".to_owned())).collect();
    fields.into_iter().filter_map(|(name, value)| Some((name, value?))).chain(added).collect()
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
