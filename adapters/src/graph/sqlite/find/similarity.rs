//! Vector similarity search: exact in a small graph, preselected by coarse vectors in a large one.

use super::full_text::select_best;
use crate::{
    graph::{
        GraphConfig,
        sqlite::{
            json,
            vectors::{self, Slot, coarse},
        },
    },
    sql::fault::{Fault, defect},
};
use engine::{StoreError, embeddings::VectorKind};
use sqlx::{AssertSqlSafe, QueryBuilder, Sqlite, SqliteConnection};

/// A query vector with the tables it is compared with.
pub(super) struct VectorQuery {
    slot: Slot,
    kind: VectorKind,
    vector: Vec<u8>,
    bits: Vec<u8>,
    /// The number of vectors up to which all are compared.
    exact: usize,
    /// The number of vectors compared per candidate after the coarse selection.
    compared: usize,
}

/// The rows to compare. Their number alone decides the method, so private data never affects other users' results.
pub(super) struct RowFilter<'a> {
    /// Rows of these collections; `None` when `only` already restricts the rows.
    pub collections: Option<&'a [i64]>,
    /// Rows found by other filters; `None` for all rows.
    pub only: Option<Vec<i64>>,
}

/// Prepares a vector query; `None` when no text has a vector of that model yet.
pub(super) async fn vector_query(
    conn: &mut SqliteConnection,
    config: &GraphConfig,
    kind: VectorKind,
    vector: Option<&(String, Vec<f32>)>,
) -> Result<Option<VectorQuery>, Fault> {
    let Some((model, vector)) = vector else { return Ok(None) };
    let Some(slot) = vectors::slot(conn, model, kind).await? else { return Ok(None) };
    if slot.dimensions != vector.len() as i64 {
        let message =
            format!("the query's vector has {} dimensions, those of '{model}' have {}", vector.len(), slot.dimensions);
        return Err(StoreError::Invalid(message).into());
    }
    Ok(Some(VectorQuery {
        slot,
        kind,
        vector: vectors::blob(vector),
        bits: coarse::bits(vector),
        exact: config.exact_vectors as usize,
        compared: config.compared_per_candidate.max(1) as usize,
    }))
}

/// Fetches any number of selected row numbers as one JSON value. The query names its column `n`.
pub(super) async fn fetch_rows(query: QueryBuilder<Sqlite>, conn: &mut SqliteConnection) -> Result<Vec<i64>, Fault> {
    let mut query = query;
    query.push(")");
    let list: String = query.build_query_scalar().fetch_one(conn).await?;
    serde_json::from_str(&list).map_err(|_| defect("list of rows", &list))
}

/// Begins a query for `fetch_rows`; the caller appends the rest of the `from` clause.
pub(super) fn row_query(column: &str) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new("select json_group_array(n) from (select ");
    query.push(column).push(" as n from ");
    query
}

impl VectorQuery {
    /// Returns the most similar rows, including ties with the last.
    pub async fn best(&self, conn: &mut SqliteConnection, among: RowFilter<'_>, limit: u32) -> Result<Vec<(i64, f64)>, Fault> {
        let chosen = self.choose_rows(conn, &among, limit as usize).await?;
        let mut sql = self.compare(chosen.as_deref());
        if let Some(collections) = among.collections {
            sql.push(" where v.collection in (select value from json_each(");
            sql.push_bind(json::list(collections.iter().copied())).push("))");
        }
        sql.push(")");
        select_best(&mut sql, limit);
        Ok(sql.build_query_as().fetch_all(conn).await?)
    }

    /// Returns the rows to compare exactly; `None` for all.
    async fn choose_rows(
        &self,
        conn: &mut SqliteConnection,
        among: &RowFilter<'_>,
        limit: usize,
    ) -> Result<Option<Vec<i64>>, Fault> {
        let is_large = match (&among.only, among.collections) {
            (Some(rows), _) => rows.len() > self.exact,
            (None, collections) => self.is_large(conn, collections.unwrap_or_default()).await?,
        };
        if !is_large {
            return Ok(among.only.clone());
        }
        let (only, limit) = (among.only.as_deref(), limit.max(1) * self.compared);
        coarse::nearest(conn, self.slot, &self.bits, among.collections, only, limit).await.map(Some)
    }

    /// Whether these collections hold more texts than are compared exactly.
    async fn is_large(&self, conn: &mut SqliteConnection, collections: &[i64]) -> Result<bool, Fault> {
        let held = match self.kind {
            VectorKind::Claim => "claims",
            VectorKind::Entity => "entity_views",
            VectorKind::Relationship => "relationship_views",
        };
        let sql = format!("select 1 from {held} where collection in (select value from json_each($1)) limit 1 offset $2");
        let list = json::list(collections.iter().copied());
        let one_more: Option<i64> =
            sqlx::query_scalar(AssertSqlSafe(sql)).bind(list).bind(self.exact as i64).fetch_optional(conn).await?;
        Ok(one_more.is_some())
    }

    /// Returns the similarity of the given rows.
    pub async fn similarities(&self, conn: &mut SqliteConnection, rows: &[i64]) -> Result<Vec<(i64, f64)>, Fault> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = self.compare(Some(rows));
        sql.push(") select n, signal from found");
        Ok(sql.build_query_as().fetch_all(conn).await?)
    }

    /// Begins a `found` query over rows `v`: the given ones, or all.
    fn compare(&self, rows: Option<&[i64]>) -> QueryBuilder<Sqlite> {
        let mut sql =
            QueryBuilder::new("with found(n, signal) as materialized (select v.n, 1.0 - vec_distance_cosine(v.vector, ");
        sql.push_bind(self.vector.clone()).push(") from ");
        match rows {
            Some(rows) => {
                sql.push("json_each(").push_bind(json::list(rows.iter().copied())).push(") w cross join ");
                sql.push(self.slot.table()).push(" v on v.n = w.value");
            }
            None => {
                sql.push(self.slot.table()).push(" v");
            }
        }
        sql
    }
}
