//! Sizes of the graph, and where it lives when it does not live in the SQLite file.

use crate::Address;
use serde::Deserialize;

/// The `graph` part of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphConfig {
    /// A blocking key that more entities share than this says nothing and is passed over when candidates are looked up.
    pub entities_per_key: u32,
    /// The same for keys that only names which are spelt alike share. Up to here the order in which documents come cannot matter.
    pub entities_per_exact_key: u32,
    /// How many entities a process remembers between writes, so that it does not read busy ones for every document.
    pub remembered_entities: u32,
    /// Words of a query that stand in more texts than this are searched only when the query has no rarer one.
    pub common_word_texts: u32,
    /// Up to this many vectors are all compared; in a larger graph coarse vectors (in Neo4j its vector index) choose which.
    pub exact_vectors: u32,
    /// How many vectors are compared for each candidate, after the coarse choice.
    pub compared_per_candidate: u32,
    pub neo4j: Neo4jConfig,
}

/// The `graph.neo4j` part of the configuration. The password comes from the environment.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Neo4jConfig {
    /// `bolt://host:7687`, or `bolt+s://` for TLS, without user and password. None: the graph lives in the SQLite file.
    pub url: Option<Address>,
    pub user: String,
    pub database: String,
    /// Connections of this process. One of them at a time writes.
    pub connections: usize,
    /// How long a call waits for a free connection.
    pub acquire_timeout_ms: u64,
    /// How long a call may take, with its waits for other writers and what is tried again (`reliability.store`).
    pub timeout_ms: u64,
    /// The fewest texts that are asked of a vector index, which knows no collections.
    pub nearest: u32,
    /// How many claims, facts and the like a removed collection loses in one transaction, while which nobody else writes.
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
