//! Watched indicators, each with the claims that match it.

use super::{Visit, query, render_page};
use crate::{
    AppError, format,
    parts::{Breadcrumbs, Frame, NavItem, NoticeBanner, assessment::Tab},
};
use domain::{notification::Watch, user::User};
use leptos::prelude::*;
use leptos_meta::Title;
use views::{MatchLine, WatchLine, WatchingView};

async fn load_watching() -> Result<Visit<WatchingView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.watching_view(&viewer).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn WatchingPage() -> impl IntoView {
    let error = query("error");
    render_page(load_watching(), move |Visit { viewer, page }| view! { <PageBody viewer page error /> }.into_any())
}

#[component]
pub(super) fn PageBody(viewer: User, page: WatchingView, error: Option<String>) -> impl IntoView {
    let count = format::count(page.lines.len() as u64, "indicator", "indicators");
    let is_empty = page.lines.is_empty();
    let rows = page.lines.into_iter().map(|line| view! { <Line line /> }).collect_view();
    view! {
        <Title text="Watched indicators" />
        <Frame viewer nav=NavItem::Notifications>
            <Breadcrumbs above=[("Notifications", "/notifications".to_owned())] here="Watched indicators" />
            <h1>"Watched indicators"</h1>
            <NoticeBanner code=error />
            {if is_empty {
                view! {
                    <p>"You watch no indicator. Open an assessment and select “Watch” beside an indicator."</p>
                    <p><a class="button" href="/assessments">"Open assessments"</a></p>
                }.into_any()
            } else {
                view! {
                    <p class="muted" role="status">{count} ". New claims are searched by the words of each indicator, within about a minute of their documents. A match is a hint, not a finding."</p>
                    <ul class="rows">{rows}</ul>
                }.into_any()
            }}
        </Frame>
    }
    .into_any()
}

#[component]
fn Line(line: WatchLine) -> impl IntoView {
    let WatchLine { watch: Watch { id, assessment, item, text, at, .. }, question, matches } = line;
    let href = format!("{}#{}", Tab::Evidence.address(assessment), item.to_lowercase());
    let label = format!("Stop watching: {text}");
    let is_empty = matches.is_empty();
    let found = matches.into_iter().map(|one| view! { <Match one /> }).collect_view();
    view! {
        <li class="row" id=format!("w{id}")>
            <p class="row-title">{text}</p>
            <p class="card-facts">
                <a href=href>{item} " of “" {question} "”"</a>
                <span>"since " <time datetime=at.to_string()>{format::day(at)}</time></span>
            </p>
            {match is_empty {
                true => view! { <p class="muted">"No new claim matches yet."</p> }.into_any(),
                false => view! { <ul class="watch-matches">{found}</ul> }.into_any(),
            }}
            <form method="post" action="/watching/remove">
                <input type="hidden" name="watch" value=id.to_string() />
                <button type="submit" class="quiet" aria-label=label>"Stop watching"</button>
            </form>
        </li>
    }
    .into_any()
}

#[component]
fn Match(one: MatchLine) -> impl IntoView {
    let MatchLine { claim, source, document_title, found_at } = one;
    let href = format!("/documents/{}?quote={}-{}#quote", claim.document_id, claim.span.start, claim.span.end);
    let published = claim.published.map_or_else(|| "undated".to_owned(), format::published);
    view! {
        <li>
            <p><a href=href>{claim.content}</a></p>
            <p class="muted">{source} ", " {published} ", “" {document_title} "”. Found " <time datetime=found_at.to_string()>{format::minute(found_at)}</time></p>
        </li>
    }
}
