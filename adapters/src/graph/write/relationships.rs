//! Adds relationships, or evidence to those that are there.

use super::{Site, terms::Indexed};
use crate::{
    graph::{find::Kind, json},
    sql::fault::Fault,
};
use domain::RelationshipId;
use engine::graph::{NewRelationship, WrittenItem, terms::terms};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use uuid::Uuid;

#[derive(Default)]
pub(super) struct Added {
    pub written: Vec<WrittenItem<RelationshipId>>,
    pub changed: Vec<Indexed>,
}

/// Natural key: source, target, hash of the description.
type Key = (i64, i64, String);

pub(super) async fn add(conn: &mut SqliteConnection, site: &Site<'_>) -> Result<Added, Fault> {
    if site.write.relationships.is_empty() {
        return Ok(Added::default());
    }
    let keyed: Vec<(Key, &NewRelationship)> = site.write.relationships.iter().map(|new| (key(site, new), new)).collect();
    let new = insert(conn, &keyed).await?;
    let found = look_up(conn, &keyed).await?;
    let views = keyed.iter().flat_map(|(key, new)| views(site, found[key].n, new));
    let views = Value::from_iter(views).to_string();
    let sql = "insert into relationship_views (relationship, collection, weight, confidence, bidirectional, timestamp)
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each($1) where true
        on conflict do update set
            weight = coalesce(max(weight, excluded.weight), weight, excluded.weight),
            confidence = coalesce(max(confidence, excluded.confidence), confidence, excluded.confidence),
            bidirectional = max(bidirectional, excluded.bidirectional),
            timestamp = coalesce(max(timestamp, excluded.timestamp), timestamp, excluded.timestamp)";
    sqlx::query(sql).bind(&views).execute(&mut *conn).await?;
    let sql = "insert into relationship_claims (relationship, claim)
        select j.value ->> 0, c.value from json_each($1) j cross join json_each(j.value, '$[6]') c where true
        on conflict do nothing";
    sqlx::query(sql).bind(&views).execute(conn).await?;

    let mut told = HashSet::new();
    let mut added = Added::default();
    for (key, _) in &keyed {
        let row = &found[key];
        added.written.push(WrittenItem { id: RelationshipId(row.id), is_new: new.contains(&row.n) && told.insert(row.n) });
    }
    added.changed = changed(site, &keyed, &found);
    Ok(added)
}

fn key(site: &Site<'_>, new: &NewRelationship) -> Key {
    let row = |entity| site.settled.row(site.ground, entity);
    (row(new.source), row(new.target), hex::encode(Sha256::digest(new.description.trim().as_bytes())))
}

async fn insert(conn: &mut SqliteConnection, keyed: &[(Key, &NewRelationship)]) -> Result<HashSet<i64>, Fault> {
    let rows = keyed
        .iter()
        .map(|((source, target, hash), new)| json!([json::hex(new.id.0), source, target, new.description.trim(), hash]));
    let sql = "insert into relationships (id, source, target, description, description_hash)
        select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each($1) where true
        on conflict (source, target, description_hash) do nothing returning n";
    let new: Vec<i64> = sqlx::query_scalar(sql).bind(Value::from_iter(rows).to_string()).fetch_all(conn).await?;
    Ok(new.into_iter().collect())
}

struct Row {
    n: i64,
    id: Uuid,
    /// The collections that had it before this write.
    collections: BTreeSet<i64>,
}

async fn look_up(conn: &mut SqliteConnection, keyed: &[(Key, &NewRelationship)]) -> Result<HashMap<Key, Row>, Fault> {
    let keys = Value::from_iter(keyed.iter().map(|(key, _)| json!(key))).to_string();
    let sql = "select r.source, r.target, r.description_hash, r.n, r.id,
            (select json_group_array(v.collection) from relationship_views v where v.relationship = r.n)
        from json_each($1) j cross join relationships r
            on r.source = j.value ->> 0 and r.target = j.value ->> 1 and r.description_hash = j.value ->> 2";
    let rows: Vec<(i64, i64, String, i64, Uuid, String)> = sqlx::query_as(sql).bind(keys).fetch_all(conn).await?;
    let row = |(source, target, hash, n, id, collections): (i64, i64, String, i64, Uuid, String)| {
        ((source, target, hash), Row { n, id, collections: serde_json::from_str(&collections).unwrap_or_default() })
    };
    Ok(rows.into_iter().map(row).collect())
}

/// The relationship as each collection with evidence of it has it, with that evidence.
fn views(site: &Site<'_>, n: i64, new: &NewRelationship) -> Vec<Value> {
    let evidence = site.evidence(&new.claims, &new.existing_claims);
    let collections: BTreeSet<i64> = evidence.iter().map(|(_, collection)| *collection).collect();
    let view = |collection: i64| {
        let claims: Vec<i64> = evidence.iter().filter(|(_, of)| *of == collection).map(|(claim, _)| *claim).collect();
        json!([
            n,
            collection,
            new.weight,
            new.confidence.map(domain::Confidence::get),
            i64::from(new.bidirectional),
            new.timestamp.map(domain::Timestamp::as_micros),
            claims
        ])
    };
    collections.into_iter().map(view).collect()
}

/// What full text has to learn: the relationships that a collection has now and had not before.
fn changed(site: &Site<'_>, keyed: &[(Key, &NewRelationship)], found: &HashMap<Key, Row>) -> Vec<Indexed> {
    let mut learned: BTreeMap<(i64, i64), Indexed> = BTreeMap::new();
    for (key, relationship) in keyed {
        let row = &found[key];
        let evidence = site.evidence(&relationship.claims, &relationship.existing_claims);
        let new = evidence.into_iter().map(|(_, collection)| collection).filter(|of| !row.collections.contains(of));
        for collection in new {
            learned
                .entry((row.n, collection))
                .or_insert_with(|| Indexed::new(Kind::Relationship, row.n, collection, &terms(&relationship.description)));
        }
    }
    learned.into_values().collect()
}
