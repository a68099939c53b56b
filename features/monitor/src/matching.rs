//! Matching: products that arrived since the last round are scored against every active interest.
//!
//! Invariant: a match is stored only after its source has said that the person of the interest reads the product. Repeating a round changes
//! nothing: an interest and a product match once.

use crate::{
    dates::{DAY_MS, OVERLAP_MS, read_dates},
    index::{InterestIndex, ScoredProduct},
    interest::{Interest, InterestId, MatchId},
    judge::judge_waiting,
    score::{ProductFeatures, explain, quantised},
    settings::MonitorSettings,
    store::{IndexState, MatchDraft, MonitorStore},
};
use domain::{ObjectId, Timestamp, UserId};
use engine::{StoreResult, accounts::active_users};
use feature::{Product, ProductMark, ProductQuery, ProductSource, ReadPair, Web};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};
use tokio::sync::Mutex;

/// Most interests that are taken out of the index one by one; beyond, it is built anew.
const CHANGES: u32 = 10_000;
/// Candidates of a step from which they are stored before the next product is scored.
const MOST_CANDIDATES: usize = 100_000;

/// Interest that a product may match, with the position of the product in its step.
type Candidate = (InterestId, usize);

/// Key of the mark of the last round in which the embedder failed.
const EMBEDDING_FAILED: &str = "embedding_failed";

/// Index in memory, with the state of the interests that it was built from.
#[derive(Debug, Default)]
struct LoadedIndex {
    index: InterestIndex,
    state: Option<IndexState>,
}

/// Index of the process. A cheap clone.
#[derive(Clone, Default)]
struct SharedIndex(Arc<Mutex<LoadedIndex>>);

/// Products of one step with their features.
struct Step<'a> {
    source: ProductSource,
    products: &'a [(Product, ProductFeatures)],
}

/// Runs one round: embeds sentences, reads the days of reports, matches what arrived, and asks the model about borderline matches. A step
/// that fails does not stop the others.
pub async fn run_round(web: &Web) -> StoreResult<()> {
    let (store, settings) = (MonitorStore::new(web), web.settings.get::<MonitorSettings>());
    let mut has_failed = false;
    let steps = [
        ("vectors", embed_missing(web, &store, &settings, &mut has_failed).await),
        ("dates", read_dates(web, settings.products_per_round).await),
        ("matches", match_arrived(web, &mut has_failed).await),
        ("decisions", judge_waiting(web).await),
    ];
    for (step, result) in steps {
        if let Err(error) = result {
            web.engine.note_failure(&error);
            tracing::warn!(%error, step, "step of the matching failed, retrying in the next round");
        }
    }
    if has_failed {
        store.set_mark(EMBEDDING_FAILED, web.engine.clock.now()).await?;
    }
    let keep_ms = i64::from(settings.keep_days) * DAY_MS;
    store.remove_old_matches(web.engine.clock.now().plus_ms(-keep_ms)).await
}

/// Returns the last time within a day at which the embedder failed, and products were matched without likeness.
pub async fn embedding_failed_at(web: &Web) -> StoreResult<Option<Timestamp>> {
    let day_ago = web.engine.clock.now().plus_ms(-DAY_MS);
    Ok(MonitorStore::new(web).mark(EMBEDDING_FAILED).await?.filter(|at| *at > day_ago))
}

/// Stores the vectors of sentences that have none of the active model. `has_failed` is set when the embedder fails.
async fn embed_missing(web: &Web, store: &MonitorStore, settings: &MonitorSettings, has_failed: &mut bool) -> StoreResult<()> {
    let Some(embedder) = web.engine.embedder.as_deref() else { return Ok(()) };
    loop {
        let missing = store.without_vector(embedder.model(), settings.interests_per_step).await?;
        let texts: Vec<String> = missing.iter().map(|(_, sentence)| sentence.clone()).collect();
        if texts.is_empty() {
            return Ok(());
        }
        let Some(vectors) = embed(web, &texts).await else {
            *has_failed = true;
            return Ok(());
        };
        let vectors = missing.into_iter().zip(vectors).map(|((id, sentence), vector)| (id, sentence, vector));
        store.put_vectors(embedder.model(), &vectors.collect::<Vec<_>>(), web.engine.clock.now()).await?;
    }
}

/// Returns the quantised vectors of texts; none without an embedder, or when it fails, which is logged.
pub async fn embed(web: &Web, texts: &[String]) -> Option<Vec<Vec<i8>>> {
    match web.engine.embedder.as_deref()?.embed(texts).await {
        Ok(vectors) => Some(vectors.iter().map(|vector| quantised(vector)).collect()),
        Err(error) => {
            tracing::warn!(%error, "embedding failed, matching without likeness");
            None
        }
    }
}

/// Matches the products of all sources that arrived since their marks. After a failure of the embedder the round goes on without likeness.
async fn match_arrived(web: &Web, has_failed: &mut bool) -> StoreResult<()> {
    let shared: SharedIndex = web.memory.get_or_load("interests", async { SharedIndex::default() }).await;
    let mut loaded = shared.0.lock().await;
    refresh(web, &mut loaded).await?;
    for source in web.products.iter() {
        // One source does not stop the others.
        if let Err(error) = match_source(web, &loaded.index, *source, has_failed).await {
            web.engine.note_failure(&error);
            tracing::warn!(%error, source = source.key, "matching of a source failed, retrying in the next round");
        }
    }
    Ok(())
}

/// Brings the index up to the interests as they are stored: by what changed, or anew where some went.
async fn refresh(web: &Web, loaded: &mut LoadedIndex) -> StoreResult<()> {
    let state = MonitorStore::new(web).index_state().await?;
    if loaded.state == Some(state) {
        return Ok(());
    }
    if let Some(changed_at) = loaded.state.and_then(|before| before.changed_at) {
        // Another process may write a little later, by a clock that is behind.
        let since = changed_at.plus_ms(-OVERLAP_MS);
        for id in MonitorStore::new(web).inactive_since(since, CHANGES).await? {
            loaded.index.remove(id);
        }
        load_since(web, &mut loaded.index, since).await?;
    }
    if loaded.state.is_none() || loaded.index.len() as u64 != state.active || loaded.index.is_stale() {
        // The old index goes first: there is room for one.
        *loaded = LoadedIndex::default();
        let dimensions = web.engine.embedder.as_ref().map_or(0, |embedder| embedder.dimensions());
        let mut index = InterestIndex::new(dimensions, usize::try_from(state.active).unwrap_or_default());
        load_since(web, &mut index, Timestamp::from_micros(0)).await?;
        loaded.index = index;
    }
    loaded.state = Some(state);
    Ok(())
}

/// Puts the active interests that changed since a time into an index.
async fn load_since(web: &Web, index: &mut InterestIndex, since: Timestamp) -> StoreResult<()> {
    let (store, settings) = (MonitorStore::new(web), web.settings.get::<MonitorSettings>());
    let model = web.engine.embedder.as_ref().map_or(String::new(), |embedder| embedder.model().to_owned());
    let mut last: Option<InterestId> = None;
    loop {
        let page = store.active_interests(&model, since, last, settings.interests_per_step).await?;
        for (interest, vector) in &page {
            index.put(interest.id, &interest.draft, vector.as_deref());
        }
        match page.last() {
            Some((interest, _)) if page.len() == settings.interests_per_step as usize => last = Some(interest.id),
            _ => return Ok(()),
        }
    }
}

/// Matches the products of a source that arrived since its mark. The first round only sets the mark.
async fn match_source(web: &Web, index: &InterestIndex, source: ProductSource, has_failed: &mut bool) -> StoreResult<()> {
    let (store, settings) = (MonitorStore::new(web), web.settings.get::<MonitorSettings>());
    let now = web.engine.clock.now();
    let Some(mark) = store.mark(source.key).await? else { return store.set_mark(source.key, now).await };
    let (mut after, mut matched) = (ProductMark::before(mark.plus_ms(-OVERLAP_MS)), 0);
    loop {
        let query = ProductQuery::Arrived { after, limit: settings.products_per_step };
        let products = (source.list)(web.clone(), query).await?;
        let (number, last) = (products.len(), products.last().map(Product::mark));
        if index.len() > 0 && number > 0 {
            let products = with_features(web, products, has_failed).await;
            match_step(web, index, &Step { source, products: &products }, now).await?;
        }
        matched += number;
        match last {
            Some(last) if number == settings.products_per_step as usize => after = last,
            _ => return store.set_mark(source.key, now).await,
        }
        if matched >= settings.products_per_round as usize {
            // The next round goes on from there; `OVERLAP_MS` is taken off again.
            return store.set_mark(source.key, after.at.plus_ms(OVERLAP_MS)).await;
        }
    }
}

/// Returns products with their features; without vectors once the embedder `has_failed`.
pub async fn with_features(web: &Web, products: Vec<Product>, has_failed: &mut bool) -> Vec<(Product, ProductFeatures)> {
    let mut vectors = None;
    if web.engine.embedder.is_some() && !products.is_empty() && !*has_failed {
        let texts: Vec<String> = products.iter().map(|product| product.text.clone()).collect();
        vectors = embed(web, &texts).await;
        *has_failed = vectors.is_none();
    }
    let mut vectors = vectors.into_iter().flatten();
    let featured = products.into_iter().map(|product| {
        let features = ProductFeatures::new(&product, vectors.next());
        (product, features)
    });
    featured.collect()
}

/// Scores the products of a step, and stores the matches of those whom their source lets read them.
async fn match_step(web: &Web, index: &InterestIndex, step: &Step<'_>, now: Timestamp) -> StoreResult<()> {
    let margin = web.settings.get::<MonitorSettings>().judged_margin();
    let mut candidates: Vec<Candidate> = vec![];
    for (at, (product, features)) in step.products.iter().enumerate() {
        let scored = ScoredProduct { source: step.source.key, features, outlet: product.outlet };
        candidates.extend(index.candidates(scored, margin).into_iter().map(|(id, _)| (id, at)));
        // A large index takes a while; others of the process go on in between.
        tokio::task::yield_now().await;
        if candidates.len() >= MOST_CANDIDATES {
            match_candidates(web, step, std::mem::take(&mut candidates), now).await?;
        }
    }
    match_candidates(web, step, candidates, now).await
}

/// Stores the matches among candidates, batch by batch, each with few interests.
async fn match_candidates(web: &Web, step: &Step<'_>, mut candidates: Vec<Candidate>, now: Timestamp) -> StoreResult<()> {
    candidates.sort_unstable();
    let size = web.settings.get::<MonitorSettings>().interests_per_step as usize;
    for batch in candidates.chunks(size) {
        match_batch(web, step, batch, now).await?;
    }
    Ok(())
}

/// Stores the matches among a batch of candidates in one transaction.
async fn match_batch(web: &Web, step: &Step<'_>, batch: &[Candidate], now: Timestamp) -> StoreResult<()> {
    let (store, margin) = (MonitorStore::new(web), web.settings.get::<MonitorSettings>().judged_margin());
    let product_of = |at: usize| step.products[at].0.id;
    let ids: Vec<InterestId> = batch.iter().map(|(id, _)| *id).collect::<BTreeSet<_>>().into_iter().collect();
    let products: Vec<ObjectId> = batch.iter().map(|(_, at)| product_of(*at)).collect::<BTreeSet<_>>().into_iter().collect();
    let known: HashSet<(InterestId, ObjectId)> =
        store.known_matches(step.source.key, &ids, &products).await?.into_iter().collect();
    let model = web.engine.embedder.as_ref().map(|one| one.model());
    let interests: HashMap<InterestId, (Interest, Option<Vec<i8>>)> = store
        .with_vectors(&ids, model)
        .await?
        .into_iter()
        .map(|(interest, vector)| (interest.id, (interest, vector)))
        .collect();
    let mut found: Vec<(UserId, MatchDraft)> = vec![];
    for (id, at) in batch.iter().copied().filter(|(id, at)| !known.contains(&(*id, product_of(*at)))) {
        let Some((interest, vector)) = interests.get(&id) else { continue };
        let (product, features) = &step.products[at];
        // A new interest does not bring up what came before it: the preview has shown that.
        if !interest.is_active_at(now) || product.at < interest.created_at {
            continue;
        }
        let explanation = explain(&interest.draft, vector.as_deref(), features);
        let is_below = explanation.score < interest.draft.threshold;
        if explanation.score.saturating_add(margin) >= interest.draft.threshold {
            let draft = MatchDraft {
                id: MatchId(web.engine.ids.next()),
                interest: id,
                sentence: interest.draft.sentence.clone(),
                product: product.id,
                arrived_at: product.at,
                explanation,
                is_borderline: is_below,
            };
            found.push((interest.user, draft));
        }
    }
    keep_readable(web, step.source, &mut found).await?;
    let found: Vec<MatchDraft> = found.into_iter().map(|(_, draft)| draft).collect();
    match found.is_empty() {
        true => Ok(()),
        false => store.add_matches(step.source.key, &found, now).await,
    }
}

/// Keeps the matches of people who may sign in and read the product, with one statement for all of them.
async fn keep_readable(web: &Web, source: ProductSource, found: &mut Vec<(UserId, MatchDraft)>) -> StoreResult<()> {
    let people: BTreeSet<UserId> = found.iter().map(|(person, _)| *person).collect();
    let active = active_users(&web.engine, &Vec::from_iter(people)).await?;
    let of_active = found.iter().filter(|(person, _)| active.contains_key(person));
    let asked: BTreeSet<ReadPair> = of_active.map(|(person, draft)| (*person, draft.product)).collect();
    let readable: HashSet<ReadPair> = match asked.is_empty() {
        true => HashSet::new(),
        false => (source.read_pairs)(web.clone(), Vec::from_iter(asked)).await?.into_iter().collect(),
    };
    found.retain(|(person, draft)| readable.contains(&(*person, draft.product)));
    Ok(())
}
