//! Claims with their outlet and the entities that they are about.

use crate::{
    graph::{
        enum_text::{from_text, occurred, published},
        sqlite::{SqliteGraph, json, row_numbers},
    },
    sql::{
        fault::{Fault, defect},
        types::{count, id_list},
    },
};
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, Scope, Timestamp,
    claim::{Claim, Span},
};
use sqlx::{FromRow, SqliteConnection};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

pub(in crate::graph::sqlite) async fn claims(graph: &SqliteGraph, scope: &Scope, ids: &[ClaimId]) -> Result<Vec<Claim>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let scope = row_numbers::collection_list(&mut conn, scope).await?;
    let sql = "select n from claims where id in (select unhex(value) from json_each($1))";
    let rows: Vec<i64> = sqlx::query_scalar(sql).bind(id_list(ids.iter().map(|id| id.0))).fetch_all(&mut *conn).await?;
    let mut found: HashMap<ClaimId, Claim> = HashMap::new();
    found.extend(load(&mut conn, &scope, &rows).await?.into_iter().map(|(_, claim)| (claim.id, claim)));
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

#[derive(FromRow)]
struct Row {
    n: i64,
    id: Uuid,
    document_id: Uuid,
    collection_id: Uuid,
    content: String,
    quote: String,
    span_start: i64,
    span_end: i64,
    published_value: Option<i64>,
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
    entity_ids: String,
}

/// Loads the claims in these rows that the scope (a JSON list of collection rows) sees, in document order.
pub(in crate::graph::sqlite) async fn load(
    conn: &mut SqliteConnection,
    scope: &str,
    rows: &[i64],
) -> Result<Vec<(i64, Claim)>, Fault> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "select c.n, c.id, d.id as document_id, k.id as collection_id, c.content, c.quote, c.span_start, c.span_end,
            c.published_value, c.published_precision, c.published_basis, c.occurred_from, c.occurred_to, c.occurred_precision,
            c.ingested_at, c.attribution, c.information, c.speaker,
            c.mode, c.language, c.content_hash,
            (select r.id from entities o join entities r on r.n = o.root where o.n = c.outlet) as outlet_id,
            (select json_group_array(id) from (
                select hex(r.id) as id from claim_entities x join entities e on e.n = x.entity join entities r on r.n = e.root
                where x.claim = c.n order by x.position)) as entity_ids
        from json_each($1) w cross join claims c on c.n = w.value
        cross join graph_documents d on d.n = c.document cross join graph_collections k on k.n = c.collection
        where c.collection in (select value from json_each($2))
        order by d.document_order, c.span_start, c.content_hash";
    let rows: Vec<Row> = sqlx::query_as(sql).bind(json::list(rows.iter().copied())).bind(scope).fetch_all(conn).await?;
    rows.into_iter().map(|row| Ok((row.n, row.claim()?))).collect()
}

impl Row {
    fn claim(self) -> Result<Claim, Fault> {
        let published = published(self.published_value, self.published_precision.as_deref(), self.published_basis.as_deref())?;
        let occurred = occurred(self.occurred_from, self.occurred_to, self.occurred_precision.as_deref())?;
        let entity_ids: Vec<Uuid> =
            serde_json::from_str(&self.entity_ids).map_err(|_| defect("list of ids", &self.entity_ids))?;
        let mut told = HashSet::new();
        Ok(Claim {
            id: ClaimId(self.id),
            document_id: DocumentId(self.document_id),
            collection_id: CollectionId(self.collection_id),
            content: self.content,
            quote: self.quote,
            span: Span { start: count(self.span_start)?, end: count(self.span_end)? },
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
            entity_ids: entity_ids.into_iter().map(EntityId).filter(|id| told.insert(*id)).collect(),
        })
    }
}
