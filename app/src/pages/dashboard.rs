//! The first page: ask, see what is known, see what is being worked on.

use super::{Visit, number, query, render_page};
use crate::{
    AppError, format,
    parts::{AssessmentCardView, Frame, InvestigationRow, NavItem, NoticeBanner, PageLinks},
};
use domain::{
    Timestamp,
    user::{Action, User},
};
use leptos::prelude::*;
use leptos_meta::Title;
use views::{AssessmentCard, Dashboard, InvestigationCard, LibraryCounts};

#[server]
async fn load_dashboard(words: String, page: u64) -> Result<Visit<Dashboard>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.dashboard(&viewer, &words, page).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn DashboardPage() -> impl IntoView {
    let error = query("error");
    let words = query("q").unwrap_or_default();
    render_page(load_dashboard(words, number("page")), move |Visit { viewer, page }| {
        view! { <PageBody viewer page error /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(viewer: User, page: Dashboard, error: Option<String>) -> impl IntoView {
    let Dashboard { assessments, total, page, per_page, query, running, failed, has_sample, library, now } = page;
    let may_ask = viewer.role.may(Action::Investigate);
    let may_remove = has_sample && viewer.role.may(Action::RemoveSample);
    let has_assessments = total > 0 || !query.is_empty();
    let is_empty = !has_assessments && running.is_empty() && failed.is_empty();
    let last = total.div_ceil(per_page.max(1));
    view! {
        <Title text="" />
        <Frame viewer nav=NavItem::Dashboard>
            <h1 class="hidden">"Dashboard"</h1>
            <NoticeBanner code=error />
            {may_ask.then(|| view! { <Ask /> })}
            <Investigations title="In progress" cards=running now />
            {is_empty.then(|| view! { <Empty may_ask has_sample /> })}
            {has_assessments.then(|| view! { <Assessments cards=assessments total page last query now /> })}
            <Investigations title="Failed" cards=failed now />
            <LibraryLine library may_remove />
        </Frame>
    }
    .into_any()
}

/// The question field. It leads to the page for a new investigation, where documents can be added.
#[component]
fn Ask() -> impl IntoView {
    view! {
        <form method="get" action="/investigations/new" class="ask">
            <label for="draft">"Ask a question about the world"</label>
            <div class="ask-line">
                <input id="draft" name="draft" type="text" required autocomplete="off" maxlength="2000" />
                <button type="submit">"Ask"</button>
            </div>
        </form>
    }
    .into_any()
}

/// The cards of one page, with a search over their words.
#[component]
fn Assessments(cards: Vec<AssessmentCard>, total: u64, page: u64, last: u64, query: String, now: Timestamp) -> impl IntoView {
    let found = (!query.is_empty()).then(|| found_text(total, &query));
    let is_searched = found.is_some();
    let words = is_searched.then(|| ("q", query.clone())).into_iter().collect();
    let cards = cards.into_iter().map(|card| view! { <AssessmentCardView card now /> }).collect_view();
    view! {
        <section aria-labelledby="assessments-title">
            <h2 id="assessments-title">"Assessments"</h2>
            <form method="get" action="/" class="search" role="search">
                <label for="q" class="hidden">"Search assessments"</label>
                <input id="q" name="q" type="search" value=query placeholder="Search assessments" />
                <button type="submit" class="quiet">"Search"</button>
            </form>
            {found.map(|found| view! { <p class="muted" role="status">{found} " · " <a href="/">"Clear search"</a></p> })}
            <div class="cards">{cards}</div>
            <PageLinks label="Pages of assessments" address="/".to_owned() name="page" fields=words page last />
        </section>
    }
    .into_any()
}

/// Returns the line above the hits of a search.
fn found_text(total: u64, query: &str) -> String {
    match total {
        0 => format!("No assessment contains “{query}”"),
        _ => format!("{} with “{query}”", format::count(total, "assessment", "assessments")),
    }
}

#[component]
fn Investigations(title: &'static str, cards: Vec<InvestigationCard>, now: Timestamp) -> impl IntoView {
    (!cards.is_empty()).then(|| {
        let rows = cards.into_iter().map(|card| view! { <InvestigationRow card now /> }).collect_view();
        view! {
            <section aria-label=title>
                <h2>{title}</h2>
                <ul class="rows">{rows}</ul>
            </section>
        }
    })
}

#[component]
fn Empty(may_ask: bool, has_sample: bool) -> impl IntoView {
    let offer = (may_ask && !has_sample).then(|| {
        view! {
            <form method="post" action="/sample">
                <button type="submit">"Try the sample investigation"</button>
            </form>
        }
    });
    view! {
        <section class="empty" aria-label="No assessments yet">
            <h2>"No assessments yet"</h2>
            <p>
                "Ask a question: AutOSINT reads your documents, compares the possible answers and cites every statement."
            </p>
            {offer}
        </section>
    }
    .into_any()
}

#[component]
fn LibraryLine(library: LibraryCounts, may_remove: bool) -> impl IntoView {
    view! {
        <footer class="library-line">
            <p>
                <a href="/documents">{format::count(library.documents, "document", "documents")}</a> " · "
                {format::count(library.claims, "claim", "claims")} " · "
                {format::count(library.entities, "entity", "entities")} " · "
                {format::count(library.relationships, "relationship", "relationships")}
            </p>
            {may_remove.then(|| view! {
                <form method="post" action="/sample/remove">
                    <button class="quiet" type="submit">"Remove the sample"</button>
                </form>
            })}
        </footer>
    }
    .into_any()
}
