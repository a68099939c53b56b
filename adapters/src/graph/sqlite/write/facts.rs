//! Insertion of entity facts with their evidence.

use crate::{graph::write_plan::pack::PackContext, sql::fault::Fault};
use engine::graph::Resolve;
use serde_json::{Value, json};
use sqlx::SqliteConnection;

/// Adds the facts of the pack and indexes new names by blocking key.
pub(super) async fn add(conn: &mut SqliteConnection, pack: &PackContext<'_>, resolve: &dyn Resolve) -> Result<(), Fault> {
    if pack.facts.is_empty() {
        return Ok(());
    }
    let rows = pack.facts.iter().map(|(fact, stated)| {
        json!([fact.entity, fact.facet, fact.key, fact.value, fact.collection, stated.claims, stated.at.as_micros()])
    });
    let rows = Value::from_iter(rows).to_string();
    let sql = "insert into entity_facts (entity, facet, key, value, collection, at)
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 6 from json_each($1) where true
        on conflict do nothing returning n, entity, facet, value, collection";
    let new: Vec<(i64, i64, String, String, i64)> = sqlx::query_as(sql).bind(&rows).fetch_all(&mut *conn).await?;
    let sql = "insert into fact_claims (fact, claim)
        select f.n, c.value from json_each($1) j
        cross join entity_facts f on f.entity = j.value ->> 0 and f.facet = j.value ->> 1 and f.key = j.value ->> 2
            and f.value = j.value ->> 3 and f.collection = j.value ->> 4
        cross join json_each(j.value, '$[5]') c where true on conflict do nothing";
    sqlx::query(sql).bind(&rows).execute(&mut *conn).await?;
    let names = new.into_iter().filter(|(_, _, facet, ..)| facet == "name");
    let keys = names.flat_map(|(n, entity, _, name, collection)| {
        resolve.keys(&name).into_iter().map(move |key| (key, collection, entity, n))
    });
    let keys: Vec<(String, i64, i64, i64)> = keys.collect();
    if !keys.is_empty() {
        let sql = "insert into name_keys (key, collection, entity, fact)
            select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each($1) where true on conflict do nothing";
        sqlx::query(sql).bind(json!(keys).to_string()).execute(conn).await?;
    }
    Ok(())
}
