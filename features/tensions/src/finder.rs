//! Search for strain of newly extracted documents. Where the model that read a document named tensions, these are taken. Else its
//! claims are read with word lists, and grouped into tensions by kind, country and entity, then by likeness.
//!
//! Invariant: a document is searched once, in one transaction with what was found; repeating a search changes nothing.

mod extracted;
mod grouping;

use crate::{
    sample::{sample_collections, together},
    settings::TensionSettings,
    store::{
        AlikeCandidate, CandidateGroup, OriginTexts, StrainBatch, TensionStore, UnsearchedDocument, VectorId, vector_text,
    },
    taxonomy::{StatedStrain, Taxonomy},
    tension::{TensionId, day_number},
};
use domain::{CollectionId, DocumentId, EntityId, Scope, claim::Claim};
use engine::{
    Engine, StoreError, StoreResult,
    embeddings::{Embedder, cosine},
    graph::{ClaimOrder, ClaimQuery},
    library::origins,
};
use extracted::{add_to_batch, document_tensions};
use feature::{Web, region::Regions};
use grouping::{Finding, Grouping, Subject};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, hash_map::Entry};

/// Findings of some documents, with the vectors of the tensions that they begin.
struct SearchResult {
    batch: StrainBatch,
    vectors: Vec<(TensionId, Vec<f32>)>,
}

/// New tensions that are alike a known one, with that, and the vectors of the others.
#[derive(Default)]
struct Likenesses {
    alike: HashMap<TensionId, TensionId>,
    vectors: Vec<(TensionId, Vec<f32>)>,
}

/// Searches one batch of documents; returns how many were searched. Those that wait for the embedder are left for another round.
pub async fn find_once(web: &Web) -> StoreResult<usize> {
    let (store, settings) = (TensionStore::new(web), web.settings.get::<TensionSettings>());
    let mut searched = 0;
    let mut by_collection: BTreeMap<CollectionId, Vec<UnsearchedDocument>> = BTreeMap::new();
    for document in store.unsearched(settings.documents_per_round).await? {
        by_collection.entry(document.collection).or_default().push(document);
    }
    for (collection, documents) in by_collection {
        let number = documents.len();
        match search_collection(web, &store, &settings, collection, documents).await {
            Ok(true) => searched += number,
            Ok(false) => {}
            // What the other process stored stands.
            Err(StoreError::Stale(reason)) => {
                tracing::debug!(reason, "search for strain repeated");
                searched += number;
            }
            // One collection does not stop the others. It is searched again in the next round.
            Err(error) => {
                web.engine.note_failure(&error);
                tracing::warn!(%error, %collection, "search of a collection for strain failed, retrying");
            }
        }
    }
    embed_missing::<TensionId>(web, &store, &settings).await?;
    Ok(searched)
}

/// Searches documents of one collection and stores what was found; returns false where they wait for the embedder.
async fn search_collection(
    web: &Web,
    store: &TensionStore,
    settings: &TensionSettings,
    collection: CollectionId,
    documents: Vec<UnsearchedDocument>,
) -> StoreResult<bool> {
    let Some(found) = search_documents(web, settings, collection, documents).await? else { return Ok(false) };
    store.record(&found.batch, web.engine.clock.now()).await?;
    if let Some(embedder) = web.engine.embedder.as_deref() {
        store.put_vectors(embedder.model(), &found.vectors).await?;
    }
    Ok(true)
}

/// Returns what the claims of documents of one collection state; none where the embedder fails.
async fn search_documents(
    web: &Web,
    settings: &TensionSettings,
    collection: CollectionId,
    documents: Vec<UnsearchedDocument>,
) -> StoreResult<Option<SearchResult>> {
    let (engine, store) = (&web.engine, TensionStore::new(web));
    let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
    let claims = claims_of(engine, settings, collection, &ids).await?;
    let mut findings = read_claims(engine, collection, &documents, &claims).await?;
    let today = day_number(engine.clock.now());
    let mut named = document_tensions(store.extracted(&ids).await?, &documents, &claims, settings.extracted_confidence, today);
    // What the model named takes the place of the word lists; denials stay.
    let by_model: HashSet<DocumentId> = named.iter().map(|one| one.document).collect();
    findings.retain(|finding| finding.evidence.is_against || !by_model.contains(&finding.evidence.document));
    // Evidence may join a tension that everybody sees; a new tension belongs to the collection of its document.
    let open = engine.accounts.open_scope().await?;
    let scope = together(&open, &sample_collections(engine).await?, collection);
    let subjects: BTreeSet<String> = findings.iter().map(|finding| finding.subject.key.clone()).collect();
    let subjects = Vec::from_iter(subjects);
    let rows = findings.iter().map(|finding| &finding.evidence).chain(named.iter().flat_map(|one| &one.draft.evidence));
    let texts: BTreeSet<String> = rows.map(|evidence| evidence.origin.clone()).collect();
    let leaders = origins::find_connected(&*engine.documents, &scope, &engine.config.origins, &texts).await?;
    for finding in &mut findings {
        if let Some(leader) = leaders.get(&finding.evidence.origin) {
            finding.evidence.origin.clone_from(leader);
        }
    }
    named.iter_mut().for_each(|one| one.draft.lead_origins(&leaders));
    let dismissed = dismissed_origins(&store, &scope, &subjects, &leaders).await?;
    findings.retain(|finding| !dismissed.contains(&(finding.subject.key.clone(), finding.evidence.origin.clone())));
    let known = store.known_subjects(&scope, &subjects).await?;
    let now = engine.clock.now();
    let mut grouping = Grouping::new(known, i64::from(settings.quiet_days));
    grouping.add_all(findings, || TensionId(engine.ids.next()));
    let Some(found) = find_likenesses(engine, &store, settings, &scope, &grouping).await? else { return Ok(None) };
    let mut batch = grouping.into_batch(ids, &found.alike, collection, settings.stated_confidence, now);
    // A private text changes and explains nothing of what others see.
    let changed = if open.sees(collection) { scope.clone() } else { Scope::from(collection) };
    add_to_batch(web, collection, (&scope, &changed), named, &leaders, &mut batch).await?;
    batch.origins = joined_origins(leaders, &changed);
    Ok(Some(SearchResult { batch, vectors: found.vectors }))
}

/// Returns the dismissed origins of subjects: what a person has dismissed stays so when another document repeats it.
pub async fn dismissed_origins(
    store: &TensionStore,
    scope: &Scope,
    subjects: &[String],
    leaders: &BTreeMap<String, String>,
) -> StoreResult<HashSet<(String, String)>> {
    let texts = store.dismissed_texts(scope, subjects).await?.into_iter();
    Ok(texts.map(|(subject, text)| (subject, leaders.get(&text).cloned().unwrap_or(text))).collect())
}

/// Returns the origins of several texts.
fn joined_origins(leaders: BTreeMap<String, String>, scope: &Scope) -> Vec<OriginTexts> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (text, origin) in leaders {
        texts.entry(origin).or_default().push(text);
    }
    let several = texts.into_iter().filter(|(_, texts)| texts.len() > 1);
    several.map(|(origin, texts)| OriginTexts { origin, texts, scope: scope.clone() }).collect()
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
    let strains: Vec<(&Claim, StatedStrain<'_>)> = claims
        .iter()
        .filter(|claim| claim.occurred.is_some() || !taxonomy.is_past(&claim.content, stated_year(claim)))
        .filter_map(|claim| Some((claim, taxonomy.read(&claim.content, claim.mode)?)))
        .collect();
    if strains.is_empty() {
        return Ok(vec![]);
    }
    let places = document_places(regions, claims);
    let uses = entity_uses(&strains);
    let names = entity_names(engine, collection, &uses).await?;
    // The entity that most claims of the document are about, by name among equals; no country, which is the region.
    let most_used = |document: DocumentId, ids: &mut dyn Iterator<Item = EntityId>| {
        let named = ids.filter_map(|id| {
            let name = names.get(&id).filter(|name| regions.country_named(name).is_none())?;
            Some((*uses.get(&(document, id))?, name, id))
        });
        let most = named.min_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(other.1)));
        most.map(|(_, name, id)| (id, name.clone()))
    };
    let documents: HashMap<DocumentId, &UnsearchedDocument> = documents.iter().map(|one| (one.id, one)).collect();
    let today = day_number(engine.clock.now());
    let finding = |(claim, strain): &(&Claim, StatedStrain<'_>)| {
        let document = documents.get(&claim.document_id)?;
        let mut region = regions.common(regions.places_in(&claim.content));
        if let (true, Some(place)) = (region.is_unknown(), places.get(&claim.document_id)) {
            region = regions.common([*place]);
        }
        let own = most_used(claim.document_id, &mut claim.entity_ids.iter().copied());
        // A statement that names nothing goes on about the subject of its document.
        let of_document = || {
            let mut ids = uses.keys().filter(|(document, _)| *document == claim.document_id).map(|(_, id)| *id);
            most_used(claim.document_id, &mut ids)
        };
        let about = own.or_else(of_document);
        let subject = Subject::new(strain, region, about, &document.text_sha256);
        Some(Finding::new(claim, document, strain, subject, today))
    };
    Ok(strains.iter().filter_map(finding).collect())
}

/// Returns the country that most claims of each document name as a place, if any.
fn document_places<'a>(regions: &'a Regions, claims: &[Claim]) -> HashMap<DocumentId, &'a str> {
    let mut texts: HashMap<DocumentId, Vec<&str>> = HashMap::new();
    for claim in claims {
        texts.entry(claim.document_id).or_default().push(&claim.content);
    }
    texts.into_iter().filter_map(|(id, texts)| Some((id, regions.most_named(&texts)?))).collect()
}

/// Returns the year of the publication of a claim, else of its capture.
fn stated_year(claim: &Claim) -> i32 {
    let stated = claim.published.map_or(claim.ingested_at, |published| published.value);
    stated.to_datetime().format("%Y").to_string().parse().unwrap_or(i32::MAX)
}

/// Returns the number of statements of strain that are about an entity, by document.
fn entity_uses(strains: &[(&Claim, StatedStrain<'_>)]) -> BTreeMap<(DocumentId, EntityId), u32> {
    let mut uses: BTreeMap<(DocumentId, EntityId), u32> = BTreeMap::new();
    for (claim, _) in strains {
        for id in &claim.entity_ids {
            *uses.entry((claim.document_id, *id)).or_default() += 1;
        }
    }
    uses
}

/// Returns the names of the entities that statements of strain are about.
async fn entity_names(
    engine: &Engine,
    collection: CollectionId,
    uses: &BTreeMap<(DocumentId, EntityId), u32>,
) -> StoreResult<HashMap<EntityId, String>> {
    let ids: BTreeSet<EntityId> = uses.keys().map(|(_, id)| *id).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let entities = engine.graph.entities(&Scope::from(collection), &Vec::from_iter(ids)).await?;
    Ok(entities.into_iter().map(|entity| (entity.id, entity.canonical_name)).collect())
}

/// Returns for new tensions the known one of their kind, place and time that is alike, where there are vectors; none where the
/// embedder fails.
async fn find_likenesses(
    engine: &Engine,
    store: &TensionStore,
    settings: &TensionSettings,
    scope: &Scope,
    grouping: &Grouping,
) -> StoreResult<Option<Likenesses>> {
    let texts: Vec<String> = grouping.new_tensions().map(|new| vector_text(&new.title(), new.statement())).collect();
    let mut found = Likenesses::default();
    let Some(embedder) = engine.embedder.as_deref().filter(|_| !texts.is_empty()) else { return Ok(Some(found)) };
    let Some(vectors) = embed(embedder, &texts).await else { return Ok(None) };
    let mut by_kind: HashMap<&str, Vec<AlikeCandidate>> = HashMap::new();
    for (new, vector) in grouping.new_tensions().zip(vectors) {
        let kind = CandidateGroup::Kind(new.kind().to_owned());
        let known = match by_kind.entry(new.kind()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(store.alike_candidates(scope, &kind, embedder.model()).await?),
        };
        let near = known.iter().filter(|known| new.may_be(known, i64::from(settings.quiet_days)));
        let near = near.map(|known| (known.id, cosine(&vector, &known.vector)));
        let best = near.max_by(|one, other| one.1.total_cmp(&other.1).then_with(|| other.0.cmp(&one.0)));
        match best.filter(|(_, likeness)| *likeness >= settings.same_likeness) {
            Some((id, _)) => {
                found.alike.insert(new.id(), id);
            }
            None => found.vectors.push((new.id(), vector)),
        }
    }
    Ok(Some(found))
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

/// Stores the vectors of tensions or responses that have none of the active model.
pub async fn embed_missing<I: VectorId>(web: &Web, store: &TensionStore, settings: &TensionSettings) -> StoreResult<()> {
    let Some(embedder) = web.engine.embedder.as_deref() else { return Ok(()) };
    loop {
        let missing = store.without_vector::<I>(embedder.model(), settings.vectors_per_round).await?;
        let texts: Vec<String> = missing.iter().map(|(_, text)| text.clone()).collect();
        if texts.is_empty() {
            return Ok(());
        }
        let Some(vectors) = embed(embedder, &texts).await else { return Ok(()) };
        let vectors: Vec<(I, Vec<f32>)> = missing.into_iter().map(|(id, _)| id).zip(vectors).collect();
        store.put_vectors(embedder.model(), &vectors).await?;
    }
}
