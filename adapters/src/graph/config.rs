//! Configuration of the graph.

use crate::Address;
use serde::Deserialize;

domain::settings! {
    /// The `graph` part of the configuration.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct GraphConfig {
        /// The number of entities that may share a blocking key; a busier key is skipped in the lookup of candidates.
        pub entities_per_key: u32 = 12,
        /// The same for keys shared only by names of equal spelling. Up to this number the order of documents cannot matter.
        pub entities_per_exact_key: u32 = 200,
        /// The number of entities that a process caches between writes, so that busy ones are not read for every document.
        pub remembered_entities: u32 = 10_000,
        /// The number of texts above which a word counts as common; common words are searched only without a rarer one in the query.
        /// Then this many claims are ranked, the last written ones, unless a filter narrows them.
        pub common_word_texts: u32 = 2_000,
        /// The number of vectors up to which all are compared; a larger graph preselects by coarse vectors (in Neo4j by its vector index).
        pub exact_vectors: u32 = 2_000,
        /// The number of vectors compared per candidate after the preselection.
        pub compared_per_candidate: u32 = 5,
        pub neo4j: Neo4jConfig = Neo4jConfig::default(),
    }

    /// The `graph.neo4j` part of the configuration. The password comes from the environment.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct Neo4jConfig {
        /// `bolt://host:7687`, or `bolt+s://` for TLS, without user and password. `None` keeps the graph in the SQLite file.
        pub url: Option<Address> = None,
        pub user: String = "neo4j".into(),
        pub database: String = "neo4j".into(),
        /// Connections of this process. Only one of them writes at a time.
        pub connections: usize = 16,
        /// The time a call waits for a free connection.
        pub acquire_timeout_ms: u64 = 10_000,
        /// The time limit of a call, including waits for other writers and retries (`reliability.store`).
        pub timeout_ms: u64 = 60_000,
        /// The minimum number of texts requested from the vector index, which knows no collections.
        pub nearest: u32 = 1_000,
        /// The number of items deleted per transaction when a collection is removed; other writers wait meanwhile.
        pub removal_portion: u32 = 500,
    }
}
