//! All sources of this program: what they are, how they fare, and the one way to ask them.

mod asking;
mod following;

use super::{
    FeedEntry, Get, SourceError, SourcesConfig,
    adapter::{Adapter, Card, Need},
    adapters, outlets,
};
use crate::{config::FetchConfig, documents::Documents, web::Now};
use domain::{
    Timestamp,
    fetch::{Availability, Capability, Feed, SourceEntry, SourceHealth, SourcePage, SourceQuery},
};
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
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    keys: BTreeMap<String, String>,
    /// By source: a token and when it ends.
    tokens: BTreeMap<String, (String, Timestamp)>,
    health: BTreeMap<String, SourceHealth>,
    /// Sources that asked to wait, and until when.
    waits: BTreeMap<String, Timestamp>,
    /// By address: a feed and when it was read.
    feeds: BTreeMap<String, (Arc<Feed>, Timestamp)>,
}

/// A feed that was found at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFeed {
    pub address: String,
    pub title: Option<String>,
    pub language: Option<String>,
    pub items: usize,
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
            state: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Every source with what it needs, in the order of the catalogue.
    pub fn entries(&self) -> Vec<SourceEntry> {
        let groups = outlets::GROUPS.iter().map(|group| {
            let feeds: Vec<&FeedEntry> = self.inner.config.feeds.iter().filter(|feed| feed.group == group.group).collect();
            let is_off = self.is_off(group.id) || feeds.is_empty();
            SourceEntry {
                id: group.id.to_owned(),
                name: group.name.to_owned(),
                description: group.description.to_owned(),
                capabilities: vec![Capability::Search],
                coverage: outlets::coverage(&feeds),
                documentation: None,
                availability: if is_off { Availability::Off } else { Availability::Ready },
            }
        });
        let others = self.inner.adapters.iter().map(|adapter| {
            let card = adapter.card();
            SourceEntry {
                id: card.id.to_owned(),
                name: card.name.to_owned(),
                description: card.description.to_owned(),
                capabilities: vec![Capability::Search],
                coverage: card.coverage.to_owned(),
                documentation: Some((card.documentation.0.to_owned(), card.documentation.1.to_owned())),
                availability: self.availability(&card),
            }
        });
        std::iter::once(Documents::entry()).chain(groups).chain(others).collect()
    }

    /// How a source has fared since the start.
    pub fn health(&self, source: &str) -> SourceHealth {
        self.state().health.get(source).cloned().unwrap_or_default()
    }

    /// Gives a source its key, or takes it away. A token that was got for the old one is forgotten.
    pub fn set_key(&self, source: &str, key: Option<&str>) {
        let mut state = self.state();
        state.tokens.remove(source);
        match key.map(str::trim).filter(|key| !key.is_empty()) {
            Some(key) => drop(state.keys.insert(source.to_owned(), key.to_owned())),
            None => drop(state.keys.remove(source)),
        }
    }

    /// Asks a source. What becomes of it is counted in its health.
    pub async fn query(&self, source: &str, query: &SourceQuery) -> Result<SourcePage, SourceError> {
        let outcome = match outlets::GROUPS.iter().find(|group| group.id == source) {
            Some(group) if !self.is_off(source) => self.ask_feeds(*group, query).await,
            Some(_) => return Err(SourceError::Off),
            None => {
                let adapter = self.inner.adapters.iter().find(|adapter| adapter.card().id == source);
                let adapter = adapter.ok_or_else(|| SourceError::Unknown(source.to_owned()))?;
                match self.availability(&adapter.card()) {
                    Availability::Ready => self.ask(adapter.as_ref(), query).await,
                    missing => return Err(missing_error(missing)),
                }
            }
        };
        self.note(source, outcome.as_ref().err());
        outcome
    }

    fn availability(&self, card: &Card<'_>) -> Availability {
        let is_met = |need: &Need| match need {
            Need::Key => self.state().keys.contains_key(card.id),
            Need::Contact => !self.inner.contact.is_empty(),
            Need::Address => self.inner.config.addresses.contains_key(card.id),
        };
        match card.needs.iter().find(|need| !is_met(need)) {
            _ if self.is_off(card.id) => Availability::Off,
            None => Availability::Ready,
            Some(Need::Key) => Availability::NeedsKey,
            Some(Need::Contact) => Availability::NeedsContact,
            Some(Need::Address) => Availability::NeedsAddress,
        }
    }

    fn is_off(&self, source: &str) -> bool {
        self.inner.config.off.iter().any(|off| off == source)
    }

    fn note(&self, source: &str, error: Option<&SourceError>) {
        let now = (self.inner.now)();
        let mut state = self.state();
        let health = state.health.entry(source.to_owned()).or_default();
        match error {
            None => {
                health.answers += 1;
                health.last_success = Some(now);
                health.last_error = None;
            }
            // The query was at fault, not the source.
            Some(SourceError::Query(_) | SourceError::Page) => health.answers += 1,
            Some(error) => {
                health.failures += 1;
                health.last_failure = Some(now);
                health.last_error = Some(error.to_string());
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn missing_error(missing: Availability) -> SourceError {
    match missing {
        Availability::NeedsKey => SourceError::NeedsKey,
        Availability::NeedsContact => SourceError::NeedsContact,
        Availability::NeedsAddress => SourceError::NeedsAddress,
        Availability::Ready | Availability::Off => SourceError::Off,
    }
}
