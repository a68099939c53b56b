//! Implementations of the engine's Fetch ports: in this process, or as a remote service.

mod browser;
mod remote;

pub use browser::InProcessBrowser;
pub use remote::RemoteFetch;

use async_trait::async_trait;
use domain::fetch::{
    Availability, FeedEntry, FetchError, FetchRequest, FoundFeed, KeyUse, SourceEntry, SourceFailure, SourcePage, SourceQuery,
};
use engine::{
    fetch::{Fetch, WebPage, sources::Catalogue},
    models::{Keys, Secret},
    settings::{KeyRing, source_key},
};
use fetch::{SourceAccess, Web};
use secrecy::ExposeSecret;
use std::sync::Arc;

/// Fetch in this process.
pub struct InProcessFetch(pub Web);

#[async_trait]
impl Fetch for InProcessFetch {
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError> {
        let found = self.0.page(request).await?;
        Ok(WebPage { page: found.page.clone(), bytes: found.bytes.clone() })
    }
}

/// Sources that get their key with each query.
#[async_trait]
pub trait KeyedSources: Send + Sync {
    /// Lists the sources, treating every key as missing.
    async fn entries(&self) -> Result<Vec<SourceEntry>, FetchError>;
    async fn query(
        &self,
        source: &str,
        query: &SourceQuery,
        feeds: &[FeedEntry],
        key: Option<&Secret>,
    ) -> Result<SourcePage, SourceFailure>;
    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError>;
    async fn feeds_at(&self, address: &str) -> Result<Vec<FoundFeed>, SourceFailure>;
}

#[async_trait]
impl KeyedSources for fetch::Catalogue {
    async fn entries(&self) -> Result<Vec<SourceEntry>, FetchError> {
        Ok(Self::entries(self, |_| false))
    }

    async fn query(
        &self,
        source: &str,
        query: &SourceQuery,
        feeds: &[FeedEntry],
        key: Option<&Secret>,
    ) -> Result<SourcePage, SourceFailure> {
        let access = SourceAccess { key: key.map(ExposeSecret::expose_secret), feeds };
        Ok(Self::query(self, source, query, access).await?)
    }

    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError> {
        Ok(Self::feeds(self))
    }

    async fn feeds_at(&self, address: &str) -> Result<Vec<FoundFeed>, SourceFailure> {
        Ok(self.discover(address).await?)
    }
}

/// Catalogue that adds keys from the key ring.
pub struct KeyringCatalogue {
    pub sources: Arc<dyn KeyedSources>,
    pub keys: Arc<KeyRing>,
}

#[async_trait]
impl Catalogue for KeyringCatalogue {
    async fn entries(&self) -> Result<Vec<SourceEntry>, FetchError> {
        let mut entries = self.sources.entries().await?;
        let wanting = |entry: &&mut SourceEntry| entry.key != KeyUse::None && entry.availability == Availability::NeedsKey;
        let names: Vec<String> = entries.iter_mut().filter(wanting).map(|entry| source_key(&entry.id)).collect();
        let there = self.keys.those_with(&names).await;
        for entry in entries.iter_mut().filter(wanting) {
            if there.contains(&source_key(&entry.id)) {
                entry.availability = Availability::Ready;
            }
        }
        Ok(entries)
    }

    async fn query(&self, source: &str, query: &SourceQuery, feeds: &[FeedEntry]) -> Result<SourcePage, SourceFailure> {
        let key = self.keys.key(&source_key(source)).await;
        self.sources.query(source, query, feeds, key.as_ref()).await
    }

    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError> {
        self.sources.feeds().await
    }

    async fn feeds_at(&self, address: &str) -> Result<Vec<FoundFeed>, SourceFailure> {
        self.sources.feeds_at(address).await
    }
}
