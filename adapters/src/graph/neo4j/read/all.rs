//! Claims, relationships and entities of a search, read by one statement.

use crate::graph::{
    claim_columns::StoredClaim,
    neo4j::{Neo4jGraph, client::Statement, cypher},
    projection::{FactRow, FoundRows, StoredRelationship, found_entities},
};
use engine::StoreResult;
use serde::Deserialize;
use serde_json::json;

/// Loads the claims, relationships and entities in these rows that the scope sees.
pub(in crate::graph::neo4j) async fn load(graph: &Neo4jGraph, scope: &[i64], rows: [Vec<i64>; 3]) -> StoreResult<FoundRows> {
    #[derive(Deserialize)]
    struct Row {
        claim: Option<StoredClaim>,
        relationship: Option<StoredRelationship>,
        fact: Option<FactRow>,
    }
    if rows.iter().all(Vec::is_empty) {
        return Ok(FoundRows::default());
    }
    let [claims, relationships, roots] = rows;
    let statement = Statement::new(cypher::read::all()).with("scope", json!(scope)).with("rows", json!(claims));
    let statement = statement.with("links", json!(relationships)).with("roots", json!(roots));
    let rows: Vec<Row> = graph.client.read(statement).await?;
    let (mut found, mut facts) = (FoundRows::default(), vec![]);
    for Row { claim, relationship, fact } in rows {
        if let Some(claim) = claim {
            found.claims.push((claim.n, claim.claim()?));
        }
        if let Some(relationship) = relationship {
            found.relationships.push((relationship.n, relationship.relationship()?));
        }
        facts.extend(fact);
    }
    found.entities = found_entities(facts, &graph.names)?;
    Ok(found)
}
