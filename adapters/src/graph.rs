//! The knowledge graph on its two backends: tables of the SQLite file, and Neo4j.
//!
//! Invariant: `write_plan` computes every write, `projection` every read and `records` every page of the archive, once for both. A backend
//! only looks rows up and stores them, and every read names the visible collections. Data of an entity stays with the row it was written
//! to; the `root` of that row alone says which entity it belongs to now.

mod bm25;
mod claim_columns;
mod config;
mod enum_text;
#[cfg(feature = "scale")]
mod neo4j;
mod port;
mod projection;
mod records;
mod resolution_cache;
mod sqlite;
mod write_plan;

pub use config::{GraphConfig, Neo4jConfig};
#[cfg(feature = "scale")]
pub use neo4j::{Neo4jArchive, Neo4jGraph};
pub use sqlite::{EmbeddedArchive, SqliteGraph};
