//! Vectors, one table per model and kind. A text without a vector is pending; a changed text loses its vector.

pub(super) mod coarse;

use super::{SqliteGraph, json};
use crate::sql::{fault::Fault, types::count};
use coarse::Coarse;
use engine::{
    StoreError,
    embeddings::{VectorKind, VectorText},
};
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::HashSet;
use uuid::Uuid;

/// The table of one model and kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    number: i64,
    pub dimensions: i64,
}

impl Slot {
    pub fn table(self) -> String {
        table(self.number)
    }
}

/// The table of a slot.
pub(super) fn table(slot: i64) -> String {
    format!("vectors_{slot}")
}

/// Returns the table of the texts of a kind, its text column, and its collection column.
const fn text_table(kind: VectorKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        VectorKind::Claim => ("claims", "content", "collection"),
        VectorKind::Entity => ("entity_views", "label", "collection"),
        // Several may have it.
        VectorKind::Relationship => ("relationships", "description", "null"),
    }
}

/// Encodes a vector for sqlite-vec: little-endian 32-bit floats.
pub(super) fn blob(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}

pub(super) async fn slot(conn: &mut SqliteConnection, model: &str, kind: VectorKind) -> Result<Option<Slot>, Fault> {
    let sql = "select slot, dimensions from vector_models where model = $1 and kind = $2";
    let row: Option<(i64, i64)> = sqlx::query_as(sql).bind(model).bind(kind.as_str()).fetch_optional(conn).await?;
    Ok(row.map(|(number, dimensions)| Slot { number, dimensions }))
}

pub(super) async fn missing(graph: &SqliteGraph, model: &str, kind: VectorKind, limit: u32) -> Result<Vec<VectorText>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let (table, column, _) = text_table(kind);
    let Some(slot) = slot(&mut conn, model, kind).await? else {
        let sql = format!("select id, {column} from {table} order by n limit $1");
        let rows: Vec<(Uuid, String)> = sqlx::query_as(AssertSqlSafe(sql)).bind(limit).fetch_all(&mut *conn).await?;
        return Ok(rows.into_iter().map(|(id, text)| VectorText { id, text }).collect());
    };
    let sql = format!("select coalesce(max(n), 0) from {table}");
    let last: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *conn).await?;
    let mut absent = coarse::absent(&mut conn, slot, last).await?;
    let sql =
        format!("select t.id, t.{column} from json_each($1) w cross join {table} t on t.n = w.value order by t.n limit $2");
    let mut found = Vec::new();
    // Freed row numbers are absent too.
    while found.len() < limit as usize {
        let page: Vec<i64> = absent.by_ref().take(limit as usize).collect();
        if page.is_empty() {
            break;
        }
        let (page, left) = (json::list(page), limit - found.len() as u32);
        let rows: Vec<(Uuid, String)> =
            sqlx::query_as(AssertSqlSafe(sql.clone())).bind(page).bind(left).fetch_all(&mut *conn).await?;
        found.extend(rows.into_iter().map(|(id, text)| VectorText { id, text }));
    }
    Ok(found)
}

pub(super) async fn put(graph: &SqliteGraph, model: &str, kind: VectorKind, vectors: &[(Uuid, Vec<f32>)]) -> Result<(), Fault> {
    let Some(dimensions) = vectors.first().map(|(_, vector)| vector.len()) else { return Ok(()) };
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;
    let slot = match slot(conn, model, kind).await? {
        Some(slot) => slot,
        None => open(conn, model, kind, dimensions).await?,
    };
    if let Some((_, odd)) = vectors.iter().find(|(_, vector)| vector.len() as i64 != slot.dimensions) {
        let message =
            format!("vectors of '{model}' have {} dimensions, not {}: use another model name", slot.dimensions, odd.len());
        return Err(StoreError::Invalid(message).into());
    }
    let (texts, _, collection) = text_table(kind);
    let insert = format!(
        "insert or replace into {} (n, collection, vector) select n, {collection}, $2 from {texts} where id = $1
        returning n, collection",
        slot.table()
    );
    let mut coarse = Vec::with_capacity(vectors.len());
    for (id, vector) in vectors {
        let row: Option<(i64, Option<i64>)> =
            sqlx::query_as(AssertSqlSafe(insert.clone())).bind(id).bind(blob(vector)).fetch_optional(&mut *conn).await?;
        coarse.extend(row.map(|(n, collection)| Coarse { n, collection, bits: coarse::bits(vector) }));
    }
    coarse::put(conn, slot, coarse).await?;
    transaction.commit().await?;
    Ok(())
}

async fn open(conn: &mut SqliteConnection, model: &str, kind: VectorKind, dimensions: usize) -> Result<Slot, Fault> {
    let sql = "insert into vector_models (model, kind, dimensions) values ($1, $2, $3) returning slot";
    let number = sqlx::query_scalar(sql).bind(model).bind(kind.as_str()).bind(dimensions as i64).fetch_one(&mut *conn).await?;
    let slot = Slot { number, dimensions: dimensions as i64 };
    let sql = format!("create table {} (n integer primary key, collection integer, vector blob not null) strict", slot.table());
    sqlx::query(AssertSqlSafe(sql)).execute(&mut *conn).await?;
    Ok(slot)
}

/// Counts the texts without and with a vector of the model.
pub(super) async fn progress(graph: &SqliteGraph, model: &str) -> Result<(u64, u64), Fault> {
    let mut conn = graph.reader.acquire().await?;
    let (mut pending, mut done) = (0, 0);
    for kind in VectorKind::ALL {
        let sql = format!("select count(*) from {}", text_table(kind).0);
        let all: u64 = count(sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *conn).await?)?;
        let with = match slot(&mut conn, model, kind).await? {
            Some(slot) => coarse::present(&mut conn, slot).await?,
            None => 0,
        };
        pending += all - with;
        done += with;
    }
    Ok((pending, done))
}

/// Drops the vectors of changed or deleted texts, for every model.
pub(super) async fn forget(conn: &mut SqliteConnection, kind: VectorKind, rows: Vec<i64>) -> Result<(), Fault> {
    if rows.is_empty() {
        return Ok(());
    }
    let sql = "select slot, dimensions from vector_models where kind = $1";
    let slots: Vec<(i64, i64)> = sqlx::query_as(sql).bind(kind.as_str()).fetch_all(&mut *conn).await?;
    for (number, dimensions) in slots {
        let slot = Slot { number, dimensions };
        let sql = format!("delete from {} where n in (select value from json_each($1))", slot.table());
        sqlx::query(AssertSqlSafe(sql)).bind(json::list(rows.iter().copied())).execute(&mut *conn).await?;
        coarse::forget(conn, slot, &rows).await?;
    }
    Ok(())
}

/// Returns the entities with a visible view that lacks a vector of the model used last.
pub(super) async fn pending_entities(conn: &mut SqliteConnection, scope: &str, roots: &[i64]) -> Result<HashSet<i64>, Fault> {
    let sql = "select slot, dimensions from vector_models where kind = 'entity' order by slot desc limit 1";
    let Some((number, dimensions)) = sqlx::query_as::<_, (i64, i64)>(sql).fetch_optional(&mut *conn).await? else {
        return Ok(roots.iter().copied().collect());
    };
    let table = Slot { number, dimensions }.table();
    let sql = format!(
        "select distinct e.root from json_each($1) w cross join entities e on e.root = w.value
        cross join entity_views v on v.entity = e.n
        where v.collection in (select value from json_each($2)) and not exists (select 1 from {table} x where x.n = v.n)"
    );
    let roots = json::list(roots.iter().copied());
    let rows: Vec<i64> = sqlx::query_scalar(AssertSqlSafe(sql)).bind(roots).bind(scope).fetch_all(conn).await?;
    Ok(rows.into_iter().collect())
}
