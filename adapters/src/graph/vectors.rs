//! Vectors, one table per model and kind. A text without a row there is pending; a changed text loses its row.

use super::{SqliteGraph, json};
use crate::sql::{fault::Fault, types::count};
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
        format!("vectors_{}", self.number)
    }

    /// The table of the same vectors, one bit per dimension; empty where dimensions are not whole bytes.
    pub fn coarse(self) -> String {
        format!("coarse_{}", self.number)
    }

    pub const fn has_coarse(self) -> bool {
        self.dimensions % 8 == 0
    }
}

/// The table of the texts of a kind, the column with the text, and what says which collection has it.
const fn texts(kind: VectorKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        VectorKind::Claim => ("claims", "content", "collection"),
        VectorKind::Entity => ("entity_views", "label", "collection"),
        // Several may have it.
        VectorKind::Relationship => ("relationships", "description", "null"),
    }
}

/// Which numbers of a vector are above zero.
pub(super) fn bits(vector: &[f32]) -> Vec<u8> {
    vector
        .chunks(8)
        .map(|eight| eight.iter().enumerate().fold(0, |byte, (i, number)| byte | (u8::from(*number > 0.0) << i)))
        .collect()
}

/// A vector as sqlite-vec reads it: little-endian 32-bit floats.
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
    let (table, column, _) = texts(kind);
    let without = match slot(&mut conn, model, kind).await? {
        Some(slot) => format!("where not exists (select 1 from {} v where v.n = t.n)", slot.table()),
        None => String::new(),
    };
    let sql = format!("select t.id, t.{column} from {table} t {without} order by t.n limit $1");
    let rows: Vec<(Uuid, String)> = sqlx::query_as(AssertSqlSafe(sql)).bind(limit).fetch_all(&mut *conn).await?;
    Ok(rows.into_iter().map(|(id, text)| VectorText { id, text }).collect())
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
    let (texts, _, collection) = texts(kind);
    let insert = |table: String, column: &str| {
        format!(
            "insert or replace into {table} (n, collection, {column}) select n, {collection}, $2 from {texts} where id = $1"
        )
    };
    let (exact, coarse) = (insert(slot.table(), "vector"), insert(slot.coarse(), "bits"));
    for (id, vector) in vectors {
        sqlx::query(AssertSqlSafe(exact.clone())).bind(id).bind(blob(vector)).execute(&mut *conn).await?;
        if slot.has_coarse() {
            sqlx::query(AssertSqlSafe(coarse.clone())).bind(id).bind(bits(vector)).execute(&mut *conn).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

async fn open(conn: &mut SqliteConnection, model: &str, kind: VectorKind, dimensions: usize) -> Result<Slot, Fault> {
    let sql = "insert into vector_models (model, kind, dimensions) values ($1, $2, $3) returning slot";
    let number = sqlx::query_scalar(sql).bind(model).bind(kind.as_str()).bind(dimensions as i64).fetch_one(&mut *conn).await?;
    let slot = Slot { number, dimensions: dimensions as i64 };
    for (table, column) in [(slot.table(), "vector"), (slot.coarse(), "bits")] {
        let sql = format!("create table {table} (n integer primary key, collection integer, {column} blob not null) strict");
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *conn).await?;
    }
    Ok(slot)
}

/// Texts without a vector of the model, and texts with one.
pub(super) async fn progress(graph: &SqliteGraph, model: &str) -> Result<(u64, u64), Fault> {
    let mut conn = graph.reader.acquire().await?;
    let (mut pending, mut done) = (0, 0);
    for kind in VectorKind::ALL {
        let sql = format!("select count(*) from {}", texts(kind).0);
        let all: u64 = count(sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *conn).await?)?;
        let with = match slot(&mut conn, model, kind).await? {
            Some(slot) => {
                let sql = format!("select count(*) from {}", slot.table());
                count(sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *conn).await?)?
            }
            None => 0,
        };
        pending += all - with;
        done += with;
    }
    Ok((pending, done))
}

/// Drops the vectors of texts that have changed or gone, whatever the model.
pub(super) async fn forget(conn: &mut SqliteConnection, kind: VectorKind, rows: Vec<i64>) -> Result<(), Fault> {
    if rows.is_empty() {
        return Ok(());
    }
    let rows = json::list(rows);
    let sql = "select slot, dimensions from vector_models where kind = $1";
    let slots: Vec<(i64, i64)> = sqlx::query_as(sql).bind(kind.as_str()).fetch_all(&mut *conn).await?;
    for (number, dimensions) in slots {
        let slot = Slot { number, dimensions };
        for table in [slot.table(), slot.coarse()] {
            let sql = format!("delete from {table} where n in (select value from json_each($1))");
            sqlx::query(AssertSqlSafe(sql)).bind(&rows).execute(&mut *conn).await?;
        }
    }
    Ok(())
}

/// Which of these entities have a visible view without a vector of the model that was used last.
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
