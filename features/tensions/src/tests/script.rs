//! A scripted web and embedder for the agents of this feature.

use async_trait::async_trait;
use domain::{
    Timestamp,
    fetch::{
        Availability, FeedEntry, FetchError, FetchFailure, FetchRequest, FetchedPage, FoundFeed, KeyUse, SourceEntry,
        SourceFailure, SourceHit, SourcePage, SourceQuery,
    },
};
use engine::{
    Engine, Parts,
    embeddings::{EmbedError, Embedder},
    fetch::{Fetch, WebPage, sources::Catalogue},
};
use feature::{FeatureSettings, Web, testing::TestSite};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};
use testkit::{ScriptedModel, TestBackend};

/// Pages with their texts. A search finds all of them.
pub struct ScriptedWeb(pub BTreeMap<&'static str, &'static str>);

#[async_trait]
impl Fetch for ScriptedWeb {
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError> {
        let Some(text) = self.0.get(request.url.as_str()) else {
            return Err(FetchError::new(FetchFailure::Status, "there is no such page"));
        };
        let (sha256, size_bytes) = (testkit::sha256(text.as_bytes()), text.len() as u64);
        let document = json!({
            "path": request.url, "media_type": "text/html", "sha256": sha256, "size_bytes": size_bytes, "text": text,
            "extractor": "test-1", "title": "A page", "links": [], "tables": [], "feeds": [],
        });
        let page = FetchedPage {
            url: request.url.clone(),
            final_url: request.url.clone(),
            canonical_url: None,
            hops: vec![],
            status: 200,
            content_type: Some("text/html".into()),
            headers: BTreeMap::new(),
            sha256,
            size_bytes,
            fetched_at: Timestamp::from_micros(1_900_000_000_000_000),
            elapsed_ms: 1,
            cache: Default::default(),
            documents: vec![serde_json::from_value(document).unwrap()],
            rejected: vec![],
        };
        Ok(WebPage { page, bytes: vec![(*text).to_owned().into()] })
    }
}

#[async_trait]
impl Catalogue for ScriptedWeb {
    async fn entries(&self) -> Result<Vec<SourceEntry>, FetchError> {
        Ok(vec![SourceEntry {
            id: "pages".into(),
            name: "Pages".into(),
            description: "Pages of the test.".into(),
            is_current: false,
            coverage: "All.".into(),
            documentation: None,
            key: KeyUse::None,
            availability: Availability::Ready,
        }])
    }

    async fn query(&self, _: &str, _: &SourceQuery, _: &[FeedEntry]) -> Result<SourcePage, SourceFailure> {
        let hit = |address: &&str| SourceHit {
            address: (*address).to_owned(),
            title: "A page".into(),
            snippet: None,
            byline: None,
            outlet: None,
            published: None,
            language: None,
        };
        let hits: Vec<SourceHit> = self.0.keys().map(hit).collect();
        Ok(SourcePage { total: Some(hits.len() as u64), hits, next: None })
    }

    async fn feeds(&self) -> Result<Vec<FeedEntry>, FetchError> {
        Ok(vec![])
    }

    async fn feeds_at(&self, _: &str) -> Result<Vec<FoundFeed>, SourceFailure> {
        Ok(vec![])
    }
}

/// Words of which a text has the vector of the first that it contains.
const AXES: [&str; 7] = ["rent", "boycott", "clinic", "vigil", "threat", "raid", "guard"];

/// An embedder by the words of `AXES`. Texts without one are alike each other.
struct WordEmbedder;

#[async_trait]
impl Embedder for WordEmbedder {
    fn model(&self) -> &str {
        "words"
    }

    fn dimensions(&self) -> usize {
        AXES.len() + 1
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let vector = |text: &String| {
            let text = text.to_lowercase();
            let axis = AXES.iter().position(|word| text.contains(word)).unwrap_or(AXES.len());
            (0..=AXES.len()).map(|n| f32::from(u8::from(n == axis))).collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

/// State of the handlers with a model, a web and an embedder, and settings of the feature.
pub fn scripted_web(
    backend: &TestBackend,
    model: &Arc<ScriptedModel>,
    pages: &[(&'static str, &'static str)],
    settings: Value,
) -> Web {
    let mut web = TestSite::new(crate::feature(), backend).web;
    let pages = Arc::new(ScriptedWeb(pages.iter().copied().collect()));
    let mut parts: Parts = (*web.engine).clone();
    parts.fetch = Some(pages.clone());
    parts.catalogue = Some(pages);
    parts.embedder = Some(Arc::new(WordEmbedder));
    parts.role_models.analyst = model.clone().into();
    parts.role_models.processor = model.clone().into();
    parts.config.web.sources = vec!["pages".into()];
    web.engine = Engine::new(parts);
    let sections = BTreeMap::from([("tensions".to_owned(), settings)]);
    web.settings = FeatureSettings::read(&[crate::feature()], &sections).unwrap();
    web
}
