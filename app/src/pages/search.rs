//! Search over everything that the viewer may see, grouped by kind.

use super::{Visit, query, render_page};
use crate::{
    AppError, format,
    parts::{Frame, NavItem, SnippetText},
};
use domain::user::User;
use leptos::prelude::*;
use leptos_meta::Title;
use views::{SearchGroup, SearchHit, SearchKind, SearchView};

/// Characters of the title of a hit.
const TITLE_CHARS: usize = 160;

/// Value of `in` that searches claims.
const CLAIMS: &str = "claims";

#[server]
async fn load_search(words: String, is_for_claims: bool) -> Result<Visit<SearchView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.search_view(&viewer, &words, is_for_claims).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn SearchPage() -> impl IntoView {
    let is_for_claims = query("in").as_deref() == Some(CLAIMS);
    render_page(load_search(query("q").unwrap_or_default(), is_for_claims), |Visit { viewer, page }| {
        view! { <PageBody viewer page /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(viewer: User, page: SearchView) -> impl IntoView {
    let SearchView { query, groups, is_for_claims } = page;
    let other = (!query.is_empty()).then(|| {
        let (place, text) = if is_for_claims { (None, "Search everything else") } else { (Some(CLAIMS), "Search claims") };
        view! {
            <form method="get" action="/search">
                <input type="hidden" name="q" value=query.clone() />
                {place.map(|place| view! { <input type="hidden" name="in" value=place /> })}
                <button class="outline">{text}</button>
            </form>
        }
    });
    let title = if query.is_empty() { "Search".to_owned() } else { format!("{query} · Search") };
    let nothing = (groups.is_empty() && !query.is_empty()).then(|| {
        view! {
            <p role="status">
                {format!("Nothing contains “{query}”. ")}
                <a href="/documents">"Browse documents"</a>
            </p>
        }
    });
    let groups = groups.into_iter().map(|group| view! { <Group group query=query.clone() /> }).collect_view();
    view! {
        <Title text=title />
        <Frame viewer nav=NavItem::Search>
            <h1>"Search"</h1>
            <form method="get" action="/search" class="search">
                <label for="q" class="hidden">"Words to search for"</label>
                <input id="q" name="q" type="search" value=query placeholder="Assessments, investigations, documents" maxlength="300" />
                <button type="submit">"Search"</button>
            </form>
            {nothing}
            {groups}
            {other}
        </Frame>
    }
    .into_any()
}

#[component]
fn Group(group: SearchGroup, query: String) -> impl IntoView {
    let SearchGroup { kind, hits, total } = group;
    let (title, list) = match kind {
        SearchKind::Assessments => ("Assessments", Some("/assessments")),
        SearchKind::Investigations => ("Investigations", None),
        SearchKind::Documents => ("Documents", Some("/documents")),
        SearchKind::Claims => ("Claims", None),
    };
    let more = total.filter(|total| *total > hits.len() as u64).zip(list).map(|(total, action)| {
        view! {
            <form method="get" action=action>
                <button class="quiet" name="q" value=query>{format!("Show all {}", format::grouped(total))}</button>
            </form>
        }
    });
    let hits = hits.into_iter().map(|hit| view! { <Hit hit /> }).collect_view();
    view! {
        <section class="hits">
            <h2>{title}</h2>
            <ul class="rows">{hits}</ul>
            {more}
        </section>
    }
    .into_any()
}

#[component]
fn Hit(hit: SearchHit) -> impl IntoView {
    view! {
        <li class="row">
            <a class="row-title" href=hit.href>{format::abridged(&hit.title, TITLE_CHARS)}</a>
            {(!hit.snippet.0.is_empty()).then(|| view! { <p class="hit-text"><SnippetText snippet=hit.snippet /></p> })}
        </li>
    }
    .into_any()
}
