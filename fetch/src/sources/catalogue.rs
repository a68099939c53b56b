//! All sources of this program: what they are, how they fare, and the one way to ask them.

mod asking;
mod following;

use super::{
    Get, SourceError, SourcesConfig,
    adapter::{Adapter, Card, Need},
    adapters, outlets,
};
use crate::{config::FetchConfig, documents::Documents, web::Now};
use domain::{
    Timestamp,
    fetch::{Availability, Capability, Feed, FeedEntry, KeyUse, SourceEntry, SourcePage, SourceQuery},
};
use moka::sync::Cache;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A token is got anew this long before it ends.
const TOKEN_RESERVE_MS: i64 = 60_000;
const TOKEN_LASTS_S: u64 = 3_600;
/// The language of a source that has one address for each.
const DEFAULT_LANGUAGE: &str = "en";

/// A cheap handle to the catalogue.
#[derive(Clone)]
pub struct Catalogue {
    inner: Arc<Inner>,
}

struct Inner {
    adapters: Vec<Box<dyn Adapter>>,
    config: SourcesConfig,
    contact: String,
    get: Arc<dyn Get>,
    documents: Documents,
    now: Now,
    /// The longest that a source is left alone.
    max_pause_s: u64,
    /// By address.
    feeds: Cache<String, ReadFeed>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// By source and key: a token and when it ends.
    tokens: BTreeMap<(String, String), (String, Timestamp)>,
    /// Sources that asked to wait, and until when.
    waits: BTreeMap<String, Timestamp>,
}

/// A feed, when it was read, and how much of the memory for feeds it takes.
#[derive(Clone)]
struct ReadFeed {
    feed: Arc<Feed>,
    read_at: Timestamp,
    bytes: u32,
}

/// What a source may use besides the configuration.
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
    /// `documents` reads feeds in children; `get` is the way to the web.
    pub fn new(config: &FetchConfig, documents: Documents, get: Arc<dyn Get>, now: Now) -> Self {
        let inner = Inner {
            adapters: adapters(&config.sources),
            config: config.sources.clone(),
            contact: config.contact.trim().to_owned(),
            get,
            documents,
            now,
            max_pause_s: config.pace.max_pause_ms / 1_000,
            feeds: Cache::builder()
                .max_capacity(config.sources.max_feeds_bytes)
                .weigher(|_: &String, kept: &ReadFeed| kept.bytes)
                .build(),
            state: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Every source but the documents of people, in the order of the catalogue, with what it still needs; `has_key` tells for which of them
    /// there is a key.
    pub fn entries(&self, has_key: impl Fn(&str) -> bool) -> Vec<SourceEntry> {
        let groups = outlets::GROUPS.iter().map(|group| {
            let feeds: Vec<&FeedEntry> = self.inner.config.feeds.iter().filter(|feed| feed.group == group.group).collect();
            SourceEntry {
                id: group.group.source().to_owned(),
                name: group.name.to_owned(),
                description: group.description.to_owned(),
                capabilities: vec![Capability::Search],
                is_current: true,
                coverage: outlets::coverage(&feeds),
                documentation: None,
                key: KeyUse::None,
                availability: Availability::Ready,
            }
        });
        let others = self.inner.adapters.iter().map(|adapter| {
            let card = adapter.card();
            SourceEntry {
                id: card.id.to_owned(),
                name: card.name.to_owned(),
                description: card.description.to_owned(),
                capabilities: vec![Capability::Search],
                is_current: adapter.is_current(),
                coverage: card.coverage.to_owned(),
                documentation: documented(card.documentation),
                key: card.key,
                availability: self.availability(&card, has_key(card.id)),
            }
        });
        groups.chain(others).collect()
    }

    /// The feeds of the configuration.
    pub fn feeds(&self) -> Vec<FeedEntry> {
        self.inner.config.feeds.clone()
    }

    /// Asks a source.
    pub async fn query(&self, source: &str, query: &SourceQuery, access: SourceAccess<'_>) -> Result<SourcePage, SourceError> {
        if let Some(group) = outlets::GROUPS.iter().find(|group| group.group.source() == source) {
            return self.ask_feeds(*group, query, access.feeds).await;
        }
        let adapter = self.inner.adapters.iter().find(|adapter| adapter.card().id == source);
        let adapter = adapter.ok_or_else(|| SourceError::Unknown(source.to_owned()))?;
        let key = access.key.map(str::trim).filter(|key| !key.is_empty());
        match self.availability(&adapter.card(), key.is_some()) {
            Availability::NeedsKey => Err(SourceError::NeedsKey),
            Availability::NeedsContact => Err(SourceError::NeedsContact),
            Availability::NeedsAddress => Err(SourceError::NeedsAddress),
            Availability::Ready | Availability::Off => self.ask(adapter.as_ref(), query, key).await,
        }
    }

    fn availability(&self, card: &Card<'_>, has_key: bool) -> Availability {
        let is_met = |need: &Need| match need {
            Need::Contact => !self.inner.contact.is_empty(),
            Need::Address => self.inner.config.addresses.contains_key(card.id),
        };
        // The key comes last: whoever knows of one elsewhere may take it for given.
        match card.needs.iter().find(|need| !is_met(need)) {
            Some(Need::Contact) => Availability::NeedsContact,
            Some(Need::Address) => Availability::NeedsAddress,
            None if card.key == KeyUse::Required && !has_key => Availability::NeedsKey,
            None => Availability::Ready,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A search of the configuration may name no page.
fn documented((page, day): (&str, &str)) -> Option<(String, String)> {
    (!page.is_empty()).then(|| (page.to_owned(), day.to_owned()))
}
