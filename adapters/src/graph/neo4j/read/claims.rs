//! Claims with their outlet and the entities that they are about.

use super::N;
use crate::graph::{
    enum_text::{from_text, occurred, published},
    neo4j::{Neo4jGraph, client::Statement, cypher, row_numbers},
};
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, Scope, Timestamp,
    claim::{Claim, Span},
};
use engine::StoreResult;
use serde::Deserialize;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

pub(in crate::graph::neo4j) async fn claims(graph: &Neo4jGraph, scope: &Scope, ids: &[ClaimId]) -> StoreResult<Vec<Claim>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let scope = row_numbers::collection_rows(graph, scope).await?;
    let rows: Vec<N> = graph.client.read(Statement::new(cypher::read::CLAIM_ROWS).with("ids", json!(ids))).await?;
    let rows: Vec<i64> = rows.into_iter().map(|row| row.n).collect();
    let loaded = load(graph, &scope, &rows).await?.into_iter();
    let mut found: HashMap<ClaimId, Claim> = loaded.map(|(_, claim)| (claim.id, claim)).collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

#[derive(Deserialize)]
struct Row {
    n: i64,
    id: Uuid,
    document_id: Uuid,
    collection_id: Uuid,
    content: String,
    quote: String,
    span_start: u64,
    span_end: u64,
    published: Option<i64>,
    published_precision: Option<String>,
    published_basis: Option<String>,
    occurred_from: Option<i64>,
    occurred_to: Option<i64>,
    occurred_precision: Option<String>,
    ingested_at: i64,
    attribution: String,
    information: String,
    speaker: Option<String>,
    mode: String,
    language: Option<String>,
    content_hash: String,
    outlet_id: Option<Uuid>,
    entity_ids: Vec<Uuid>,
}

/// Loads the claims in these rows that the scope sees, in document order.
pub(in crate::graph::neo4j) async fn load(graph: &Neo4jGraph, scope: &[i64], rows: &[i64]) -> StoreResult<Vec<(i64, Claim)>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let statement = Statement::new(cypher::read::CLAIMS).with("rows", json!(rows)).with("scope", json!(scope));
    let rows: Vec<Row> = graph.client.read(statement).await?;
    rows.into_iter().map(|row| Ok((row.n, row.claim()?))).collect()
}

impl Row {
    fn claim(self) -> StoreResult<Claim> {
        let occurred = occurred(self.occurred_from, self.occurred_to, self.occurred_precision.as_deref())?;
        let published = published(self.published, self.published_precision.as_deref(), self.published_basis.as_deref())?;
        let mut told = HashSet::new();
        Ok(Claim {
            id: ClaimId(self.id),
            document_id: DocumentId(self.document_id),
            collection_id: CollectionId(self.collection_id),
            content: self.content,
            quote: self.quote,
            span: Span { start: self.span_start, end: self.span_end },
            published,
            occurred,
            ingested_at: Timestamp::from_micros(self.ingested_at),
            attribution: from_text(&self.attribution)?,
            information: from_text(&self.information)?,
            speaker: self.speaker,
            mode: from_text(&self.mode)?,
            language: self.language,
            content_hash: self.content_hash,
            outlet_id: self.outlet_id.map(EntityId),
            entity_ids: self.entity_ids.into_iter().map(EntityId).filter(|id| told.insert(*id)).collect(),
        })
    }
}
