//! Vectors: they follow, they go stale, they belong to a model.

use super::prelude::*;
use async_trait::async_trait;
use engine::embeddings::{EmbedError, Embedder, VectorKind, backfill_once};

/// Likeness by theme: a word of the same row is as good as another.
struct Themes {
    name: &'static str,
}

const THEMES: [&[&str]; 4] =
    [&["fire", "blaze", "burned"], &["water", "flood", "lock"], &["money", "paid", "tender"], &["front", "brigade"]];

#[async_trait]
impl Embedder for Themes {
    fn model(&self) -> &str {
        self.name
    }

    fn dimensions(&self) -> usize {
        THEMES.len() + 1
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let vector = |text: &String| {
            let text = text.to_lowercase();
            let mut vector: Vec<f32> =
                THEMES.iter().map(|words| f32::from(u8::from(words.iter().any(|word| text.contains(word))))).collect();
            vector.push(0.1);
            let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
            vector.into_iter().map(|number| number / length).collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

const MODEL: Themes = Themes { name: "themes-1" };

async fn fill(fixture: &GraphFixture, embedder: &Themes) {
    loop {
        let progress = backfill_once(&*fixture.graph, embedder, 2).await.unwrap();
        if progress.pending == 0 {
            return;
        }
        assert!(progress.added > 0, "the backfill moves");
    }
}

pub async fn the_backfill_embeds_new_texts(fixture: &GraphFixture) {
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "A blaze.");
    let lock = sheet.entity("Varrow Lock", "place");
    sheet.claim("A flood.", &[lock]);
    sheet.claim("A tender.", &[]);
    sheet.link(0, lock, "opened", &[0]);
    fixture.write(&sheet).await;
    assert_eq!(fixture.graph.vector_progress("themes-1").await.unwrap(), (6, 0));
    let first = backfill_once(&*fixture.graph, &MODEL, 2).await.unwrap();
    assert_eq!((first.added, first.done, first.pending), (5, 5, 1));
    fill(fixture, &MODEL).await;
    assert_eq!(fixture.graph.vector_progress("themes-1").await.unwrap(), (0, 6));
    assert_eq!(backfill_once(&*fixture.graph, &MODEL, 2).await.unwrap().added, 0);
}

pub async fn similarity_finds_claims_without_common_words(fixture: &GraphFixture) {
    let (home, other) = (collection(), collection());
    let mut sheet = mention(home, "a", "Halvek Front", "A blaze in the hall.");
    sheet.claim("A tender was won.", &[]);
    fixture.write(&sheet).await;
    fixture.write(&mention(other, "b", "Halvek Front", "A blaze elsewhere.")).await;
    fill(fixture, &MODEL).await;
    let scope = Scope::from(home);
    let query = ClaimQuery { text: Some("fire".into()), ..ClaimQuery::default() };
    let config = SearchConfig::default();
    let found = search_claims(&*fixture.graph, Some(&MODEL), &config, &scope, query.clone(), 9).await.unwrap();
    assert_eq!(found[0].item.content, "A blaze in the hall.");
    assert_eq!(found.len(), 1, "nothing that is unlike it, and nothing from the other collection");
    assert!(search_claims(&*fixture.graph, None, &config, &scope, query, 9).await.unwrap().is_empty());
    let vector = MODEL.embed(&["the brigade".into()]).await.unwrap().remove(0);
    let query = EntityQuery { vector: Some(("themes-1".into(), vector)), candidates: 9, ..EntityQuery::default() };
    let found = fixture.graph.find_entities(&scope, &query).await.unwrap();
    assert!(found[0].similarity.unwrap() > 0.9 && !found[0].text_matched && !found[0].item.embedding_pending);
}

pub async fn a_changed_text_waits_again(fixture: &GraphFixture) {
    let home = collection();
    let sheet = mention(home, "a", "Halvek Front", "A blaze.");
    let written = fixture.write(&sheet).await;
    fill(fixture, &MODEL).await;
    // The same name again changes no text.
    fixture.write(&mention(home, "b", "Halvek Front", "A flood.")).await;
    let waiting = fixture.graph.without_vector("themes-1", VectorKind::Entity, 9).await.unwrap();
    assert_eq!(waiting, []);
    let mut update = mention(home, "c", "Halvek Front", "They paid.");
    update.update(EntityRef::New(0), &[0]).summary = Some("They pay.".into());
    fixture.write(&update).await;
    let waiting = fixture.graph.without_vector("themes-1", VectorKind::Entity, 9).await.unwrap();
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].text, "Halvek Front. They pay.");
    let entity = fixture.graph.entities(&Scope::from(home), &[written.entities[0].id]).await.unwrap().remove(0);
    assert!(entity.embedding_pending);
}

pub async fn a_change_of_model_starts_anew(fixture: &GraphFixture) {
    let home = collection();
    fixture.write(&mention(home, "a", "Halvek Front", "A blaze.")).await;
    fill(fixture, &MODEL).await;
    let next = Themes { name: "themes-2" };
    assert_eq!(fixture.graph.vector_progress("themes-2").await.unwrap(), (2, 0));
    let config = SearchConfig::default();
    let query = ClaimQuery { text: Some("fire".into()), ..ClaimQuery::default() };
    let scope = Scope::from(home);
    assert!(search_claims(&*fixture.graph, Some(&next), &config, &scope, query.clone(), 9).await.unwrap().is_empty());
    fill(fixture, &next).await;
    assert_eq!(search_claims(&*fixture.graph, Some(&next), &config, &scope, query.clone(), 9).await.unwrap().len(), 1);
    assert_eq!(search_claims(&*fixture.graph, Some(&MODEL), &config, &scope, query, 9).await.unwrap().len(), 1);
}

pub async fn a_wrong_number_of_dimensions_is_refused(fixture: &GraphFixture) {
    fixture.write(&mention(collection(), "a", "Halvek Front", "A blaze.")).await;
    fill(fixture, &MODEL).await;
    let waiting = fixture.graph.without_vector("other", VectorKind::Claim, 9).await.unwrap();
    let result = fixture.graph.put_vectors("themes-1", VectorKind::Claim, &[(waiting[0].id, vec![1.0; 3])]).await;
    assert!(matches!(result, Err(StoreError::Invalid(_))));
    let query = ClaimQuery { vector: Some(("themes-1".into(), vec![1.0; 3])), candidates: 9, ..ClaimQuery::default() };
    let result = fixture.graph.find_claims(&Scope::from(collection()), &query).await;
    assert!(matches!(result, Err(StoreError::Invalid(_))) || result.is_ok_and(|found| found.is_empty()));
}

pub async fn a_late_vector_of_an_old_text_is_dropped(fixture: &GraphFixture) {
    let home = collection();
    fixture.write(&mention(home, "a", "Halvek Front", "A blaze.")).await;
    let old = fixture.graph.without_vector("themes-1", VectorKind::Entity, 9).await.unwrap();
    let mut update = mention(home, "b", "Halvek Front", "They paid.");
    update.update(EntityRef::New(0), &[0]).summary = Some("They pay.".into());
    fixture.write(&update).await;
    fixture.graph.put_vectors("themes-1", VectorKind::Entity, &[(old[0].id, vec![1.0; 5])]).await.unwrap();
    assert_eq!(fixture.graph.without_vector("themes-1", VectorKind::Entity, 9).await.unwrap().len(), 1);
}

/// Sixteen numbers that turn slowly with `n`.
fn turned(n: u32) -> Vec<f32> {
    (0..16).map(|i| (f64::from(n) / 40.0 + f64::from(i)).sin() as f32).collect()
}

pub async fn a_large_graph_returns_the_nearest_records(fixture: &GraphFixture) {
    let fixture = &fixture.with_config(GraphConfig { exact_vectors: 10, ..GraphConfig::default() }).await;
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "Statement 0.");
    for n in 1..200 {
        sheet.claim(&format!("Statement {n}."), &[]);
    }
    fixture.write(&sheet).await;
    let waiting = fixture.graph.without_vector("turned", VectorKind::Claim, 500).await.unwrap();
    let number = |text: &str| text.trim_end_matches('.').rsplit(' ').next().unwrap().parse::<u32>().unwrap();
    let vectors: Vec<_> = waiting.iter().map(|waiting| (waiting.id, turned(number(&waiting.text)))).collect();
    fixture.graph.put_vectors("turned", VectorKind::Claim, &vectors).await.unwrap();
    let query = ClaimQuery { vector: Some(("turned".into(), turned(77))), candidates: 3, ..ClaimQuery::default() };
    let found = fixture.graph.find_claims(&Scope::from(home), &query).await.unwrap();
    let mut numbers: Vec<u32> = found.iter().map(|candidate| number(&candidate.item.content)).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [76, 77, 78]);
}
