//! Insertion of claims. An existing claim stays unchanged and keeps its id.

use crate::{
    graph::{
        sqlite::claim_rows,
        write_plan::{
            ClaimRow, WriteContext,
            existing_refs::ExistingRefs,
            pack::{self, ExistingClaims, PackContext},
        },
    },
    sql::fault::Fault,
};
use domain::{ClaimId, DocumentId};
use engine::graph::GraphWrite;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::HashMap;
use uuid::Uuid;

/// Returns the rows of the claims of each document; new ones get the rows after `last`.
pub(super) async fn rows(
    conn: &mut SqliteConnection,
    writes: &[GraphWrite],
    refs: &ExistingRefs,
    documents: &HashMap<DocumentId, i64>,
    mut last: i64,
) -> Result<Vec<Vec<ClaimRow>>, Fault> {
    let mut rows = Vec::with_capacity(writes.len());
    for write in writes {
        let existing = match refs.documents_with_claims.contains(&write.document_id) {
            true => existing(conn, write, documents[&write.document_id]).await?,
            false => ExistingClaims::new(),
        };
        let next = || {
            last += 1;
            last
        };
        rows.push(pack::claim_rows(&write.claims, existing, next));
    }
    Ok(rows)
}

async fn existing(conn: &mut SqliteConnection, write: &GraphWrite, document: i64) -> Result<ExistingClaims, Fault> {
    let sql = "select content_hash, n, id from claims
        where document = $2 and content_hash in (select value from json_each($1))";
    let hashes = Value::from_iter(write.claims.iter().map(|claim| claim.content_hash.as_str())).to_string();
    let found: Vec<(String, i64, Uuid)> = sqlx::query_as(sql).bind(hashes).bind(document).fetch_all(conn).await?;
    Ok(found.into_iter().map(|(hash, n, id)| (hash, (n, ClaimId(id)))).collect())
}

/// Inserts the new claims and links all to their entities.
pub(super) async fn append(
    conn: &mut SqliteConnection,
    pack: &PackContext<'_>,
    documents: &HashMap<DocumentId, i64>,
) -> Result<(), Fault> {
    let new: Vec<Value> = pack.documents.iter().flat_map(|document| new_rows(document, documents)).collect();
    if !new.is_empty() {
        let sql = claim_rows::insert("j.value ->> 'document', $2, j.value ->> 'outlet'", "");
        let collection = pack.documents.first().map(|document| document.refs.collection);
        sqlx::query(AssertSqlSafe(sql)).bind(Value::from(new).to_string()).bind(collection).execute(&mut *conn).await?;
    }
    let mentions = pack.documents.iter().flat_map(|document| document.mentions());
    let mentions = Value::from_iter(mentions.map(|(entity, claim, position)| json!([entity, claim, position])));
    let sql = "insert into claim_entities (entity, claim, position)
        select value ->> 0, value ->> 1, value ->> 2 from json_each($1) where true on conflict do nothing";
    sqlx::query(sql).bind(mentions.to_string()).execute(conn).await?;
    Ok(())
}

fn new_rows(document: &WriteContext<'_>, documents: &HashMap<DocumentId, i64>) -> Vec<Value> {
    let outlet = document.outlet();
    let new = document.write.claims.iter().zip(&document.claims).filter(|(_, row)| row.is_new);
    let row = |(claim, row): (_, &ClaimRow)| {
        let mut new = claim_rows::row(claim, document.write.at);
        new["n"] = row.n.into();
        new["document"] = documents[&document.write.document_id].into();
        new["outlet"] = outlet.into();
        new
    };
    new.map(row).collect()
}
