//! Import of graph records under the writers' lock, with full text, blocking keys and views.

use crate::graph::{
    neo4j::{
        Neo4jGraph,
        client::{Statement, Transaction, moment},
        cypher::{self, archive as added},
        write::{ClaimDocument, CountChanges, WriterLock, claim_row, fact_row, filed, lock, refresh_views, tokens},
    },
    records::{described_entities, missing, read, unknown},
    write_plan::{facts::Fact, relationships::description_hash},
};
use domain::{CollectionId, Timestamp};
use engine::{
    StoreResult,
    archive::{
        ArchiveRecord, RecordKind,
        graph::{
            self, ClaimRecord, CollectionRecord, DocumentRecord, EntityRecord, Facet, FactRecord, MergeRecord,
            RelationshipRecord, ReviewRecord, VectorRecord,
        },
    },
    graph::{Resolve, terms::terms},
    names::NameMatcher,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

pub(super) async fn import(
    graph: &Neo4jGraph,
    resolve: &dyn Resolve,
    kind: RecordKind,
    records: &[ArchiveRecord],
) -> StoreResult<()> {
    let _alone = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let outcome = all(graph, &mut transaction, resolve, kind, records).await;
    transaction.finish(outcome).await
}

async fn all(
    graph: &Neo4jGraph,
    transaction: &mut Transaction,
    resolve: &dyn Resolve,
    kind: RecordKind,
    records: &[ArchiveRecord],
) -> StoreResult<()> {
    let mut lock = lock(transaction, []).await?;
    let mut arriving = Import { transaction, lock: &mut lock, names: &graph.names, counted: CountChanges::default() };
    match kind {
        graph::COLLECTIONS => arriving.collections(&read(records)?).await?,
        graph::DOCUMENTS => arriving.documents(&read(records)?).await?,
        graph::ENTITIES => arriving.entities(&read(records)?).await?,
        graph::CLAIMS => arriving.claims(&read(records)?).await?,
        graph::FACTS => arriving.facts(resolve, &read(records)?).await?,
        graph::RELATIONSHIPS => arriving.relationships(&read(records)?).await?,
        graph::MERGES => arriving.merges(&read(records)?).await?,
        graph::REVIEWS => arriving.reviews(&read(records)?).await?,
        other => return Err(unknown(other)),
    }
    let counted = arriving.counted;
    counted.release(transaction, &lock).await
}

/// An import in progress.
struct Import<'a> {
    transaction: &'a mut Transaction,
    lock: &'a mut WriterLock,
    names: &'a NameMatcher,
    counted: CountChanges,
}

impl Import<'_> {
    /// Returns the row numbers of the given ids.
    async fn numbers(&mut self, text: &'static str, ids: BTreeSet<Uuid>) -> StoreResult<HashMap<Uuid, i64>> {
        #[derive(Deserialize)]
        struct Row {
            id: Uuid,
            n: i64,
        }
        let rows: Vec<Row> = self.transaction.read(Statement::new(text).with("ids", json!(ids))).await?;
        Ok(rows.into_iter().map(|row| (row.id, row.n)).collect())
    }

    async fn collections(&mut self, records: &[CollectionRecord]) -> StoreResult<()> {
        let row = |record: &CollectionRecord| json!({"id": record.id, "n": self.lock.row(), "removed": record.removed});
        let rows = records.iter().map(row).collect();
        self.transaction.run_rows(added::ADD_COLLECTIONS, rows).await
    }

    async fn documents(&mut self, records: &[DocumentRecord]) -> StoreResult<()> {
        let row = |record: &DocumentRecord| json!({"id": record.id, "collection": record.collection, "order": record.order});
        self.transaction.run_rows(added::ADD_DOCUMENTS, records.iter().map(row).collect()).await
    }

    /// Inserts entities, each as its own root until its merges are imported.
    async fn entities(&mut self, records: &[EntityRecord]) -> StoreResult<()> {
        let row = |record: &EntityRecord| json!({"id": record.id, "n": self.lock.row()});
        let rows = records.iter().map(row).collect();
        self.transaction.run_rows(added::ADD_ENTITIES, rows).await
    }

    async fn claims(&mut self, records: &[ClaimRecord]) -> StoreResult<()> {
        #[derive(Deserialize)]
        struct Document {
            id: Uuid,
            collection: i64,
            order: String,
        }
        let ids: BTreeSet<Uuid> = records.iter().map(|record| record.document.0).collect();
        let found: Vec<Document> =
            self.transaction.read(Statement::new(added::ORDERS_OF_DOCUMENTS).with("ids", json!(ids))).await?;
        let documents: HashMap<Uuid, Document> = found.into_iter().map(|document| (document.id, document)).collect();
        let offered: Vec<i64> = records.iter().map(|_| self.lock.row()).collect();
        let mut rows = Vec::with_capacity(records.len());
        for (record, n) in records.iter().zip(&offered) {
            let document = documents.get(&record.document.0).ok_or_else(|| missing("document"))?;
            let document = ClaimDocument {
                id: record.document,
                order: &document.order,
                collection: document.collection,
                ingested_at: record.ingested_at,
            };
            rows.push(claim_row(&record.new_claim(), *n, &document));
        }
        let stored = self.transaction.stored_rows(cypher::claims::insert(), rows).await?;
        let (mut published, mut references) = (Vec::new(), Vec::new());
        for (record, offered) in records.iter().zip(&offered) {
            let n = *stored.get(offered).ok_or_else(|| missing("claim"))?;
            self.counted.add(documents[&record.document.0].collection, [i64::from(n == *offered), 0, 0]);
            published.extend(record.outlet.map(|outlet| json!({"claim": n, "outlet": outlet})));
            let about = record.entities.iter().enumerate();
            references.extend(about.map(|(position, entity)| json!({"claim": n, "entity": entity, "position": position})));
        }
        self.transaction.run_rows(added::ADD_PUBLISHED, published).await?;
        self.transaction.run_rows(added::ADD_REFERENCES, references).await
    }

    async fn facts(&mut self, resolve: &dyn Resolve, records: &[FactRecord]) -> StoreResult<()> {
        let entities = records.iter().map(|record| record.entity.0).collect();
        let entities = self.numbers(added::NUMBERS_OF_ENTITIES, entities).await?;
        let collections = records.iter().map(|record| record.collection.0).collect();
        let collections = self.numbers(added::NUMBERS_OF_COLLECTIONS, collections).await?;
        let claims = records.iter().flat_map(|record| record.claims.iter().map(|claim| claim.0)).collect();
        let claims = self.numbers(added::NUMBERS_OF_CLAIMS, claims).await?;
        let mut facts = Vec::with_capacity(records.len());
        for record in records {
            let fact = Fact {
                entity: *entities.get(&record.entity.0).ok_or_else(|| missing("entity"))?,
                facet: record.facet.as_str(),
                key: record.key.clone(),
                value: record.value.clone(),
                collection: *collections.get(&record.collection.0).ok_or_else(|| missing("collection"))?,
            };
            facts.push((fact, self.lock.row()));
        }
        let row = |((fact, n), record): (&(Fact, i64), &FactRecord)| {
            let mut row = fact_row(fact, *n);
            row["at"] = json!(record.at.as_micros());
            row
        };
        let rows = facts.iter().zip(records).map(row).collect();
        let stored = self.transaction.stored_rows(cypher::write::FACTS, rows).await?;
        let (mut evidence, mut keys) = (Vec::new(), Vec::new());
        for ((fact, offered), record) in facts.iter().zip(records) {
            let n = *stored.get(offered).ok_or_else(|| missing("fact"))?;
            for claim in &record.claims {
                let claim = claims.get(&claim.0).ok_or_else(|| missing("claim"))?;
                evidence.push(json!({"fact": n, "claim": claim}));
            }
            if record.facet == Facet::Name {
                let filed = |key: String| json!({"key": filed(&key), "collection": fact.collection, "fact": n});
                keys.extend(resolve.keys(&fact.value).into_iter().map(filed));
            }
        }
        self.transaction.run_rows(cypher::write::FACT_EVIDENCE, evidence).await?;
        self.transaction.run_rows(cypher::write::NAME_KEYS, keys).await?;
        let touched = facts.iter().map(|(fact, _)| (fact.entity, fact.collection)).collect();
        refresh_views(self.transaction, self.lock, self.names, &touched, &mut self.counted).await
    }

    async fn relationships(&mut self, records: &[RelationshipRecord]) -> StoreResult<()> {
        let ends = records.iter().flat_map(|record| [record.source.0, record.target.0]).collect();
        let ends = self.numbers(added::NUMBERS_OF_ENTITIES, ends).await?;
        let collections = records.iter().flat_map(|record| record.views.iter().map(|view| view.collection.0)).collect();
        let collections = self.numbers(added::NUMBERS_OF_COLLECTIONS, collections).await?;
        let offered: Vec<i64> = records.iter().map(|_| self.lock.row()).collect();
        let mut rows = Vec::with_capacity(records.len());
        for (record, n) in records.iter().zip(&offered) {
            let end = |id: Uuid| ends.get(&id).copied().ok_or_else(|| missing("entity"));
            let (source, target) = (end(record.source.0)?, end(record.target.0)?);
            let hash = description_hash(&record.description);
            rows.push(json!({
                "id": record.id, "n": n, "source": source, "target": target, "key": format!("{source} {target} {hash}"),
                "description": record.description,
            }));
        }
        let stored = self.transaction.stored_rows(added::ADD_RELATIONSHIPS, rows).await?;
        let (mut views, mut evidence, mut words) = (Vec::new(), Vec::new(), HashMap::new());
        for (record, offered) in records.iter().zip(&offered) {
            let n = *stored.get(offered).ok_or_else(|| missing("relationship"))?;
            words.insert(n, terms(&record.description));
            for view in &record.views {
                let collection = collections.get(&view.collection.0).ok_or_else(|| missing("collection"))?;
                views.push(json!({
                    "relationship": n, "collection": collection, "weight": view.weight,
                    "confidence": view.confidence.map(domain::Confidence::get), "bidirectional": view.bidirectional,
                    "timestamp": view.timestamp.map(Timestamp::as_micros), "since": view.since, "until": view.until,
                }));
            }
            evidence.extend(record.claims.iter().map(|claim| json!({"relationship": n, "claim": claim})));
        }
        self.views_of_relationships(views, &words).await?;
        self.transaction.run_rows(added::ADD_RELATIONSHIP_EVIDENCE, evidence).await?;
        let touched: Vec<i64> = words.into_keys().collect();
        self.transaction.run(Statement::new(cypher::write::RELATE).with("relationships", touched)).await
    }

    /// Adds views, and full-text terms for the new ones.
    async fn views_of_relationships(&mut self, rows: Vec<Value>, words: &HashMap<i64, Vec<String>>) -> StoreResult<()> {
        #[derive(Deserialize)]
        struct Row {
            relationship: i64,
            collection: i64,
        }
        let new: Vec<Row> = self.transaction.read(Statement::new(added::ADD_RELATIONSHIP_VIEWS).with("rows", rows)).await?;
        let mut learned: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        for Row { relationship, collection } in new {
            self.counted.add(collection, [0, 0, 1]);
            let said = words.get(&relationship).map(Vec::as_slice).unwrap_or_default();
            learned.entry(relationship).or_default().push(tokens(collection, said));
        }
        let row = |(n, terms): (i64, Vec<String>)| json!({"n": n, "terms": terms.join(" "), "length": words.get(&n).map_or(0, Vec::len)});
        self.transaction.run_rows(cypher::write::RELATIONSHIP_TERMS, learned.into_iter().map(row).collect()).await
    }

    /// Inserts merges and sets the root of every entity from those that were not undone.
    async fn merges(&mut self, records: &[MergeRecord]) -> StoreResult<()> {
        #[derive(Deserialize)]
        struct Standing {
            n: i64,
            survivor: i64,
        }
        let row = |record: &MergeRecord| {
            let at = moment(record.at);
            json!({
                "id": record.id, "survivor": record.survivor, "merged": record.merged, "by": record.by, "at": at,
                "undone": record.undone,
            })
        };
        self.transaction.run_rows(added::ADD_MERGES, records.iter().map(row).collect()).await?;
        let standing: Vec<Standing> = self.transaction.read(Statement::new(added::STANDING)).await?;
        let standing: HashMap<i64, i64> = standing.into_iter().map(|row| (row.n, row.survivor)).collect();
        let root = |mut member: i64| {
            while let Some(next) = standing.get(&member) {
                member = *next;
            }
            member
        };
        let rows = standing.keys().map(|n| json!({"n": n, "root": root(*n)})).collect();
        self.transaction.run_rows(cypher::merge::SET_ROOTS, rows).await
    }

    async fn reviews(&mut self, records: &[ReviewRecord]) -> StoreResult<()> {
        let seen = records.iter().flat_map(|record| &record.views).flat_map(|view| [view.left.0, view.right.0]).collect();
        let collections = self.numbers(added::NUMBERS_OF_COLLECTIONS, seen).await?;
        let number = |id: &CollectionId| collections.get(&id.0).copied().ok_or_else(|| missing("collection"));
        let mut rows = Vec::with_capacity(records.len());
        for record in records {
            let mut views = Vec::with_capacity(record.views.len());
            for view in &record.views {
                views.push(json!({
                    "left_collection": number(&view.left)?, "right_collection": number(&view.right)?, "score": view.score,
                    "why": view.why, "document": view.document, "closed": view.closed, "created_at": view.created_at.as_micros(),
                    "postponed_at": view.postponed_at.map(Timestamp::as_micros), "decided_by": view.decided_by,
                    "decided_at": view.decided_at.map(Timestamp::as_micros),
                }));
            }
            rows.push(json!({"id": record.id, "left": record.left, "right": record.right, "views": views}));
        }
        self.transaction.run_rows(added::ADD_REVIEWS, rows).await
    }
}

/// Returns the ids of the entity views that the vectors describe.
pub(super) async fn view_ids(graph: &Neo4jGraph, records: &[VectorRecord]) -> StoreResult<HashMap<(Uuid, Uuid), Uuid>> {
    #[derive(Deserialize)]
    struct Row {
        entity: Uuid,
        collection: Uuid,
        id: Uuid,
    }
    let pair = |(entity, collection): (Uuid, Uuid)| json!({"entity": entity, "collection": collection});
    let pairs: Vec<Value> = described_entities(records).map(pair).collect();
    let rows: Vec<Row> = graph.client.read(Statement::new(added::VIEW_IDS).with("rows", pairs)).await?;
    Ok(rows.into_iter().map(|row| ((row.entity, row.collection), row.id)).collect())
}
