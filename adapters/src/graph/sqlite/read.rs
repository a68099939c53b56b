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

use super::SqliteGraph;
use crate::sql::fault::Fault;

/// Returns name and version of the database.
pub(super) async fn describe(graph: &SqliteGraph) -> Result<String, Fault> {
    let version: String = sqlx::query_scalar("select sqlite_version()").fetch_one(&graph.reader).await?;
    Ok(format!("SQLite {version}"))
}
