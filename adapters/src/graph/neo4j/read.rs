//! Domain objects by id, as one scope sees them.

mod all;
mod claims;
mod counts;
mod entities;
mod relationships;
mod uses;

pub(super) use all::load as load_all;
pub(super) use claims::{claims, load as load_claims};
pub(super) use counts::{claim_counts, claim_numbers, counts};
pub(super) use entities::{entities, load as load_entities};
pub(super) use relationships::{load as load_relationships, relationships};
pub(super) use uses::{claim_uses, stating_documents};

use super::Neo4jGraph;
use engine::StoreResult;
use serde::Deserialize;

/// Returns name and version of the server.
pub(super) async fn describe(graph: &Neo4jGraph) -> StoreResult<String> {
    Ok(format!("Neo4j {}", graph.version().await?))
}

/// A row number.
#[derive(Deserialize)]
pub(super) struct N {
    pub n: i64,
}

/// A count.
#[derive(Deserialize)]
pub(super) struct Number {
    pub number: i64,
}
