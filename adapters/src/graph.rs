//! The knowledge graph on its two backends: tables of the SQLite file, and Neo4j.
//!
//! Invariant: `draft` works out what a write comes to and `shown` what a reader gets to see, once for both; a backend looks rows up
//! and stores them, decides nothing, and names the collections that may be seen in every read. What belongs to an entity stays with
//! the row it was written to; the `root` of that row alone says which entity it counts as now.

mod bm25;
mod config;
mod enum_text;
mod neo4j;
mod projection;
mod resolution_cache;
mod sqlite;
mod write_plan;

pub use config::{GraphConfig, Neo4jConfig};
pub use neo4j::{Neo4jArchive, Neo4jGraph};
pub use sqlite::{EmbeddedArchive, SqliteGraph};
