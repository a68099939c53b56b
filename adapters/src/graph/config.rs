//! Sizes of the SQLite graph.

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
    /// Up to this many vectors are all compared; in a larger graph coarse vectors choose which.
    pub exact_vectors: u32,
    /// How many vectors are compared for each candidate, after the coarse choice.
    pub compared_per_candidate: u32,
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
        }
    }
}
