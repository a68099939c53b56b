//! Invented web of the example: the reports of `example.toml` at their addresses, and what its searches list.

use crate::sample::{SampleReport, stored_file};
use async_trait::async_trait;
use domain::{
    Timestamp,
    fetch::{
        Availability, CacheUse, FeedEntry, FetchError, FetchFailure, FetchRequest, FetchedDocument, FetchedPage, FoundFeed,
        KeyUse, SourceEntry, SourceFailure, SourceHit, SourcePage, SourceQuery,
    },
};
use engine::{
    fetch::{Fetch, WebPage, sources::Catalogue},
    library::ExtractedFile,
};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

/// Id of its one source.
pub const SOURCE: &str = "sample";

pub static EXAMPLE: LazyLock<ExamplePages> = LazyLock::new(|| {
    ExamplePages::parse(include_str!("../../example.toml")).unwrap_or_else(|error| {
        tracing::error!(%error, "pages of the example unreadable");
        ExamplePages::default()
    })
});

/// Content of `example.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamplePages {
    pub reports: Vec<SampleReport>,
    searches: Vec<ExampleSearch>,
}

/// Search with the addresses of the reports that it lists.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExampleSearch {
    query: String,
    lists: Vec<String>,
}

impl ExamplePages {
    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    pub fn report(&self, address: &str) -> Option<&SampleReport> {
        self.reports.iter().find(|report| report.address == address)
    }

    /// Returns the reports that a search lists; none for other words.
    fn listed(&self, words: &str) -> Vec<&SampleReport> {
        let addresses = self.searches.iter().filter(|search| search.query == words).flat_map(|search| &search.lists);
        addresses.filter_map(|address| self.report(address)).collect()
    }
}

/// The invented web at a moment. It sends nothing.
pub struct InventedWeb(pub Timestamp);

#[async_trait]
impl Fetch for InventedWeb {
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError> {
        let Some(report) = EXAMPLE.report(&request.url) else {
            return Err(FetchError::new(FetchFailure::Status, "The invented web of the example has no such page."));
        };
        let file = stored_file(report);
        let bytes = vec![file.bytes.clone()];
        Ok(WebPage { page: fetched(request, file, self.0), bytes })
    }
}

fn fetched(request: &FetchRequest, file: ExtractedFile, fetched_at: Timestamp) -> FetchedPage {
    let (sha256, size_bytes) = (file.sha256.clone(), file.bytes.len() as u64);
    let document = FetchedDocument {
        path: file.path,
        media_type: file.media_type.clone(),
        sha256: file.sha256,
        size_bytes,
        text: file.text,
        extractor: file.extractor,
        title: file.title,
        byline: None,
        outlet: file.outlet,
        published: file.published,
        updated: None,
        language: file.language,
        canonical: None,
        links: vec![],
        tables: vec![],
        feeds: vec![],
        feed: None,
    };
    FetchedPage {
        url: request.url.clone(),
        final_url: request.url.clone(),
        canonical_url: None,
        hops: vec![],
        status: 200,
        content_type: Some(file.media_type),
        headers: BTreeMap::new(),
        sha256,
        size_bytes,
        fetched_at,
        elapsed_ms: 0,
        cache: CacheUse::None,
        documents: vec![document],
        rejected: vec![],
    }
}

#[async_trait]
impl Catalogue for InventedWeb {
    async fn entries(&self) -> Result<Vec<SourceEntry>, FetchError> {
        Ok(vec![SourceEntry {
            id: SOURCE.to_owned(),
            name: "Sample".to_owned(),
            description: "Invented reports of the sample.".to_owned(),
            is_current: false,
            coverage: "The example of a scouting.".to_owned(),
            documentation: None,
            key: KeyUse::None,
            availability: Availability::Ready,
        }])
    }

    async fn query(&self, _: &str, query: &SourceQuery, _: &[FeedEntry]) -> Result<SourcePage, SourceFailure> {
        let hit = |report: &SampleReport| {
            let ExtractedFile { path, title, outlet, published, language, .. } = stored_file(report);
            SourceHit { address: path, title, outlet, published, language, ..SourceHit::default() }
        };
        let hits: Vec<SourceHit> = EXAMPLE.listed(&query.words).into_iter().map(hit).collect();
        Ok(SourcePage { total: Some(hits.len() as u64), hits, next: None })
    }

    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError> {
        Ok(vec![])
    }

    async fn feeds_at(&self, _: &str) -> Result<Vec<FoundFeed>, SourceFailure> {
        Ok(vec![])
    }

    fn is_invented(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taxonomy::Taxonomy;
    use domain::claim::Mode;

    #[test]
    fn searches_list_reports_in_whose_sentences_the_word_lists_find_nothing() {
        let pages = ExamplePages::parse(include_str!("../../example.toml")).unwrap();
        assert_eq!((pages.reports.len(), pages.searches.len()), (3, 4));
        for search in &pages.searches {
            assert!(!search.lists.is_empty() && pages.listed(&search.query).len() == search.lists.len(), "{}", search.query);
        }
        assert!(pages.listed("another search").is_empty());
        let taxonomy = Taxonomy::shared();
        for sentence in pages.reports.iter().flat_map(|report| &report.sentences) {
            assert!(taxonomy.read(sentence, Mode::Asserted).is_none(), "{sentence}");
        }
    }
}
