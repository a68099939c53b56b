//! Full-text queries: the weighted terms of a query, per collection.
//!
//! Neo4j has one full-text index for all collections, and its score depends on everything in it. So every term carries its collection and
//! gets our own weight, which depends on that collection alone. A query of prefixes scores exactly the sum of these weights.

use crate::graph::{
    bm25::term_weights,
    neo4j::{Neo4jGraph, client::Statement, cypher, write::token},
};
use engine::{StoreResult, graph::terms::query_terms};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A full-text index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    Claims,
    Views,
    Links,
}

impl Index {
    const fn name(self) -> &'static str {
        match self {
            Self::Claims => "claim_words",
            Self::Views => "entity_words",
            Self::Links => "relationship_words",
        }
    }

    const fn counts(self) -> &'static str {
        match self {
            Self::Claims | Self::Views => cypher::find::TERM_COUNTS,
            Self::Links => cypher::find::TERM_COUNTS_OF_LINKS,
        }
    }
}

/// Returns one query per collection that has any of the words. Common words of a collection are left out while a rarer one remains.
///
/// Every search by words begins here, and first waits for the index to contain what was committed before.
pub(super) async fn index_queries(
    graph: &Neo4jGraph,
    index: Index,
    collections: &[i64],
    text: &str,
) -> StoreResult<Vec<String>> {
    #[derive(Deserialize)]
    struct Row {
        collection: i64,
        word: String,
        texts: u32,
    }
    let words = query_terms(text);
    if words.is_empty() || collections.is_empty() {
        return Ok(Vec::new());
    }
    graph.client.run(Statement::new(cypher::find::AWAIT_WORDS)).await?;
    let common = graph.config.common_word_texts;
    let terms = collections.iter().flat_map(|collection| {
        words
            .iter()
            .map(move |word| json!({"collection": collection, "word": word, "query": format!("{}*", token(*collection, word))}))
    });
    let statement = Statement::new(index.counts())
        .with("index", index.name())
        .with("terms", terms.collect::<Vec<Value>>())
        .with("most", i64::from(common) + 1);
    let rows: Vec<Row> = graph.client.read(statement).await?;
    let mut counted: BTreeMap<i64, Vec<(u32, String)>> = BTreeMap::new();
    for Row { collection, word, texts } in rows {
        counted.entry(collection).or_default().push((texts, word));
    }
    Ok(counted.into_iter().map(|(collection, words)| query(collection, words, common)).collect())
}

/// Builds the query of one collection; `bm25` explains the weights.
fn query(collection: i64, words: Vec<(u32, String)>, common: u32) -> String {
    let term_weights =
        term_weights(words, common).into_iter().map(|(word, weight)| format!("{}*^{weight:.10}", token(collection, &word)));
    term_weights.collect::<Vec<_>>().join(" OR ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_a_prefix_with_its_weight() {
        let words = vec![(1, "inquiry".to_owned()), (30, "harbour".to_owned())];
        assert_eq!(query(7, words, 2000), "c7_inquiry_*^7.8886718750 OR c7_harbour_*^4.8837890625");
    }
}
