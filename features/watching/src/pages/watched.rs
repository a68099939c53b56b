//! Page of watched indicators, the claims that match, and watched objects; and the button beside an indicator.

use super::objects::{self, ObjectGroup, ObjectSections};
use crate::{
    settings::WatchingSettings,
    store::WatchingStore,
    watch::{MatchLine, Watch, WatchEntry, WatchId, WatchLine},
};
use app::{
    Notice, NoticeAction, format,
    parts::{Breadcrumbs, EmptyState, Frame, NavItem, NoticeBanner, assessment::Tab},
};
use axum::{body::Body, extract::Path, http::Response};
use domain::{AssessmentId, ClaimId, DocumentId, UserId, claim::Claim, document::Document, user::User};
use engine::StoreResult;
use feature::{FormPost, NoticeText, PageCache, PageVisit, SelectedAssessments, Slot, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};

pub const PAGE: &str = "/watching";
const ASSESSMENTS: &str = "/assessments";

/// Key that presses the first button of a report.
const KEY: &str = "w";
const KEY_HELP: &str = "Watch the first indicator that you do not watch";

/// Refusal of one indicator or object more than the limit.
pub const TOO_MANY: NoticeText = NoticeText {
    code: "too_many_watched",
    message: "You watch as much as this server allows. Stop watching something, then try again.",
    action: NoticeAction { text: "See what you watch", href: PAGE },
};

#[derive(Deserialize)]
pub struct WatchForm {
    #[serde(default)]
    item: String,
}

#[derive(Deserialize)]
pub struct RemoveForm {
    #[serde(default)]
    watch: String,
}

/// Handler of `GET /watching`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let loaded = load_page(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, (lines, groups)| view! { <PageBody viewer lines groups error /> }.into_any()).await
}

async fn load_page(web: &Web, viewer: &User) -> StoreResult<(Vec<WatchLine>, Vec<ObjectGroup>)> {
    Ok((load(web, viewer).await?, objects::load(web, viewer).await?))
}

/// Handler of `POST /assessments/{id}/watch`: leads back to the indicator, which says that it is watched.
pub async fn add(Path(id): Path<String>, post: FormPost<WatchForm>) -> Response<Body> {
    let Ok(id) = id.parse::<AssessmentId>() else { return post.lead_to(ASSESSMENTS, Notice::NotFound.code()) };
    match watch(&post.web, &post.user, id, &post.form.item).await {
        Ok(WatchOutcome::Watched) => redirect(&indicator_href(id, &post.form.item)),
        Ok(WatchOutcome::NotFound) => post.lead_to(ASSESSMENTS, Notice::NotFound.code()),
        Ok(WatchOutcome::TooMany) => post.lead_to(PAGE, TOO_MANY.code),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Handler of `POST /watching/remove`.
pub async fn remove(post: FormPost<RemoveForm>) -> Response<Body> {
    let Ok(id) = post.form.watch.parse::<WatchId>() else { return post.lead_to(PAGE, Notice::NotFound.code()) };
    match WatchingStore::new(&post.web).remove_watch(post.user.id, id).await {
        Ok(true) => redirect(PAGE),
        Ok(false) => post.lead_to(PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Returns the address of an indicator in the analysis of its report.
fn indicator_href(assessment: AssessmentId, item: &str) -> String {
    format!("{}#{}", Tab::Analysis.address(assessment), item.to_lowercase())
}

/// Result of a request to watch an indicator.
enum WatchOutcome {
    Watched,
    NotFound,
    TooMany,
}

/// Watches an indicator of an assessment that `user` may read.
async fn watch(web: &Web, user: &User, id: AssessmentId, item: &str) -> StoreResult<WatchOutcome> {
    let engine = &web.engine;
    let stored = engine.assessments.assessment(&engine.read_scope(user).await?, id).await?;
    let indicator = stored.and_then(|stored| stored.assessment.body.indicators.into_iter().find(|one| one.id == item));
    let Some(indicator) = indicator else { return Ok(WatchOutcome::NotFound) };
    let watch = Watch {
        id: WatchId(engine.ids.next()),
        user: user.id,
        assessment: id,
        item: indicator.id,
        text: indicator.text,
        at: engine.clock.now(),
    };
    let limit = web.settings.get::<WatchingSettings>().per_person;
    let is_added = WatchingStore::new(web).add_watch(&watch, limit).await?;
    Ok(if is_added { WatchOutcome::Watched } else { WatchOutcome::TooMany })
}

/// Loads the indicators that `viewer` watches, newest first, with the claims that match.
pub async fn load(web: &Web, viewer: &User) -> StoreResult<Vec<WatchLine>> {
    let (engine, store) = (&web.engine, WatchingStore::new(web));
    let scope = engine.read_scope(viewer).await?;
    let entries = store.watches(&scope, viewer.id).await?;
    let found = store.matches(viewer.id, web.settings.get::<WatchingSettings>().matches).await?;
    let ids: BTreeSet<ClaimId> = found.iter().map(|one| one.claim).collect();
    let claims = if ids.is_empty() { vec![] } else { engine.graph.claims(&scope, &Vec::from_iter(ids)).await? };
    let ids: BTreeSet<DocumentId> = claims.iter().map(|claim| claim.document_id).collect();
    let documents = if ids.is_empty() { vec![] } else { engine.documents.documents(&scope, &Vec::from_iter(ids)).await? };
    let claims: HashMap<ClaimId, Claim> = claims.into_iter().map(|claim| (claim.id, claim)).collect();
    let documents: HashMap<DocumentId, Document> = documents.into_iter().map(|one| (one.id, one)).collect();
    let mut matches: HashMap<WatchId, Vec<MatchLine>> = HashMap::new();
    for one in found {
        let Some(claim) = claims.get(&one.claim).cloned() else { continue };
        let Some(document) = documents.get(&claim.document_id) else { continue };
        let (source, document_title) = (document.source_name(), document.title.clone());
        matches.entry(one.watch).or_default().push(MatchLine { claim, source, document_title, found_at: one.found_at });
    }
    let line = |entry: WatchEntry| WatchLine { matches: matches.remove(&entry.watch.id).unwrap_or_default(), entry };
    Ok(entries.into_iter().map(line).collect())
}

/// Returns the assessments of which `viewer` watches an indicator, for the filter of their list.
pub fn select_assessments(viewer: UserId) -> SelectedAssessments {
    let web = Web::of_page();
    Box::pin(async move {
        match web {
            Some(web) => WatchingStore::new(&web).watched_assessments(viewer).await,
            None => Ok(vec![]),
        }
    })
}

/// Piece of the feature beside an indicator.
pub fn piece(place: &Slot) -> Option<AnyView> {
    let Slot::Indicator { viewer, assessment, item } = place else { return None };
    Some(view! { <WatchButton viewer=*viewer assessment=*assessment item=item.clone() /> }.into_any())
}

/// Watched indicators of the report on the page.
#[derive(Clone)]
struct WatchedItems(Vec<String>);

async fn is_watched(viewer: UserId, assessment: AssessmentId, item: &str) -> bool {
    let Some(web) = Web::of_page() else { return false };
    let cache = PageCache::of_page();
    let load = async {
        let found = WatchingStore::new(&web).watched_items(viewer, assessment).await;
        WatchedItems(found.unwrap_or_else(|error| {
            tracing::error!(%error, "watched indicators not read");
            vec![]
        }))
    };
    cache.get_or_load(&assessment.to_string(), load).await.0.iter().any(|watched| watched == item)
}

/// The button that watches an indicator, or the note that it is watched.
#[component]
fn WatchButton(viewer: UserId, assessment: AssessmentId, item: String) -> impl IntoView {
    Suspend::new(async move {
        if is_watched(viewer, assessment, &item).await {
            return view! { <p class="muted"><a href=PAGE>"You watch this"</a></p> }.into_any();
        }
        let label = format!("Watch indicator {item}");
        view! {
            <form method="post" action=format!("{ASSESSMENTS}/{assessment}/watch") class="ask-button">
                <input type="hidden" name="item" value=item />
                <button type="submit" class="quiet" aria-label=label data-key=KEY data-key-help=KEY_HELP>"Watch"</button>
            </form>
        }
        .into_any()
    })
}

/// Piece of the feature on the page of interests: what the person watches. Nothing where it cannot be read.
pub fn interests_piece(place: &Slot) -> Option<AnyView> {
    let Slot::Interests { viewer } = place else { return None };
    let viewer = viewer.clone();
    Some(
        Suspend::new(async move {
            let web = Web::of_page()?;
            let loaded =
                load_page(&web, &viewer).await.inspect_err(|error| tracing::error!(%error, "what is watched not read"));
            let (lines, groups) = loaded.ok()?;
            Some(view! { <WatchedLists lines groups /> })
        })
        .into_any(),
    )
}

#[component]
fn PageBody(viewer: User, lines: Vec<WatchLine>, groups: Vec<ObjectGroup>, error: Option<String>) -> impl IntoView {
    view! {
        <Title text="Watching" />
        <Frame viewer nav=NavItem::Page("/notifications")>
            <Breadcrumbs above=[("Notifications", "/notifications".to_owned())] here="Watching" />
            <h1>"Watching"</h1>
            <NoticeBanner code=error />
            <WatchedLists lines groups />
        </Frame>
    }
    .into_any()
}

/// Watched objects and indicators.
#[component]
fn WatchedLists(lines: Vec<WatchLine>, groups: Vec<ObjectGroup>) -> impl IntoView {
    let count = format::count(lines.len() as u64, "indicator", "indicators");
    let is_empty = lines.is_empty();
    let rows = lines.into_iter().map(|line| view! { <Line line /> }).collect_view();
    view! {
        <ObjectSections groups />
        <h2>"Watched indicators"</h2>
        {if is_empty {
            view! {
                <EmptyState
                    text="You watch no indicator: select “Watch” beside one on the page of an assessment."
                    href="/assessments"
                    button="Open assessments"
                />
            }.into_any()
        } else {
            view! {
                <p class="muted" role="status">{count} ". New claims are searched by the words of each indicator, within about a minute of their documents. A match is a hint, not a finding."</p>
                <ul class="rows">{rows}</ul>
            }.into_any()
        }}
    }
    .into_any()
}

#[component]
fn Line(line: WatchLine) -> impl IntoView {
    let WatchLine { entry: WatchEntry { watch: Watch { id, assessment, item, text, at, .. }, question }, matches } = line;
    let href = indicator_href(assessment, &item);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_explains_how_to_fill_it() {
        let html = feature::testing::render_page(|viewer| {
            view! { <PageBody viewer lines=vec![] groups=vec![] error=None /> }.into_any()
        });
        assert!(html.contains("You watch no indicator") && html.contains("/assessments"), "{html}");
    }
}
