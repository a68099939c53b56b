//! The catalogue of sources as the engine sees it: which may be asked, asking them, and what came of it.
//!
//! Invariant: a source is asked only when somebody has switched it on: words of a question leave this machine with it.

use super::offer;
use crate::{Engine, StoreError, StoreResult, accounts::AuditEntry};
use async_trait::async_trait;
use domain::{
    CollectionKind, DocumentId, SessionId, Timestamp,
    fetch::{
        Availability, FeedEntry, FetchError, FoundFeed, SourceEntry, SourceFailure, SourceHealth, SourcePage, SourceQuery,
    },
    investigation::Investigation,
};
use std::{collections::BTreeMap, time::Duration};

/// What finds things: the catalogue of Fetch.
#[async_trait]
pub trait Catalogue: Send + Sync {
    /// Every source but the library, each with what it still needs. Whether it is switched on is not said here.
    async fn entries(&self) -> Result<Vec<SourceEntry>, FetchError>;
    /// Asks a source. `feeds` are followed besides those of the configuration.
    async fn query(&self, source: &str, query: &SourceQuery, feeds: &[FeedEntry]) -> Result<SourcePage, SourceFailure>;
    /// The feeds of the configuration.
    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError>;
    /// The feeds that an address is, announces, or has at the usual places.
    async fn feeds_at(&self, address: &str) -> Result<Vec<FoundFeed>, SourceFailure>;
}

/// What is known of sources here, and the feeds that people added.
#[async_trait]
pub trait SourceLog: Send + Sync {
    async fn source_records(&self) -> StoreResult<BTreeMap<String, SourceRecord>>;
    async fn switch_source(&self, source: &str, is_on: bool, entry: &AuditEntry) -> StoreResult<()>;
    /// Notes an answer and the addresses in it.
    async fn source_answered(&self, source: &str, at: Timestamp, addresses: &[String]) -> StoreResult<()>;
    async fn source_failed(&self, source: &str, at: Timestamp, error: &str) -> StoreResult<()>;
    /// Notes what opening an address gave, for the sources that had named it.
    async fn address_led_to(&self, address: &str, documents: &[DocumentId]) -> StoreResult<()>;
    /// Notes new claims of a document, for the sources that led to it.
    async fn document_yielded(&self, document: DocumentId, claims: u64) -> StoreResult<()>;
    async fn feeds(&self) -> StoreResult<Vec<FeedEntry>>;
    /// Gives how many are new.
    async fn add_feeds(&self, feeds: &[FeedEntry], entry: &AuditEntry) -> StoreResult<u64>;
    async fn remove_feed(&self, address: &str, entry: &AuditEntry) -> StoreResult<bool>;
}

/// What is known of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceRecord {
    /// None: nobody has said.
    pub is_on: Option<bool>,
    pub health: SourceHealth,
    /// Documents that it led to, and claims recorded from them.
    pub documents: u64,
    pub claims: u64,
}

/// Why a source gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// For whoever asked: what is wrong and what to do.
    #[error("{0}")]
    Refused(String),
    /// It is none of the sources that are switched on.
    #[error("{0}")]
    Unknown(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Every source with what is known of it; nothing, where this program was started without a catalogue. One that is ready and not
/// switched on is `Off`.
pub async fn listed(engine: &Engine) -> Result<Vec<(SourceEntry, SourceRecord)>, AskError> {
    let Some(catalogue) = &engine.catalogue else { return Ok(vec![]) };
    let entries = catalogue.entries().await.map_err(|error| AskError::Refused(error.message))?;
    let mut records = engine.source_log.source_records().await?;
    let known = entries.into_iter().map(|mut entry| {
        let record = records.remove(&entry.id).unwrap_or_default();
        if entry.availability == Availability::Ready && !is_on(engine, &entry.id, &record) {
            entry.availability = Availability::Off;
        }
        (entry, record)
    });
    Ok(known.collect())
}

/// Adds to the coverage of each source how many `feeds` people have added to it.
pub fn say_added(known: &mut [(SourceEntry, SourceRecord)], feeds: &[FeedEntry]) {
    for (entry, _) in known {
        let added = feeds.iter().filter(|feed| feed.group.source() == entry.id).count();
        if added > 0 {
            entry.coverage.push_str(&format!(" People added {added} here."));
        }
    }
}

/// Whether a source may be asked: as somebody has said, else as the configuration does.
pub fn is_on(engine: &Engine, source: &str, record: &SourceRecord) -> bool {
    record.is_on.unwrap_or_else(|| engine.config.web.sources.iter().any(|on| on == source))
}

/// Whether there is a source that can be asked.
pub async fn is_any_on(engine: &Engine) -> StoreResult<bool> {
    match listed(engine).await {
        Ok(known) => Ok(known.iter().any(|(entry, _)| entry.availability == Availability::Ready)),
        Err(AskError::Refused(_) | AskError::Unknown(_)) => Ok(false),
        Err(AskError::Store(error)) => Err(error),
    }
}

/// The sources that may be asked for an investigation: none for the sample, whose events are invented.
pub async fn usable(engine: &Engine, investigation: &Investigation) -> Result<Vec<(SourceEntry, SourceRecord)>, AskError> {
    let collections = engine.accounts.collections().await?;
    let own = collections.iter().find(|collection| collection.id == investigation.collection_id);
    if own.is_some_and(|own| own.kind == CollectionKind::Sample) {
        return Ok(vec![]);
    }
    let known = listed(engine).await?;
    Ok(known.into_iter().filter(|(entry, _)| entry.availability == Availability::Ready).collect())
}

/// Asks a source on behalf of a session, which may then open what the answer names. A source that gives less at once than the query's
/// limit is asked for its further pages; where that fails, or takes longer than one answer may, the answer is what there is by then.
pub async fn ask(
    engine: &Engine,
    session: SessionId,
    investigation: &Investigation,
    source: &str,
    query: &SourceQuery,
) -> Result<SourcePage, AskError> {
    if !usable(engine, investigation).await?.iter().any(|(entry, _)| entry.id == source) {
        return Err(AskError::Unknown(format!("there is no source '{source}' that is switched on: see fetch_source_catalog")));
    }
    let feeds = engine.source_log.feeds().await?;
    let mut page = asked(engine, source, query, &feeds, Blame::OfSource).await?;
    let patience = Duration::from_millis(engine.config.web.source_timeout_ms);
    // Without an answer the page names where to go on, for whoever wants to ask again.
    match tokio::time::timeout(patience, complete(engine, source, query, &feeds, &mut page)).await {
        Ok(Err(AskError::Store(error))) => return Err(error.into()),
        Ok(Ok(()) | Err(AskError::Refused(_) | AskError::Unknown(_))) | Err(_) => {}
    }
    let addresses: Vec<String> = page.hits.iter().map(|hit| hit.address.clone()).collect();
    offer(engine, session, &addresses, 0).await?;
    Ok(page)
}

/// Adds the pages that follow until the query's limit is reached or there is nothing more.
async fn complete(
    engine: &Engine,
    source: &str,
    query: &SourceQuery,
    feeds: &[FeedEntry],
    page: &mut SourcePage,
) -> Result<(), AskError> {
    while let (true, Some(next)) = (page.hits.len() < query.limit as usize, &page.next) {
        let following = SourceQuery { page: Some(next.clone()), ..query.clone() };
        let more = asked(engine, source, &following, feeds, Blame::OfSource).await?;
        page.next = more.next.filter(|_| !more.hits.is_empty());
        page.hits.extend(more.hits);
    }
    Ok(())
}

/// Which failures are noted as those of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blame {
    /// Not those of a query that somebody put badly.
    OfSource,
    /// All: the query is known to be a good one.
    Any,
}

/// Asks a source, whether it is switched on or not, and notes what came of it. One that takes too long has failed. `feeds` are those
/// that people added.
pub(crate) async fn asked(
    engine: &Engine,
    source: &str,
    query: &SourceQuery,
    feeds: &[FeedEntry],
    blame: Blame,
) -> Result<SourcePage, AskError> {
    let Some(catalogue) = &engine.catalogue else {
        return Err(AskError::Refused("This program was started without sources.".into()));
    };
    let patience = engine.config.web.source_timeout_ms;
    let asked = tokio::time::timeout(Duration::from_millis(patience), catalogue.query(source, query, feeds)).await;
    let outcome = asked.unwrap_or_else(|_| Err(SourceFailure::by_source(format!("it gave no answer within {patience} ms"))));
    let now = engine.clock.now();
    match outcome {
        Ok(page) => {
            let addresses: Vec<String> = page.hits.iter().map(|hit| hit.address.clone()).collect();
            engine.source_log.source_answered(source, now, &addresses).await?;
            Ok(page)
        }
        Err(failure) => {
            if !failure.is_of_query || blame == Blame::Any {
                engine.source_log.source_failed(source, now, &failure.message).await?;
            }
            Err(AskError::Refused(format!("{source}: {}", failure.message)))
        }
    }
}
