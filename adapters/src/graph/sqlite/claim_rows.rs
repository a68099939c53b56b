//! Statements that insert and select claims, built from the names of the columns.

use super::json;
use crate::graph::claim_columns::{COLUMNS, ClaimColumns};
use domain::Timestamp;
use engine::graph::NewClaim;
use serde_json::{Value, json};

/// Begins the statement that inserts the rows `j` of `$1`; `references` are the values of document, collection and outlet. A row without
/// a number gets the next.
pub(super) fn insert(references: &str, joins: &str) -> String {
    let names = COLUMNS.join(", ");
    let values = COLUMNS.iter().map(|name| format!("j.value ->> '{name}'")).collect::<Vec<_>>().join(", ");
    format!(
        "insert into claims (n, id, ingested_at, {names}, document, collection, outlet)
        select j.value ->> 'n', unhex(j.value ->> 'id'), j.value ->> 'ingested_at', {values}, {references}
        from json_each($1) j {joins} where true"
    )
}

/// Returns the row of a claim for `insert`.
pub(super) fn row(claim: &NewClaim, ingested_at: Timestamp) -> Value {
    let mut row = json!(ClaimColumns::new(claim));
    row["id"] = json::hex(claim.id.0);
    row["ingested_at"] = ingested_at.as_micros().into();
    row
}

/// Begins the statement that selects claims `c` as `StoredClaim`, with document `d` and collection `k`. Entities are those written
/// (`entity` = "n") or the survivors of their merges ("root").
pub(super) fn select(entity: &str) -> String {
    let columns = COLUMNS.iter().map(|name| format!("c.{name}")).collect::<Vec<_>>().join(", ");
    format!(
        "select c.n, c.id, d.id as document_id, k.id as collection_id, c.ingested_at, {columns},
            (select r.id from entities o join entities r on r.n = o.{entity} where o.n = c.outlet) as outlet_id,
            (select json_group_array(hex(r.id) order by x.position, e.id) from claim_entities x
                join entities e on e.n = x.entity join entities r on r.n = e.{entity} where x.claim = c.n) as entity_ids"
    )
}
