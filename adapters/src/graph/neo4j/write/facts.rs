//! Insertion of entity facts with their evidence.

use super::lock::WriterLock;
use crate::graph::{
    neo4j::{client::Transaction, cypher},
    write_plan::{
        facts::{Fact, StatedFact},
        pack::PackContext,
    },
};
use engine::{StoreResult, evidence::sha256_hex, graph::Resolve};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Maximum length of a key, in bytes, before it is stored by its hash: an index entry is limited to some thousands.
const LONGEST_KEY: usize = 500;

/// Adds the facts of the pack and indexes new names by blocking key.
pub(super) async fn add(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    pack: &PackContext<'_>,
    resolve: &dyn Resolve,
) -> StoreResult<()> {
    let facts = &pack.facts;
    if facts.is_empty() {
        return Ok(());
    }
    let offered: HashMap<&Fact, i64> = facts.keys().map(|fact| (fact, lock.row())).collect();
    let row = |(fact, stated): (&Fact, &StatedFact)| {
        let mut row = row(fact, offered[fact]);
        row["at"] = stated.at.as_micros().into();
        row
    };
    let stored = transaction.stored_rows(cypher::write::FACTS, facts.iter().map(row).collect()).await?;
    let row_of = |fact: &Fact| stored.get(&offered[fact]).copied().unwrap_or(offered[fact]);

    let evidence = facts.iter().flat_map(|(fact, stated)| {
        let n = row_of(fact);
        stated.claims.iter().map(move |claim| json!({"fact": n, "claim": claim}))
    });
    transaction.run_rows(cypher::write::FACT_EVIDENCE, evidence.collect()).await?;

    let new = facts.keys().filter(|fact| fact.facet == "name" && row_of(fact) == offered[*fact]);
    let keys = new.flat_map(|fact| resolve.keys(&fact.value).into_iter().map(move |key| (key, fact)));
    let keys = keys.map(|(key, fact)| json!({"key": filed(&key), "collection": fact.collection, "fact": offered[fact]}));
    transaction.run_rows(cypher::write::NAME_KEYS, keys.collect()).await
}

pub(in crate::graph::neo4j) fn row(fact: &Fact, n: i64) -> Value {
    let external = (fact.facet == "external").then(|| external_id(&fact.key, &fact.value));
    json!({
        "n": n, "id": fact_id(fact), "entity": fact.entity, "facet": fact.facet, "key": fact.key, "value": fact.value,
        "collection": fact.collection, "external_id": external,
    })
}

/// Returns the natural key of a fact as a hash; values may be longer than an index entry.
fn fact_id(fact: &Fact) -> String {
    let Fact { entity, facet, key, value, collection } = fact;
    sha256_hex(json!([entity, facet, key, value, collection]).to_string().as_bytes())
}

/// Returns the index key of an id in another system.
pub(super) fn external_id(system: &str, id: &str) -> String {
    sha256_hex(json!([system, id]).to_string().as_bytes())
}

/// Returns the stored form of a blocking key.
pub(in crate::graph::neo4j) fn filed(key: &str) -> String {
    if key.len() <= LONGEST_KEY { key.to_owned() } else { sha256_hex(key.as_bytes()) }
}
