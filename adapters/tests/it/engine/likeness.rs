//! Search for assessments of a similar meaning.

use super::prelude::*;
use engine::{
    embeddings::{EmbedError, Embedder},
    investigations,
};
use views::{SearchKind, SearchQuery};

/// Knows two meanings: fires, and everything else.
struct Fires;

#[async_trait]
impl Embedder for Fires {
    fn model(&self) -> &'static str {
        "fires"
    }

    fn dimensions(&self) -> usize {
        2
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let is_fire = |text: &String| ["fire", "blaze"].iter().any(|word| text.to_lowercase().contains(word));
        Ok(texts.iter().map(|text| if is_fire(text) { vec![1.0, 0.0] } else { vec![0.0, 1.0] }).collect())
    }
}

#[tokio::test]
async fn an_assessment_of_a_similar_meaning_is_related_until_it_is_archived() {
    let mut world = World::open(&folder(), 77, |parts| parts.embedder = Some(Arc::new(Fires))).await;
    let ada = world.person("ada").await;
    let collection = world.collection(&ada).await;
    world.ingest(collection, &three_reports()).await;
    let asked = world.ask(&ada, collection, FIRE_QUESTION).await;
    world.start(1);
    world.end_of(asked.id).await;
    let engine = &world.engine;
    for one in engine.assessments.without_vector("fires", 9).await.unwrap() {
        engine.assessments.put_vectors("fires", &[(one.id, vec![1.0, 0.0])]).await.unwrap();
    }
    let related = async |words: &str, is_words_only: bool| {
        let query = SearchQuery { words: words.into(), is_words_only, ..Default::default() };
        let groups = engine.search_view(&ada, query).await.unwrap().groups;
        let group = groups.into_iter().find(|group| group.kind == SearchKind::Assessments);
        group.map_or(0, |group| group.related.len())
    };
    assert_eq!(related("blaze", false).await, 1);
    assert_eq!(related("blaze", true).await, 0, "by words alone");
    assert_eq!(related("harvest", false).await, 0, "of another meaning");
    let by = Actor { user: Some(ada.id), address: None };
    assert_eq!(investigations::archive(engine, &ada, by, &[asked.id]).await.unwrap(), [asked.id]);
    assert_eq!(related("blaze", false).await, 0);
    world.close().await;
}
