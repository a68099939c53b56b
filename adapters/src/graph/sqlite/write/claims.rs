//! Insertion of claims. An existing claim stays unchanged and keeps its id.

use crate::{
    graph::{
        enum_text::to_text,
        sqlite::json,
        write_plan::{ClaimRow, existing_refs::ExistingRefs, resolution::ResolvedEntities},
    },
    sql::fault::Fault,
};
use domain::ClaimId;
use engine::graph::{GraphWrite, NewClaim};
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use std::collections::HashMap;
use uuid::Uuid;

pub(super) async fn append(
    conn: &mut SqliteConnection,
    write: &GraphWrite,
    document: i64,
    refs: &ExistingRefs,
    resolved: &ResolvedEntities,
) -> Result<Vec<ClaimRow>, Fault> {
    if write.claims.is_empty() {
        return Ok(Vec::new());
    }
    let outlet = write.outlet.map(|outlet| resolved.row(refs, outlet));
    let rows = Value::from_iter(write.claims.iter().map(row)).to_string();
    let sql =
        "insert into claims (id, content_hash, content, quote, span_start, span_end, published_value, published_precision,
            published_basis, occurred_from, occurred_to, occurred_precision, attribution, information, speaker, mode, language,
            document, collection, outlet, ingested_at)
        select unhex(value ->> 'id'), value ->> 'content_hash', value ->> 'content', value ->> 'quote', value ->> 'span_start',
            value ->> 'span_end', value ->> 'published_value', value ->> 'published_precision', value ->> 'published_basis',
            value ->> 'occurred_from', value ->> 'occurred_to', value ->> 'occurred_precision', value ->> 'attribution',
            value ->> 'information', value ->> 'speaker', value ->> 'mode', value ->> 'language', $2, $3, $4, $5
        from json_each($1) where true on conflict (document, content_hash) do nothing returning n";
    let new: Vec<i64> = sqlx::query_scalar(sql)
        .bind(rows)
        .bind(document)
        .bind(refs.collection)
        .bind(outlet)
        .bind(write.at.as_micros())
        .fetch_all(&mut *conn)
        .await?;
    let sql = "select content_hash, n, id from claims
        where document = $2 and content_hash in (select value from json_each($1))";
    let hashes = Value::from_iter(write.claims.iter().map(|claim| claim.content_hash.as_str())).to_string();
    let found: Vec<(String, i64, Uuid)> = sqlx::query_as(sql).bind(hashes).bind(document).fetch_all(&mut *conn).await?;
    let found: HashMap<String, (i64, Uuid)> = found.into_iter().map(|(hash, n, id)| (hash, (n, id))).collect();
    let mut told = std::collections::HashSet::new();
    let rows = write.claims.iter().map(|claim| {
        let (n, id) = found[&claim.content_hash];
        ClaimRow { n, id: ClaimId(id), is_new: new.contains(&n) && told.insert(n) }
    });
    let rows: Vec<ClaimRow> = rows.collect();
    reference(conn, write, refs, resolved, &rows).await?;
    Ok(rows)
}

fn row(claim: &NewClaim) -> Value {
    let (published, occurred) = (claim.published, claim.occurred);
    json!({
        "id": json::hex(claim.id.0),
        "content_hash": claim.content_hash,
        "content": claim.content,
        "quote": claim.quote,
        "span_start": claim.span.start,
        "span_end": claim.span.end,
        "published_value": published.map(|published| published.value.as_micros()),
        "published_precision": published.map(|published| to_text(published.precision)),
        "published_basis": published.map(|published| to_text(published.basis)),
        "occurred_from": occurred.map(|occurred| occurred.from.as_micros()),
        "occurred_to": occurred.map(|occurred| occurred.to.as_micros()),
        "occurred_precision": occurred.map(|occurred| to_text(occurred.precision)),
        "attribution": to_text(claim.attribution),
        "information": to_text(claim.information),
        "speaker": claim.speaker,
        "mode": to_text(claim.mode),
        "language": claim.language,
    })
}

/// Links each claim to its entities.
async fn reference(
    conn: &mut SqliteConnection,
    write: &GraphWrite,
    refs: &ExistingRefs,
    resolved: &ResolvedEntities,
    rows: &[ClaimRow],
) -> Result<(), Fault> {
    let pairs = write.claims.iter().zip(rows).flat_map(|(claim, row)| {
        claim.entities.iter().enumerate().map(|(position, entity)| json!([resolved.row(refs, *entity), row.n, position]))
    });
    let pairs: Vec<Value> = pairs.collect();
    if !pairs.is_empty() {
        let sql = "insert into claim_entities (entity, claim, position)
            select value ->> 0, value ->> 1, value ->> 2 from json_each($1) where true on conflict do nothing";
        sqlx::query(sql).bind(Value::from(pairs).to_string()).execute(conn).await?;
    }
    Ok(())
}
