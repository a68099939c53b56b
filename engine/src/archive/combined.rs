//! Combined store: state and graph of two services, exported as one store.
//!
//! Two services have no common moment: the graph is read after the state snapshot, while it may grow.
//!
//! Graph records newer than the state are left out, with everything that depends on them: unknown documents, their claims, and
//! facts resting only on these. Nothing is lost, because such documents are extracted again. A collection removed from the graph
//! meanwhile ends the export with `Stale`; repeat it.

use super::{
    ArchiveRecord, ArchiveStore, PageSize, RecordKind, Snapshot,
    graph::{
        self, ClaimRecord, CollectionRecord, DocumentRecord, EntityRecord, FactRecord, MergeRecord, RelationshipRecord,
        ReviewRecord, VectorRecord, VectorTarget,
    },
};
use crate::{StoreError, StoreResult, archive::graph::KINDS};
use async_trait::async_trait;
use domain::{ClaimId, CollectionId, DocumentId, EntityId, RelationshipId};
use serde_json::Value;
use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};
use uuid::Uuid;

/// Kind of the state store that lists the documents.
const DOCUMENTS_OF_STATE: RecordKind = RecordKind("documents");

/// State store and graph store as one.
pub struct CombinedStore {
    state: Arc<dyn ArchiveStore>,
    graph: Arc<dyn ArchiveStore>,
}

impl CombinedStore {
    pub fn new(state: Arc<dyn ArchiveStore>, graph: Arc<dyn ArchiveStore>) -> Self {
        Self { state, graph }
    }

    fn store_for(&self, kind: RecordKind) -> &Arc<dyn ArchiveStore> {
        if KINDS.contains(&kind) { &self.graph } else { &self.state }
    }
}

#[async_trait]
impl ArchiveStore for CombinedStore {
    fn kinds(&self) -> Vec<RecordKind> {
        self.state.kinds().into_iter().chain(self.graph.kinds()).collect()
    }

    async fn snapshot(&self) -> StoreResult<Box<dyn Snapshot>> {
        // Read before the state: a collection marked as removed here is missing there too, or will be removed again.
        let removed = removed_from(&*self.graph).await?;
        let (state, graph) = (self.state.snapshot().await?, self.graph.snapshot().await?);
        Ok(Box::new(CombinedSnapshot { state, graph, now: self.graph.clone(), removed, seen: RetainedRefs::default() }))
    }

    async fn import(&self, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()> {
        self.store_for(kind).import(kind, records).await
    }

    fn canonical(&self, kind: RecordKind, line: &str) -> StoreResult<String> {
        self.store_for(kind).canonical(kind, line)
    }
}

struct CombinedSnapshot {
    state: Box<dyn Snapshot>,
    graph: Box<dyn Snapshot>,
    /// Live graph.
    now: Arc<dyn ArchiveStore>,
    /// Collections removed before the snapshot.
    removed: BTreeSet<CollectionId>,
    seen: RetainedRefs,
}

/// Returns the removed collections of a graph.
async fn removed_from(graph: &dyn ArchiveStore) -> StoreResult<BTreeSet<CollectionId>> {
    const PAGE: PageSize = PageSize { records: 1_000, bytes: usize::MAX };
    let mut graph = graph.snapshot().await?;
    let (mut removed, mut after) = (BTreeSet::new(), None);
    loop {
        let page = graph.page(graph::COLLECTIONS, after.as_deref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(removed) };
        after = Some(last.place.clone());
        for record in &page {
            let CollectionRecord { id, removed: is_removed } = graph::read(&record.line)?;
            removed.extend(is_removed.then_some(id));
        }
    }
}

#[async_trait]
impl Snapshot for CombinedSnapshot {
    /// May count a few graph records too many while the graph grows.
    async fn count(&mut self, kind: RecordKind) -> StoreResult<u64> {
        if KINDS.contains(&kind) { self.graph.count(kind).await } else { self.state.count(kind).await }
    }

    async fn page(&mut self, kind: RecordKind, after: Option<&str>, size: PageSize) -> StoreResult<Vec<ArchiveRecord>> {
        if !KINDS.contains(&kind) {
            let page = self.state.page(kind, after, size).await?;
            if kind == DOCUMENTS_OF_STATE {
                page.iter().try_for_each(|record| self.seen.document(&record.line))?;
            }
            return Ok(page);
        }
        let mut after = after.map(str::to_owned);
        loop {
            let page = self.graph.page(kind, after.as_deref(), size).await?;
            let Some(last) = page.last() else {
                if KINDS.last() == Some(&kind) && removed_from(&*self.now).await? != self.removed {
                    return Err(StoreError::Stale("a collection was removed while it was read: do it again"));
                }
                return Ok(page);
            };
            after = Some(last.place.clone());
            let mut kept = Vec::with_capacity(page.len());
            for record in page {
                kept.extend(self.seen.keep(kind, record)?);
            }
            if !kept.is_empty() {
                return Ok(kept);
            }
        }
    }
}

/// Ids of exported records that later records may refer to.
#[derive(Default)]
struct RetainedRefs {
    documents: HashSet<DocumentId>,
    entities: HashSet<EntityId>,
    claims: HashSet<ClaimId>,
    relationships: HashSet<RelationshipId>,
    /// Entities per collection.
    views: HashSet<(EntityId, CollectionId)>,
}

impl RetainedRefs {
    fn document(&mut self, line: &str) -> StoreResult<()> {
        let line: Value = graph::read(line)?;
        let id: Option<Uuid> = line["id"].as_str().and_then(|id| id.parse().ok());
        self.documents.extend(id.map(DocumentId));
        Ok(())
    }

    fn has(&self, entities: impl IntoIterator<Item = EntityId>) -> bool {
        entities.into_iter().all(|entity| self.entities.contains(&entity))
    }

    /// Returns the exported claims of a list; none when all of them are missing.
    fn evidence(&self, claims: Vec<ClaimId>) -> Option<Vec<ClaimId>> {
        let had_some = !claims.is_empty();
        let left: Vec<ClaimId> = claims.into_iter().filter(|claim| self.claims.contains(claim)).collect();
        (!had_some || !left.is_empty()).then_some(left)
    }

    /// Removes references to records left out; none when nothing remains.
    fn keep(&mut self, kind: RecordKind, record: ArchiveRecord) -> StoreResult<Option<ArchiveRecord>> {
        let line = match kind {
            graph::DOCUMENTS => {
                let document: DocumentRecord = graph::read(&record.line)?;
                self.documents.contains(&document.id).then_some(record.line)
            }
            graph::ENTITIES => {
                self.entities.insert(graph::read::<EntityRecord>(&record.line)?.id);
                Some(record.line)
            }
            graph::CLAIMS => {
                let claim: ClaimRecord = graph::read(&record.line)?;
                let is_whole =
                    self.documents.contains(&claim.document) && self.has(claim.entities.iter().copied().chain(claim.outlet));
                if is_whole {
                    self.claims.insert(claim.id);
                }
                is_whole.then_some(record.line)
            }
            graph::FACTS => self.fact(graph::read(&record.line)?)?,
            graph::RELATIONSHIPS => self.relationship(graph::read(&record.line)?)?,
            graph::MERGES => {
                let merge: MergeRecord = graph::read(&record.line)?;
                self.has([merge.survivor, merge.merged]).then_some(record.line)
            }
            graph::REVIEWS => {
                let review: ReviewRecord = graph::read(&record.line)?;
                self.has([review.left, review.right]).then_some(record.line)
            }
            graph::VECTORS => {
                let is_there = match graph::read::<VectorRecord>(&record.line)?.of {
                    VectorTarget::Claim(id) => self.claims.contains(&id),
                    VectorTarget::Relationship(id) => self.relationships.contains(&id),
                    VectorTarget::Entity(id, collection) => self.views.contains(&(id, collection)),
                };
                is_there.then_some(record.line)
            }
            _ => Some(record.line),
        };
        Ok(line.map(|line| ArchiveRecord { line, ..record }))
    }

    fn fact(&mut self, mut fact: FactRecord) -> StoreResult<Option<String>> {
        let Some(claims) = self.evidence(fact.claims).filter(|_| self.has([fact.entity])) else { return Ok(None) };
        fact.claims = claims;
        if fact.facet == graph::Facet::Name {
            self.views.insert((fact.entity, fact.collection));
        }
        graph::line(&fact).map(Some)
    }

    fn relationship(&mut self, mut relationship: RelationshipRecord) -> StoreResult<Option<String>> {
        let is_whole = self.has([relationship.source, relationship.target]);
        let Some(claims) = self.evidence(relationship.claims).filter(|_| is_whole) else { return Ok(None) };
        relationship.claims = claims;
        self.relationships.insert(relationship.id);
        graph::line(&relationship).map(Some)
    }
}
