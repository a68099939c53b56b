//! Search candidates by full text, vectors and filters over one scope. The engine scores and orders them.

mod all;
mod claims;
mod entities;
mod full_text;
mod listing;
mod relationships;
mod similarity;
mod subgraph;
mod traversal;

pub(super) use all::all;
pub(super) use claims::{claims, newest_claims};
pub(super) use entities::entities;
pub(super) use relationships::relationships;
pub(super) use subgraph::subgraph;
pub(super) use traversal::traverse;

use super::{Neo4jGraph, client::Statement, read::N};
use engine::StoreResult;

/// Returns the row numbers that a statement selects.
async fn rows(graph: &Neo4jGraph, statement: Statement) -> StoreResult<Vec<i64>> {
    Ok(graph.client.read::<N>(statement).await?.into_iter().map(|row| row.n).collect())
}
