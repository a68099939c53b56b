//! Insertion of relationships, or of evidence for existing ones.

use super::terms::IndexEntry;
use crate::{
    graph::{
        sqlite::{find::Kind, json},
        write_plan::{
            pack::PackContext,
            relationships::{self, KeyedRelationship, RelationshipKey, RelationshipRow, RelationshipView},
        },
    },
    sql::fault::Fault,
};
use domain::{RelationshipId, Timestamp};
use engine::graph::WrittenItem;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// The result per relationship, and the new full-text entries.
type AddedRelationships = (Vec<WrittenItem<RelationshipId>>, Vec<IndexEntry>);

pub(super) async fn add(conn: &mut SqliteConnection, pack: &PackContext<'_>) -> Result<AddedRelationships, Fault> {
    let keyed = pack.relationships();
    if keyed.is_empty() {
        return Ok(AddedRelationships::default());
    }
    let new = insert(conn, &keyed).await?;
    let found = look_up(conn, &keyed).await?;
    let views = Value::from_iter(relationships::views(&keyed, &found).into_iter().map(view)).to_string();
    // Of a month and a day in it the day is kept: as a text with a mark behind it the earlier, and without one the later.
    const COMBINED: &str = "on conflict do update set
            weight = coalesce(max(weight, excluded.weight), weight, excluded.weight),
            confidence = coalesce(max(confidence, excluded.confidence), confidence, excluded.confidence),
            bidirectional = max(coalesce(bidirectional, 0), excluded.bidirectional),
            timestamp = coalesce(max(timestamp, excluded.timestamp), timestamp, excluded.timestamp),
            since = coalesce(rtrim(min(since || '~', excluded.since || '~'), '~'), since, excluded.since),
            until = coalesce(max(until, excluded.until), until, excluded.until)";
    for (table, key, value, from) in [
        ("relationship_views", "collection", "j.value ->> 'collection'", "json_each($1) j"),
        ("relationship_claims", "claim", "c.value", "json_each($1) j cross join json_each(j.value, '$.claims') c"),
    ] {
        let sql = format!(
            "insert into {table} (relationship, {key}, weight, confidence, bidirectional, timestamp, since, until)
            select j.value ->> 'relationship', {value}, j.value ->> 'weight', j.value ->> 'confidence',
                j.value ->> 'bidirectional', j.value ->> 'timestamp', j.value ->> 'since', j.value ->> 'until'
            from {from} where true {COMBINED}"
        );
        sqlx::query(AssertSqlSafe(sql)).bind(&views).execute(&mut *conn).await?;
    }

    let learned = relationships::new_terms(&keyed, &found).into_iter();
    let learned = learned.map(|((n, collection), terms)| IndexEntry::new(Kind::Relationship, n, collection, &terms));
    Ok((relationships::written_items(&keyed, &found, &new), learned.collect()))
}

fn view(view: RelationshipView) -> Value {
    json!({
        "relationship": view.relationship,
        "collection": view.collection,
        "weight": view.weight,
        "confidence": view.confidence,
        "bidirectional": i64::from(view.bidirectional),
        "timestamp": view.timestamp.map(Timestamp::as_micros),
        "since": view.since,
        "until": view.until,
        "claims": view.claims,
    })
}

async fn insert(conn: &mut SqliteConnection, keyed: &[KeyedRelationship<'_>]) -> Result<HashSet<i64>, Fault> {
    let rows = keyed.iter().map(|KeyedRelationship { key: (source, target, hash), new, .. }| {
        json!([json::hex(new.id.0), source, target, new.description.trim(), hash])
    });
    let sql = "insert into relationships (id, source, target, description, description_hash)
        select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each($1) where true
        on conflict (source, target, description_hash) do nothing returning n";
    let new: Vec<i64> = sqlx::query_scalar(sql).bind(Value::from_iter(rows).to_string()).fetch_all(conn).await?;
    Ok(new.into_iter().collect())
}

async fn look_up(
    conn: &mut SqliteConnection,
    keyed: &[KeyedRelationship<'_>],
) -> Result<HashMap<RelationshipKey, RelationshipRow>, Fault> {
    let keys = Value::from_iter(keyed.iter().map(|keyed| json!(keyed.key))).to_string();
    let sql = "select r.source, r.target, r.description_hash, r.n, r.id,
            (select json_group_array(v.collection) from relationship_views v where v.relationship = r.n)
        from json_each($1) j cross join relationships r
            on r.source = j.value ->> 0 and r.target = j.value ->> 1 and r.description_hash = j.value ->> 2";
    let rows: Vec<(i64, i64, String, i64, Uuid, String)> = sqlx::query_as(sql).bind(keys).fetch_all(conn).await?;
    let row = |(source, target, hash, n, id, collections): (i64, i64, String, i64, Uuid, String)| {
        ((source, target, hash), RelationshipRow { n, id, collections: serde_json::from_str(&collections).unwrap_or_default() })
    };
    Ok(rows.into_iter().map(row).collect())
}
