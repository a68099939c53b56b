//! Finding rows by likeness of vectors: exactly in a small graph, by coarse vectors first in a large one.

use super::matching::cut;
use crate::{
    graph::{
        GraphConfig, json,
        vectors::{self, Slot},
    },
    sql::fault::Fault,
};
use engine::{StoreError, embeddings::VectorKind};
use sqlx::{AssertSqlSafe, QueryBuilder, Sqlite, SqliteConnection};

/// Where vectors are looked for, and what they are compared with.
pub(super) struct Near {
    slot: Slot,
    vector: Vec<u8>,
    bits: Vec<u8>,
    /// How many are compared for each candidate after the coarse choice; none: all are.
    compared: Option<u32>,
}

/// The tables for a query's vector; none when no text has a vector of that model yet.
pub(super) async fn near(
    conn: &mut SqliteConnection,
    config: &GraphConfig,
    kind: VectorKind,
    vector: Option<&(String, Vec<f32>)>,
) -> Result<Option<Near>, Fault> {
    let Some((model, vector)) = vector else { return Ok(None) };
    let Some(slot) = vectors::slot(conn, model, kind).await? else { return Ok(None) };
    if slot.dimensions != vector.len() as i64 {
        let message =
            format!("the query's vector has {} dimensions, those of '{model}' have {}", vector.len(), slot.dimensions);
        return Err(StoreError::Invalid(message).into());
    }
    // The last row number is never less than the number of rows, and costs nothing to find.
    let sql = format!("select coalesce(max(n), 0) from {}", slot.table());
    let most: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(conn).await?;
    let is_large = slot.has_coarse() && most > i64::from(config.exact_vectors);
    let compared = is_large.then_some(config.compared_per_candidate.max(1));
    Ok(Some(Near { slot, vector: vectors::blob(vector), bits: vectors::bits(vector), compared }))
}

impl Near {
    /// Begins a query over rows `v.n` (with `v.collection`); goes on with joins and `where`, ends with `best`.
    pub fn found(&self) -> QueryBuilder<Sqlite> {
        match self.compared {
            None => self.compare(),
            Some(_) => {
                let mut sql = QueryBuilder::new(
                    "with rough(n, distance) as materialized (select v.n, vec_distance_hamming(vec_bit(v.bits), vec_bit(",
                );
                sql.push_bind(self.bits.clone()).push(")) from ").push(self.slot.coarse()).push(" v ");
                sql
            }
        }
    }

    fn compare(&self) -> QueryBuilder<Sqlite> {
        let mut sql =
            QueryBuilder::new("with found(n, signal) as materialized (select v.n, 1.0 - vec_distance_cosine(v.vector, ");
        sql.push_bind(self.vector.clone()).push(") from ").push(self.slot.table()).push(" v ");
        sql
    }

    /// Ends a query of `found`: the nearest rows, and whatever is as near as the last of them.
    pub async fn best(
        &self,
        mut sql: QueryBuilder<Sqlite>,
        conn: &mut SqliteConnection,
        limit: u32,
    ) -> Result<Vec<(i64, f64)>, Fault> {
        if let Some(compared) = self.compared {
            sql.push("), found(n, signal) as materialized (select v.n, 1.0 - vec_distance_cosine(v.vector, ");
            sql.push_bind(self.vector.clone()).push(") from rough r cross join ").push(self.slot.table());
            sql.push(
                " v on v.n = r.n where r.distance <= coalesce((select distance from rough order by distance limit 1 offset ",
            );
            sql.push_bind(i64::from(limit.max(1)) * i64::from(compared)).push("), 1e9)");
        }
        sql.push(")");
        cut(&mut sql, limit);
        Ok(sql.build_query_as().fetch_all(conn).await?)
    }

    /// The likeness of rows that were found otherwise.
    pub async fn of_rows(&self, conn: &mut SqliteConnection, rows: &[i64]) -> Result<Vec<(i64, f64)>, Fault> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = self.compare();
        sql.push("where v.n in (select value from json_each(").push_bind(json::list(rows.iter().copied()));
        sql.push("))) select n, signal from found");
        Ok(sql.build_query_as().fetch_all(conn).await?)
    }
}
