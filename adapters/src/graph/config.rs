//! Configuration of the graph.

use crate::Address;
use serde::Deserialize;

/// The `graph` part of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphConfig {
    /// The number of entities that may share a blocking key; a busier key is skipped in the lookup of candidates.
    pub entities_per_key: u32,
    /// The same for keys shared only by names of equal spelling. Up to this number the order of documents cannot matter.
    pub entities_per_exact_key: u32,
    /// The number of entities that a process caches between writes, so that busy ones are not read for every document.
    pub remembered_entities: u32,
    /// The number of texts above which a word counts as common; common words are searched only without a rarer one in the query.
    /// Then this many claims are ranked, the last written ones, unless a filter narrows them.
    pub common_word_texts: u32,
    /// The number of vectors up to which all are compared; a larger graph preselects by coarse vectors (in Neo4j by its vector index).
    pub exact_vectors: u32,
    /// The number of vectors compared per candidate after the preselection.
    pub compared_per_candidate: u32,
    pub neo4j: Neo4jConfig,
}

/// The `graph.neo4j` part of the configuration. The password comes from the environment.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Neo4jConfig {
    /// `bolt://host:7687`, or `bolt+s://` for TLS, without user and password. `None` keeps the graph in the SQLite file.
    pub url: Option<Address>,
    pub user: String,
    pub database: String,
    /// Connections of this process. Only one of them writes at a time.
    pub connections: usize,
    /// The time a call waits for a free connection.
    pub acquire_timeout_ms: u64,
    /// The time limit of a call, including waits for other writers and retries (`reliability.store`).
    pub timeout_ms: u64,
    /// The minimum number of texts requested from the vector index, which knows no collections.
    pub nearest: u32,
    /// The number of items deleted per transaction when a collection is removed; other writers wait meanwhile.
    pub removal_portion: u32,
}

impl Default for Neo4jConfig {
    fn default() -> Self {
        Self {
            url: None,
            user: "neo4j".into(),
            database: "neo4j".into(),
            connections: 16,
            acquire_timeout_ms: 10_000,
            timeout_ms: 60_000,
            nearest: 1_000,
            removal_portion: 500,
        }
    }
}

impl Default for GraphConfig {
    fn default() -> Self {
        Self {
            entities_per_key: 12,
            entities_per_exact_key: 200,
            remembered_entities: 10_000,
            common_word_texts: 2_000,
            exact_vectors: 2_000,
            compared_per_candidate: 5,
            neo4j: Neo4jConfig::default(),
        }
    }
}
