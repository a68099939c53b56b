//! Search for stated strain: claims of newly extracted documents are read with word lists, and grouped into tensions by theme, kind
//! and place, then by likeness.
//!
//! Invariant: a document is searched once per extraction, in one transaction with what was found; repeating a search changes nothing.

mod grouping;

use crate::{
    region::Regions,
    sample::sample_collections,
    settings::TensionSettings,
    store::{StrainBatch, TensionStore, UnsearchedDocument, likeness, vector_text},
    taxonomy::{StatedStrain, Taxonomy},
    tension::{TensionId, day_number},
};
use domain::{CollectionId, DocumentId, EntityId, Scope, claim::Claim};
use engine::{
    Engine, StoreError, StoreResult,
    embeddings::Embedder,
    graph::{ClaimOrder, ClaimQuery},
    library::origins,
};
use feature::Web;
use grouping::{Finding, Grouping, Subject};
use std::collections::{BTreeMap, BTreeSet, HashMap, hash_map::Entry};

/// Searches one batch of documents; returns how many were searched.
pub async fn find_once(web: &Web) -> StoreResult<usize> {
    let (store, settings) = (TensionStore::new(web), web.settings.get::<TensionSettings>());
    let documents = store.unsearched(settings.documents_per_round).await?;
    let number = documents.len();
    let mut by_collection: BTreeMap<CollectionId, Vec<UnsearchedDocument>> = BTreeMap::new();
    for document in documents {
        by_collection.entry(document.collection).or_default().push(document);
    }
    let mut failed = 0;
    for (collection, documents) in by_collection {
        let size = documents.len();
        let found = search_documents(web, &settings, collection, documents).await;
        let recorded = match found {
            Ok(batch) => store.record(&batch, web.engine.clock.now()).await,
            Err(error) => Err(error),
        };
        match recorded {
            Ok(()) => {}
            // What the other process stored stands.
            Err(StoreError::Stale(reason)) => tracing::debug!(reason, "search for strain repeated"),
            // One collection does not stop the others. It is searched again in the next round.
            Err(error) => {
                web.engine.note_failure(&error);
                tracing::warn!(%error, %collection, "search of a collection for strain failed, retrying");
                failed += size;
            }
        }
    }
    embed_missing(web, &store, &settings).await?;
    Ok(number - failed)
}

/// Returns what the claims of documents of one collection state.
async fn search_documents(
    web: &Web,
    settings: &TensionSettings,
    collection: CollectionId,
    documents: Vec<UnsearchedDocument>,
) -> StoreResult<StrainBatch> {
    let (engine, store) = (&web.engine, TensionStore::new(web));
    let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
    let claims = claims_of(engine, settings, collection, &ids).await?;
    let mut findings = read_claims(engine, collection, &documents, &claims).await?;
    let scope = joined_scope(engine, collection).await?;
    let texts: BTreeSet<String> = findings.iter().map(|finding| finding.evidence.origin.clone()).collect();
    let leaders = origins::find(&*engine.documents, &scope, &engine.config.origins, &texts).await?;
    for finding in &mut findings {
        if let Some(leader) = leaders.get(&finding.evidence.origin) {
            finding.evidence.origin.clone_from(leader);
        }
    }
    let subjects: BTreeSet<String> = findings.iter().map(|finding| finding.subject.key.clone()).collect();
    let known = store.known_subjects(&scope, &Vec::from_iter(subjects)).await?;
    let now = engine.clock.now();
    let mut grouping = Grouping::new(known, i64::from(settings.quiet_days));
    grouping.add_all(findings, || TensionId(engine.ids.next()));
    let alike = alike_tensions(engine, &store, settings, &scope, &grouping).await?;
    Ok(grouping.into_batch(ids, &alike, collection, settings.stated_confidence, now))
}

/// Returns the collections whose tensions evidence from `collection` may join: its own, and those that everybody reads. The invented
/// events of the sample and real ones never share a tension. A new tension belongs to the collection of its document.
async fn joined_scope(engine: &Engine, collection: CollectionId) -> StoreResult<Scope> {
    let samples = sample_collections(engine).await?;
    if samples.iter().any(|sample| sample.id == collection) {
        return Ok(Scope::from(collection));
    }
    let open = engine.accounts.open_scope().await?;
    Ok(samples.iter().fold(open, |scope, sample| scope.without(sample.id)).with(collection))
}

/// Returns all claims of documents.
pub async fn claims_of(
    engine: &Engine,
    settings: &TensionSettings,
    collection: CollectionId,
    documents: &[DocumentId],
) -> StoreResult<Vec<Claim>> {
    let (scope, mut claims) = (Scope::from(collection), vec![]);
    loop {
        let query = ClaimQuery {
            document_ids: documents.to_vec(),
            order: ClaimOrder::DocumentOrder,
            skip: claims.len() as u64,
            candidates: settings.claims_per_page,
            ..ClaimQuery::default()
        };
        let page = engine.graph.find_claims(&scope, &query).await?;
        let is_last = page.len() < settings.claims_per_page as usize;
        claims.extend(page.into_iter().map(|candidate| candidate.item));
        if is_last {
            return Ok(claims);
        }
    }
}

/// Returns the findings in claims, with the hash of their text as origin.
async fn read_claims(
    engine: &Engine,
    collection: CollectionId,
    documents: &[UnsearchedDocument],
    claims: &[Claim],
) -> StoreResult<Vec<Finding>> {
    let (taxonomy, regions) = (Taxonomy::shared(), Regions::shared());
    let strains: Vec<(&Claim, StatedStrain<'_>)> =
        claims.iter().filter_map(|claim| Some((claim, taxonomy.read(&claim.content, claim.mode)?))).collect();
    if strains.is_empty() {
        return Ok(vec![]);
    }
    let places = document_places(regions, claims);
    let names = entity_names(engine, collection, &strains).await?;
    let documents: HashMap<DocumentId, &UnsearchedDocument> = documents.iter().map(|one| (one.id, one)).collect();
    let today = day_number(engine.clock.now());
    let finding = |(claim, strain): &(&Claim, StatedStrain<'_>)| {
        let document = documents.get(&claim.document_id)?;
        let mut region = regions.common(regions.countries_in(&claim.content));
        if let (true, Some(place)) = (region.is_unknown(), places.get(&claim.document_id)) {
            region = regions.common([*place]);
        }
        let about = claim.entity_ids.iter().filter_map(|id| names.get(id).map(|(uses, name)| (*uses, name, *id)));
        // The entity that most claims are about, by name among equals.
        let about = about.min_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(other.1)));
        let about = about.map(|(_, name, id)| (id, name.clone()));
        let subject = Subject::new(strain, region, about, &document.text_sha256);
        Some(Finding::new(claim, document, strain, subject, today))
    };
    Ok(strains.iter().filter_map(finding).collect())
}

/// Returns the country that most claims of each document name, if any.
fn document_places<'a>(regions: &'a Regions, claims: &[Claim]) -> HashMap<DocumentId, &'a str> {
    let mut counts: BTreeMap<DocumentId, BTreeMap<&str, u32>> = BTreeMap::new();
    for claim in claims {
        for country in regions.countries_in(&claim.content) {
            *counts.entry(claim.document_id).or_default().entry(country).or_default() += 1;
        }
    }
    let most = |counts: BTreeMap<&'a str, u32>| counts.into_iter().rev().max_by_key(|(_, count)| *count);
    counts.into_iter().filter_map(|(id, counts)| Some((id, most(counts)?.0))).collect()
}

/// Returns the names of the entities that statements of strain are about, with the number of these statements.
async fn entity_names(
    engine: &Engine,
    collection: CollectionId,
    strains: &[(&Claim, StatedStrain<'_>)],
) -> StoreResult<HashMap<EntityId, (u32, String)>> {
    let mut uses: BTreeMap<EntityId, u32> = BTreeMap::new();
    for id in strains.iter().flat_map(|(claim, _)| &claim.entity_ids) {
        *uses.entry(*id).or_default() += 1;
    }
    if uses.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<EntityId> = uses.keys().copied().collect();
    let entities = engine.graph.entities(&Scope::from(collection), &ids).await?;
    let named = |entity: domain::entity::Entity| Some((entity.id, (*uses.get(&entity.id)?, entity.canonical_name)));
    Ok(entities.into_iter().filter_map(named).collect())
}

/// Returns for new tensions the known one of the same theme that is alike, where there are vectors.
async fn alike_tensions(
    engine: &Engine,
    store: &TensionStore,
    settings: &TensionSettings,
    scope: &Scope,
    grouping: &Grouping,
) -> StoreResult<HashMap<TensionId, TensionId>> {
    let texts: Vec<String> = grouping.new_tensions().map(|new| vector_text(&new.title(), new.statement())).collect();
    let Some(embedder) = engine.embedder.as_deref().filter(|_| !texts.is_empty()) else { return Ok(HashMap::new()) };
    let Some(vectors) = embed(embedder, &texts).await else { return Ok(HashMap::new()) };
    let mut by_theme: HashMap<&str, Vec<(TensionId, Vec<f32>)>> = HashMap::new();
    let mut alike = HashMap::new();
    for (new, vector) in grouping.new_tensions().zip(vectors) {
        let theme = new.theme();
        let known = match by_theme.entry(theme) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(store.vectors(scope, theme, embedder.model()).await?),
        };
        let known = known.iter().map(|(id, other)| (*id, likeness(&vector, other)));
        let best = known.max_by(|one, other| one.1.total_cmp(&other.1).then_with(|| other.0.cmp(&one.0)));
        if let Some((id, _)) = best.filter(|(_, likeness)| *likeness >= settings.same_likeness) {
            alike.insert(new.id(), id);
        }
    }
    Ok(alike)
}

/// Returns the vectors of texts; none when the embedder fails, which is logged.
pub async fn embed(embedder: &dyn Embedder, texts: &[String]) -> Option<Vec<Vec<f32>>> {
    match embedder.embed(texts).await {
        Ok(vectors) => Some(vectors),
        Err(error) => {
            tracing::warn!(%error, "embedding failed, retrying in the next round");
            None
        }
    }
}

/// Stores the vectors of tensions that have none of the active model.
pub async fn embed_missing(web: &Web, store: &TensionStore, settings: &TensionSettings) -> StoreResult<()> {
    let Some(embedder) = web.engine.embedder.as_deref() else { return Ok(()) };
    loop {
        let missing = store.without_vector(embedder.model(), settings.vectors_per_round).await?;
        let texts: Vec<String> = missing.iter().map(|(_, text)| text.clone()).collect();
        if texts.is_empty() {
            return Ok(());
        }
        let Some(vectors) = embed(embedder, &texts).await else { return Ok(()) };
        let vectors: Vec<(TensionId, Vec<f32>)> = missing.into_iter().map(|(id, _)| id).zip(vectors).collect();
        store.put_vectors(embedder.model(), &vectors).await?;
    }
}

/// Stores the vectors of responses that have none of the active model.
pub async fn embed_missing_responses(web: &Web, store: &TensionStore, settings: &TensionSettings) -> StoreResult<()> {
    let Some(embedder) = web.engine.embedder.as_deref() else { return Ok(()) };
    loop {
        let missing = store.responses_without_vector(embedder.model(), settings.vectors_per_round).await?;
        let texts: Vec<String> = missing.iter().map(|(_, text)| text.clone()).collect();
        if texts.is_empty() {
            return Ok(());
        }
        let Some(vectors) = embed(embedder, &texts).await else { return Ok(()) };
        let vectors: Vec<_> = missing.into_iter().map(|(id, _)| id).zip(vectors).collect();
        store.put_response_vectors(embedder.model(), &vectors).await?;
    }
}
