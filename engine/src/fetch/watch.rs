//! Citation watch: rechecks cited pages and records changes for the assessments that cite them.

use super::{OpenError, OpenedPage, keep, open};
use crate::{Engine, StoreError, StoreResult, browse::browser, evidence::locate, graph::ClaimQuery, leader::Leadership};
use domain::{
    Scope,
    document::Document,
    fetch::{BrowseRequest, FetchError, FetchFailure, FetchRequest, PageFinding, PageState, RetrievalMethod},
};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

domain::settings! {
    /// Configuration of the citation watch.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct WatchConfig {
        /// Time between two checks of a page; 0 disables the watch.
        pub every_ms: u64 = 7 * 24 * 3_600_000,
        /// Interval of the watch, which also delays its first round.
        pub check_ms: u64 = 600_000,
        /// Maximum number of pages per round.
        pub pages_per_round: u32 = 20,
        /// Words whose new appearance in the beginning of a page marks a retraction.
        pub retraction_words: Vec<String> =
            ["retracted", "retraction", "withdrawn", "zurückgezogen", "rétracté", "retractado"].map(str::to_owned).to_vec(),
        /// Length of the beginning, in characters.
        pub beginning_chars: usize = 600,
    }
}

/// Cited page due for a check.
#[derive(Debug, Clone, PartialEq)]
pub struct CitedPage {
    pub document: Document,
    /// Requested address.
    pub url: String,
    pub reached: RetrievalMethod,
}

/// Checks due pages until `shutdown`, while this process is the leader.
pub async fn watch_forever(engine: Engine, leadership: Leadership, shutdown: CancellationToken) {
    let config = &engine.config.web.watch;
    if config.every_ms == 0 || engine.fetch.is_none() {
        return;
    }
    let pause = Duration::from_millis(config.check_ms.max(1_000));
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            looked = watch_while_leader(&engine, leadership) => if let Err(error) = looked {
                engine.note_failure(&error);
                tracing::warn!(%error, "citation watch failed, retrying");
            }
        }
    }
}

async fn watch_while_leader(engine: &Engine, leadership: Leadership) -> StoreResult<()> {
    if leadership.is_leader(engine).await? {
        watch_once(engine).await?;
    }
    Ok(())
}

/// Runs one round and returns the number of pages checked.
pub async fn watch_once(engine: &Engine) -> StoreResult<usize> {
    let config = &engine.config.web.watch;
    let before = engine.clock.now().plus_ms(-i64::try_from(config.every_ms).unwrap_or(i64::MAX));
    let due = engine.captures.due_pages(before, config.pages_per_round).await?;
    for page in &due {
        let found = look(engine, page).await?;
        let now = engine.clock.now();
        let finding = match found {
            PageCheck::Unsure => {
                let scope = Scope::from(page.document.collection_id);
                engine.captures.findings(&scope, &[page.document.id]).await?.pop()
            }
            PageCheck::Stands => None,
            PageCheck::Found(state, note) => Some(PageFinding { document_id: page.document.id, state, note, at: now }),
        };
        metrics::counter!("autosint_citations_watched_total", "finding" => finding.as_ref().map_or("none", |found| found.state.as_str()))
            .increment(1);
        engine.captures.record_check(page.document.id, now, finding.as_ref()).await?;
    }
    Ok(due.len())
}

enum PageCheck {
    /// The cited text is unchanged.
    Stands,
    /// The check was inconclusive.
    Unsure,
    Found(PageState, String),
}

async fn look(engine: &Engine, page: &CitedPage) -> StoreResult<PageCheck> {
    let opened = match refetch(engine, page).await {
        Ok(opened) => opened,
        Err(OpenError::Fetch(error)) if error.is_gone() => return Ok(PageCheck::Found(PageState::Gone, error.message)),
        Err(OpenError::Fetch(_)) => return Ok(PageCheck::Unsure),
        // A page that cannot be stored must not block the others.
        Err(OpenError::Store(StoreError::Invalid(why))) => {
            tracing::warn!(page.url, why, "cited page check failed");
            return Ok(PageCheck::Unsure);
        }
        Err(OpenError::Store(error)) => return Err(error),
    };
    if opened.documents.iter().any(|now| now.text_sha256 == page.document.text_sha256) {
        return Ok(PageCheck::Stands);
    }
    let Some(now) = opened.documents.first() else { return Ok(PageCheck::Unsure) };
    let scope = Scope::from(page.document.collection_id);
    let texts = engine.documents.texts(&scope, &[page.document.id, now.id]).await?;
    let [before, now] = &texts[..] else { return Ok(PageCheck::Unsure) };
    let taken_back = |title: &str, text: &str| engine.config.web.watch.tells_of_retraction(title, text);
    if taken_back(&now.document.title, &now.text) && !taken_back(&before.document.title, &before.text) {
        return Ok(PageCheck::Found(PageState::Retracted, "The page now states that it was retracted.".into()));
    }
    let limit = engine.config.pages.document_claims;
    let query = ClaimQuery { document_ids: vec![page.document.id], candidates: limit, ..ClaimQuery::default() };
    let claims = engine.graph.find_claims(&scope, &query).await?;
    let missing = claims.iter().filter(|claim| locate(&now.text, &claim.item.quote).is_none()).count();
    Ok(match missing {
        0 => PageCheck::Stands,
        _ => PageCheck::Found(
            PageState::Changed,
            format!("{missing} of {} cited passages are no longer on the page.", claims.len()),
        ),
    })
}

/// Retrieves the page again by its original method.
async fn refetch(engine: &Engine, page: &CitedPage) -> Result<OpenedPage, OpenError> {
    let collection = page.document.collection_id;
    match page.reached {
        RetrievalMethod::Fetched => {
            let request = FetchRequest { max_age_ms: Some(0), ..FetchRequest::page(&page.url) };
            open(engine, collection, None, &request).await
        }
        RetrievalMethod::Rendered => {
            let shown = browser(engine)?.render(&BrowseRequest::page(&page.url)).await?;
            Ok(keep(engine, collection, None, shown.into(), RetrievalMethod::Rendered).await?)
        }
        RetrievalMethod::Walked => {
            let why = "This page was reached by clicks and forms, which are not repeated.";
            Err(FetchError::new(FetchFailure::Unavailable, why).into())
        }
    }
}

impl WatchConfig {
    fn tells_of_retraction(&self, title: &str, text: &str) -> bool {
        let beginning: String = text.chars().take(self.beginning_chars).collect();
        let words = format!("{title} {beginning}").to_lowercase();
        let words: Vec<&str> = domain::text::words(&words).collect();
        self.retraction_words.iter().any(|wanted| words.contains(&wanted.to_lowercase().as_str()))
    }
}
