//! Queries to feeds, and feed discovery.

use super::{Catalogue, ReadFeed, api};
use crate::{
    documents::Page,
    feeds,
    sources::{SourceError, SourceRequest, SourceResponse, adapter::ResponseFormat, feed_groups, status},
};
use domain::fetch::{Feed, FeedEntry, FetchedDocument, FoundFeed, SourcePage, SourceQuery};
use futures::StreamExt;
use std::{sync::Arc, time::Duration};
use url::Url;

impl Catalogue {
    /// Queries all matching feeds of a group, some in parallel, within the configured age. A failed feed costs only itself.
    pub(super) async fn query_feeds(
        &self,
        group: feed_groups::FeedGroupInfo,
        query: &SourceQuery,
        further: &[FeedEntry],
    ) -> Result<SourcePage, SourceError> {
        let config = &self.inner.config;
        let mut addresses = std::collections::BTreeSet::new();
        let entries =
            config.feeds.iter().chain(further).filter(|entry| entry.group == group.group && feed_groups::fits(entry, query));
        // Owned, so that the futures borrow nothing.
        let entries: Vec<FeedEntry> = entries.filter(|entry| addresses.insert(entry.address.as_str())).cloned().collect();
        let count = entries.len();
        let patience = Duration::from_millis(config.feed_timeout_ms);
        let requests = entries.into_iter().map(|entry| async move {
            let result = tokio::time::timeout(patience, self.feed(&entry.address)).await;
            let late = || SourceError::Unreachable(format!("no answer within {} ms", patience.as_millis()));
            let outcome = result.unwrap_or_else(|_| Err(late()));
            (entry, outcome)
        });
        let read: Vec<_> = futures::stream::iter(requests).buffered(config.parallel_feeds.max(1)).collect().await;
        let (mut last_error, mut is_outage) = (None, true);
        let mut found = Vec::new();
        for (entry, outcome) in read {
            match outcome {
                Ok(feed) => found.push((entry, feed)),
                Err(error) => {
                    tracing::info!(feed = %entry.address, %error, "feed request failed");
                    is_outage &= error.is_outage();
                    last_error = Some(error);
                }
            }
        }
        match last_error {
            Some(error) if found.is_empty() => {
                let why = match error {
                    SourceError::Unreachable(why) | SourceError::NotQueried(why) => why,
                    other => other.to_string(),
                };
                let message = format!("none of {count} feeds responded; last error: {why}");
                // The group is down only if every feed is: others of it may be asked next.
                Err(if is_outage { SourceError::Unreachable(message) } else { SourceError::NotQueried(message) })
            }
            _ => feed_groups::search(&found, query, if query.limit == 0 { config.hits } else { query.limit }),
        }
    }

    async fn feed(&self, address: &str) -> Result<Arc<Feed>, SourceError> {
        let now = (self.inner.now)();
        if let Some(kept) = self.inner.feeds.get(address)
            && now.ms_since(kept.read_at) < self.inner.config.feed_age_ms as i64
        {
            return Ok(kept.feed);
        }
        let response = self.open("feeds", address).await?;
        let feed = Arc::new(self.feed_of(&response).await?);
        let bytes = u32::try_from(response.body.len()).unwrap_or(u32::MAX);
        self.inner.feeds.insert(address.to_owned(), ReadFeed { feed: feed.clone(), read_at: now, bytes });
        self.inner.feeds.run_pending_tasks();
        Ok(feed)
    }

    /// Feeds at an address: the address itself, those it announces, or those at common paths.
    pub async fn discover(&self, address: &str) -> Result<Vec<FoundFeed>, SourceError> {
        let response = self.open("feeds", address).await?;
        let document = self.document_of(&response).await;
        if let Some(feed) = document.as_ref().and_then(|document| document.feed.as_ref()) {
            return Ok(vec![found(response.address, feed)]);
        }
        let announced = document.map(|document| document.feeds).unwrap_or_default();
        let is_announced = !announced.is_empty();
        let places = if is_announced { announced } else { feeds::common_feed_urls(&response.address) };
        let mut list = Vec::new();
        for place in places {
            if let Ok(feed) = self.feed(&place).await {
                list.push(found(place, &feed));
                // Common paths of one site serve the same feed.
                if !is_announced {
                    break;
                }
            }
        }
        Ok(list)
    }

    async fn open(&self, source: &str, address: &str) -> Result<SourceResponse, SourceError> {
        let url =
            Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https")).ok_or(SourceError::Address)?;
        let request = SourceRequest {
            source: source.to_owned(),
            url,
            interval: None,
            headers: Vec::new(),
            body: None,
            max_bytes: self.inner.config.max_answer_bytes,
        };
        let response = self.inner.get.send(request).await?;
        match status::source_error(&response, None) {
            None => Ok(response),
            Some(error) => Err(error),
        }
    }

    async fn document_of(&self, response: &SourceResponse) -> Option<FetchedDocument> {
        let page = Page::new(response.address.clone(), response.header("content-type"), response.body.clone());
        let mut read = std::pin::pin!(self.inner.documents.read_page(page));
        read.next().await?.ok().map(|fetched| fetched.document)
    }

    pub(super) async fn feed_of(&self, response: &SourceResponse) -> Result<Feed, SourceError> {
        let document = self.document_of(response).await;
        document.and_then(|document| document.feed).ok_or_else(|| api::unreadable(&response.body, ResponseFormat::Feed, None))
    }
}

fn found(address: String, feed: &Feed) -> FoundFeed {
    FoundFeed { address, title: feed.title.clone(), language: feed.language.clone(), items: feed.items.len() }
}
