//! Source catalogue: enabled sources, their queries, and statistics.
//!
//! Invariant: only enabled sources are queried, because queries send words of the question outside.

use super::offer_listed;
use crate::{
    Engine, StoreError, StoreResult,
    accounts::AuditEntry,
    reliability::{CircuitOpen, DependencyGuard},
};
use async_trait::async_trait;
use domain::{
    CollectionKind, DocumentId, SessionId, Timestamp,
    fetch::{
        Availability, FeedEntry, FetchError, FoundFeed, SourceEntry, SourceFailure, SourceHealth, SourceHit, SourcePage,
        SourceQuery,
    },
    investigation::{Investigation, WebAccess},
};
use futures::future::join_all;
use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

/// Port of the source catalogue.
#[async_trait]
pub trait Catalogue: Send + Sync {
    /// Returns every source but the library, with missing requirements but without its enabled state.
    async fn entries(&self) -> Result<Vec<SourceEntry>, FetchError>;
    /// Queries a source; `feeds` extend the configured ones.
    async fn query(&self, source: &str, query: &SourceQuery, feeds: &[FeedEntry]) -> Result<SourcePage, SourceFailure>;
    /// Returns the configured feeds.
    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError>;
    /// Returns the feeds at an address: the address itself, announced ones, or at the usual paths.
    async fn feeds_at(&self, address: &str) -> Result<Vec<FoundFeed>, SourceFailure>;
    /// Whether its pages are invented. Only the sample reads such pages, and it reads no others.
    fn is_invented(&self) -> bool {
        false
    }
}

/// Port of source statistics and user-added feeds.
#[async_trait]
pub trait SourceLog: Send + Sync {
    async fn source_records(&self) -> StoreResult<BTreeMap<String, SourceRecord>>;
    async fn switch_source(&self, source: &str, is_on: bool, entry: &AuditEntry) -> StoreResult<()>;
    /// Records an answer and its addresses.
    async fn source_answered(&self, source: &str, at: Timestamp, addresses: &[String]) -> StoreResult<()>;
    async fn source_failed(&self, source: &str, at: Timestamp, error: &str) -> StoreResult<()>;
    /// Records the documents of an opened address, for the sources that named it.
    async fn address_led_to(&self, address: &str, documents: &[DocumentId]) -> StoreResult<()>;
    /// Records the number of new claims of documents, for the sources that led to them.
    async fn documents_yielded(&self, claims: &[(DocumentId, u64)]) -> StoreResult<()>;
    async fn feeds(&self) -> StoreResult<Vec<FeedEntry>>;
    /// Adds feeds and returns how many are new.
    async fn add_feeds(&self, feeds: &[FeedEntry], entry: &AuditEntry) -> StoreResult<u64>;
    async fn remove_feed(&self, address: &str, entry: &AuditEntry) -> StoreResult<bool>;
}

/// Statistics and state of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceRecord {
    /// None when never switched by a person.
    pub is_on: Option<bool>,
    pub health: SourceHealth,
    /// Documents found through it, and claims recorded from them.
    pub documents: u64,
    pub claims: u64,
}

/// Errors of source queries.
#[derive(Debug, thiserror::Error)]
pub enum SourceQueryError {
    /// Refusal with a remedy, worded for the caller.
    #[error("{0}")]
    Refused(String),
    /// Not an enabled source.
    #[error("{0}")]
    Unknown(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Lists every source with its statistics; empty without a catalogue. Ready sources that are not enabled are `Off`. A catalogue that
/// does not answer in time is refused: pages that only offer the choice of sources do not wait for it.
pub async fn list(engine: &Engine) -> Result<Vec<(SourceEntry, SourceRecord)>, SourceQueryError> {
    let Some(catalogue) = &engine.catalogue else { return Ok(vec![]) };
    let patience = engine.config.web.source_list_timeout_ms;
    let listed = tokio::time::timeout(Duration::from_millis(patience), catalogue.entries()).await;
    let entries = listed
        .map_err(|_| SourceQueryError::Refused(format!("the list of sources did not come within {patience} ms")))?
        .map_err(|error| SourceQueryError::Refused(error.message))?;
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

/// Adds the number of user-added `feeds` to the coverage of each source.
pub fn count_added_feeds(known: &mut [(SourceEntry, SourceRecord)], feeds: &[FeedEntry]) {
    for (entry, _) in known {
        let added = feeds.iter().filter(|feed| feed.group.source() == entry.id).count();
        if added > 0 {
            entry.coverage.push_str(&format!(" Users added {added} here."));
        }
    }
}

/// Returns whether a source is enabled, by a person or else by configuration.
pub fn is_on(engine: &Engine, source: &str, record: &SourceRecord) -> bool {
    record.is_on.unwrap_or_else(|| engine.config.web.sources.iter().any(|on| on == source))
}

/// Returns whether any source can be queried.
pub async fn is_any_on(engine: &Engine) -> StoreResult<bool> {
    match list(engine).await {
        Ok(known) => Ok(known.iter().any(|(entry, _)| entry.availability == Availability::Ready)),
        Err(SourceQueryError::Refused(_) | SourceQueryError::Unknown(_)) => Ok(false),
        Err(SourceQueryError::Store(error)) => Err(error),
    }
}

/// Returns the sources usable in an investigation; none off the web. The sample, whose events are fictional, has those of an invented web
/// alone, and nothing else has them.
pub async fn usable(
    engine: &Engine,
    investigation: &Investigation,
) -> Result<Vec<(SourceEntry, SourceRecord)>, SourceQueryError> {
    if engine.web_access(investigation) == WebAccess::Off {
        return Ok(vec![]);
    }
    let collections = engine.accounts.collections().await?;
    let own = collections.iter().find(|collection| collection.id == investigation.collection_id);
    let is_sample = own.is_some_and(|own| own.kind == CollectionKind::Sample);
    if is_sample != engine.has_invented_web() {
        return Ok(vec![]);
    }
    let known = list(engine).await?;
    Ok(known.into_iter().filter(|(entry, _)| entry.availability == Availability::Ready).collect())
}

/// Queries a source for a session, which may then open the returned addresses. Further pages are read up to the query's limit or
/// one answer's time limit; failures there return what was read so far.
pub async fn query(
    engine: &Engine,
    session: SessionId,
    investigation: &Investigation,
    source: &str,
    query: &SourceQuery,
) -> Result<SourcePage, SourceQueryError> {
    if !usable(engine, investigation).await?.iter().any(|(entry, _)| entry.id == source) {
        return Err(SourceQueryError::Unknown(format!(
            "there is no source '{source}' that is switched on: see fetch_source_catalog"
        )));
    }
    let feeds = engine.source_log.feeds().await?;
    let mut page = query_and_log(engine, source, query, &feeds, FailureScope::OfSource).await?;
    let patience = Duration::from_millis(engine.config.web.source_timeout_ms);
    // Without further answers the page states where to continue.
    match tokio::time::timeout(patience, complete(engine, source, query, &feeds, &mut page)).await {
        Ok(Err(SourceQueryError::Store(error))) => return Err(error.into()),
        Ok(Ok(()) | Err(SourceQueryError::Refused(_) | SourceQueryError::Unknown(_))) | Err(_) => {}
    }
    let addresses: Vec<String> = page.hits.iter().map(|hit| hit.address.clone()).collect();
    offer_listed(engine, session, investigation, &addresses).await?;
    Ok(page)
}

/// Pages that several sources found, and those that did not answer, with the reason.
#[derive(Debug, Clone, Default)]
pub struct SourceSearch {
    pub hits: Vec<SourceHit>,
    pub failed: Vec<String>,
}

/// Queries every usable source for a session, which may then open the returned addresses: the best of each source first, at most
/// `query.limit` in all. Fails only where no source answers.
pub async fn search(
    engine: &Engine,
    session: SessionId,
    investigation: &Investigation,
    query: &SourceQuery,
) -> Result<SourceSearch, SourceQueryError> {
    let usable = usable(engine, investigation).await?;
    let feeds = engine.source_log.feeds().await?;
    let (mut asked, mut pages, mut failed) = (vec![], vec![], vec![]);
    for (entry, _) in &usable {
        asked.push(query_and_log(engine, &entry.id, query, &feeds, FailureScope::OfSource));
    }
    for answer in join_all(asked).await {
        match answer {
            Ok(page) => pages.push(page.hits.into_iter()),
            Err(SourceQueryError::Store(error)) => return Err(error.into()),
            Err(SourceQueryError::Refused(why) | SourceQueryError::Unknown(why)) => failed.push(why),
        }
    }
    if pages.is_empty() {
        let why = if failed.is_empty() { "no source is switched on".to_owned() } else { failed.join("; ") };
        return Err(SourceQueryError::Refused(why));
    }
    let hits = take_in_turn(pages, query.limit as usize);
    let addresses: Vec<String> = hits.iter().map(|hit| hit.address.clone()).collect();
    offer_listed(engine, session, investigation, &addresses).await?;
    Ok(SourceSearch { hits, failed })
}

/// Takes one hit of each source after another, without repeated addresses.
fn take_in_turn(mut pages: Vec<std::vec::IntoIter<SourceHit>>, limit: usize) -> Vec<SourceHit> {
    let (mut hits, mut known) = (vec![], HashSet::new());
    loop {
        let round: Vec<SourceHit> = pages.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            return hits;
        }
        for hit in round {
            if hits.len() == limit {
                return hits;
            }
            if known.insert(hit.address.clone()) {
                hits.push(hit);
            }
        }
    }
}

/// Reads further pages up to the query's limit.
async fn complete(
    engine: &Engine,
    source: &str,
    query: &SourceQuery,
    feeds: &[FeedEntry],
    page: &mut SourcePage,
) -> Result<(), SourceQueryError> {
    while let (true, Some(next)) = (page.hits.len() < query.limit as usize, &page.next) {
        let following = SourceQuery { page: Some(next.clone()), ..query.clone() };
        let more = query_and_log(engine, source, &following, feeds, FailureScope::OfSource).await?;
        page.next = more.next.filter(|_| !more.hits.is_empty());
        page.hits.extend(more.hits);
    }
    Ok(())
}

/// Failures recorded in the statistics of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailureScope {
    /// Failures of the source, not of a badly formed query.
    OfSource,
    /// All failures: the query is known to be valid.
    Any,
}

/// Queries a source, enabled or not, and records the outcome. Exceeding the time limit is a failure. `feeds` are user-added. A
/// source that is down is not queried until its circuit admits a probe.
pub(crate) async fn query_and_log(
    engine: &Engine,
    source: &str,
    query: &SourceQuery,
    feeds: &[FeedEntry],
    blame: FailureScope,
) -> Result<SourcePage, SourceQueryError> {
    let Some(catalogue) = &engine.catalogue else {
        return Err(SourceQueryError::Refused("Sources are not configured.".into()));
    };
    let patience = engine.config.web.source_timeout_ms;
    let asked = async {
        let answer = tokio::time::timeout(Duration::from_millis(patience), catalogue.query(source, query, feeds)).await;
        answer.unwrap_or_else(|_| Err(SourceFailure::outage(format!("no answer within {patience} ms"))))
    };
    let outage = |outcome: &Result<SourcePage, SourceFailure>| {
        outcome.as_ref().err().filter(|failure| failure.is_outage).map(|failure| failure.message.clone())
    };
    let guard = DependencyGuard::for_one_call(engine, &format!("source {source}"));
    // A trial by a person calls the source in every state of its circuit.
    let guarded = if blame == FailureScope::Any {
        let outcome = asked.await;
        guard.note(outage(&outcome).as_deref()).await;
        Ok(outcome)
    } else {
        guard.call(asked, outage).await
    };
    let outcome = match guarded {
        Ok(outcome) => outcome,
        Err(CircuitOpen { reason }) => {
            return Err(SourceQueryError::Refused(format!("{source}: {reason}; it is asked again later, use other sources")));
        }
    };
    let now = engine.clock.now();
    match outcome {
        Ok(page) => {
            let addresses: Vec<String> = page.hits.iter().map(|hit| hit.address.clone()).collect();
            engine.source_log.source_answered(source, now, &addresses).await?;
            Ok(page)
        }
        Err(failure) => {
            if !failure.is_of_query || blame == FailureScope::Any {
                engine.source_log.source_failed(source, now, &failure.message).await?;
            }
            Err(SourceQueryError::Refused(format!("{source}: {}", failure.message)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_of_several_sources_come_in_turn_and_once() {
        let page = |addresses: &[&str]| {
            let hit = |address: &&str| SourceHit { address: (*address).to_owned(), ..SourceHit::default() };
            addresses.iter().map(hit).collect::<Vec<_>>().into_iter()
        };
        let taken = |limit| {
            let hits = take_in_turn(vec![page(&["a", "b", "c"]), page(&["d", "a", "e"])], limit);
            hits.into_iter().map(|hit| hit.address).collect::<Vec<_>>()
        };
        assert_eq!(taken(9), ["a", "d", "b", "c", "e"]);
        assert_eq!(taken(3), ["a", "d", "b"]);
    }
}
