//! Catalogue: all sources, their availability, and the query interface.

mod api;
mod feeds;

use super::{
    SourceError, SourceTransport, SourcesConfig,
    adapter::{Adapter, Requirement, SourceInfo},
    adapters, feed_groups,
};
use crate::{config::FetchConfig, documents::Documents, web::Now};
use domain::{
    Timestamp,
    fetch::{Availability, Feed, FeedEntry, KeyUse, SourceEntry, SourcePage, SourceQuery},
};
use moka::sync::Cache;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Time before expiry at which a token is renewed.
const TOKEN_RESERVE_MS: i64 = 60_000;
const TOKEN_LASTS_S: u64 = 3_600;
/// Default language of sources with one address per language.
const DEFAULT_LANGUAGE: &str = "en";

/// Cheap handle to the catalogue.
#[derive(Clone)]
pub struct Catalogue {
    inner: Arc<Inner>,
}

struct Inner {
    adapters: Vec<Box<dyn Adapter>>,
    config: SourcesConfig,
    contact: String,
    get: Arc<dyn SourceTransport>,
    documents: Documents,
    now: Now,
    /// Cap on a source's pause.
    max_pause_s: u64,
    /// Parsed feeds by address.
    feeds: Cache<String, ReadFeed>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Tokens with their expiry, by source and key.
    tokens: BTreeMap<(String, String), (String, Timestamp)>,
    /// Paused sources with the end of the pause.
    waits: BTreeMap<String, Timestamp>,
}

/// Parsed feed with its age and cost in memory.
#[derive(Clone)]
struct ReadFeed {
    feed: Arc<Feed>,
    read_at: Timestamp,
    bytes: u32,
}

/// Key and additional feeds of one caller.
#[derive(Clone, Copy, Default)]
pub struct SourceAccess<'a> {
    pub key: Option<&'a str>,
    /// Feeds besides those of the configuration.
    pub feeds: &'a [FeedEntry],
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue").field("sources", &self.inner.adapters.len()).finish_non_exhaustive()
    }
}

impl Catalogue {
    /// Creates the catalogue; `documents` parses feeds in child processes.
    pub fn new(config: &FetchConfig, documents: Documents, get: Arc<dyn SourceTransport>, now: Now) -> Self {
        let inner = Inner {
            adapters: adapters(&config.sources),
            config: config.sources.clone(),
            contact: config.contact.trim().to_owned(),
            get,
            documents,
            now,
            max_pause_s: config.rate_limit.max_pause_ms / 1_000,
            feeds: Cache::builder()
                .max_capacity(config.sources.max_feeds_bytes)
                .weigher(|_: &String, kept: &ReadFeed| kept.bytes)
                .build(),
            state: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// All sources except `documents`, in catalogue order, with what they still require. `has_key` tells which of them have a
    /// key.
    pub fn entries(&self, has_key: impl Fn(&str) -> bool) -> Vec<SourceEntry> {
        let groups = feed_groups::GROUPS.iter().map(|group| {
            let feeds: Vec<&FeedEntry> = self.inner.config.feeds.iter().filter(|feed| feed.group == group.group).collect();
            SourceEntry {
                id: group.group.source().to_owned(),
                name: group.name.to_owned(),
                description: group.description.to_owned(),
                is_current: true,
                coverage: feed_groups::coverage(&feeds),
                documentation: None,
                key: KeyUse::None,
                availability: Availability::Ready,
            }
        });
        let others = self.inner.adapters.iter().map(|adapter| {
            let info = adapter.info();
            SourceEntry {
                id: info.id.to_owned(),
                name: info.name.to_owned(),
                description: info.description.to_owned(),
                is_current: info.is_current,
                coverage: info.coverage.to_owned(),
                documentation: documented(info.documentation),
                key: info.key,
                availability: self.availability(&info, has_key(info.id)),
            }
        });
        groups.chain(others).collect()
    }

    /// Feeds of the configuration.
    pub fn feeds(&self) -> Vec<FeedEntry> {
        self.inner.config.feeds.clone()
    }

    /// Queries a source.
    pub async fn query(&self, source: &str, query: &SourceQuery, access: SourceAccess<'_>) -> Result<SourcePage, SourceError> {
        if let Some(group) = feed_groups::GROUPS.iter().find(|group| group.group.source() == source) {
            return self.query_feeds(*group, query, access.feeds).await;
        }
        let adapter = self.inner.adapters.iter().find(|adapter| adapter.info().id == source);
        let adapter = adapter.ok_or_else(|| SourceError::Unknown(source.to_owned()))?;
        let key = access.key.map(str::trim).filter(|key| !key.is_empty());
        match self.availability(&adapter.info(), key.is_some()) {
            Availability::NeedsKey => Err(SourceError::NeedsKey),
            Availability::NeedsContact => Err(SourceError::NeedsContact),
            Availability::NeedsAddress => Err(SourceError::NeedsAddress),
            Availability::Ready | Availability::Off => self.query_api(adapter.as_ref(), query, key).await,
        }
    }

    fn availability(&self, info: &SourceInfo<'_>, has_key: bool) -> Availability {
        let is_met = |need: &Requirement| match need {
            Requirement::Contact => !self.inner.contact.is_empty(),
            Requirement::Address => self.inner.config.addresses.contains_key(info.id),
        };
        // The key is checked last: callers may know of one elsewhere.
        match info.requires.iter().find(|need| !is_met(need)) {
            Some(Requirement::Contact) => Availability::NeedsContact,
            Some(Requirement::Address) => Availability::NeedsAddress,
            None if info.key == KeyUse::Required && !has_key => Availability::NeedsKey,
            None => Availability::Ready,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Documentation page, if named: configured searches may name none.
fn documented((page, day): (&str, &str)) -> Option<(String, String)> {
    (!page.is_empty()).then(|| (page.to_owned(), day.to_owned()))
}
