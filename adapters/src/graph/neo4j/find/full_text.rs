//! Full-text queries: the weighted terms of a query, per collection.
//!
//! Neo4j has one full-text index for all collections, and its score depends on everything in it. So every term carries its collection and
//! gets our own weight, which depends on that collection alone. A query of prefixes scores exactly the sum of these weights.

use crate::graph::{
    bm25::term_weights,
    neo4j::{Neo4jGraph, client::Statement, cypher, write::token},
};
use domain::QueryText;
use engine::{StoreResult, graph::terms::query_terms};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// A full-text index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    Claims,
    Views,
    Links,
}

impl Index {
    /// Returns its name, also that of the kind of a found row.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claims => "claim_words",
            Self::Views => "entity_words",
            Self::Links => "relationship_words",
        }
    }
}

/// Queries of one index, at most one per collection.
#[derive(Debug, Default)]
pub(super) struct IndexQueries {
    /// Queries that match a bounded number of texts.
    pub rare: Vec<String>,
    /// Queries of one common word, where a collection has no rarer one.
    pub common: Vec<String>,
}

impl IndexQueries {
    /// Returns all queries.
    pub fn all(self) -> Vec<String> {
        let Self { mut rare, common } = self;
        rare.extend(common);
        rare
    }
}

/// Returns the text of a query; none when it is blank.
pub(super) fn words(text: Option<&QueryText>) -> Option<&str> {
    text.map(|text| &**text).filter(|text| !text.is_empty())
}

/// Returns the queries by the name of their index, for collections that have any of the words, all from one statement. Common words of
/// a collection are left out while a rarer one remains.
///
/// Every search by words begins here.
pub(super) async fn index_queries(
    graph: &Neo4jGraph,
    collections: &[i64],
    texts: &[(Index, &str)],
) -> StoreResult<BTreeMap<String, IndexQueries>> {
    #[derive(Deserialize)]
    struct Row {
        index: String,
        collection: i64,
        word: String,
        texts: u32,
    }
    let (mut terms, mut link_terms) = (vec![], vec![]);
    for (index, text) in texts {
        for word in query_terms(text) {
            let term = |of: &i64| json!({"index": index.name(), "collection": of, "word": word, "query": format!("{}*", token(*of, &word))});
            let of_index = if *index == Index::Links { &mut link_terms } else { &mut terms };
            of_index.extend(collections.iter().map(term));
        }
    }
    if terms.is_empty() && link_terms.is_empty() {
        return Ok(BTreeMap::new());
    }
    let common = graph.config.common_word_texts;
    let statement = Statement::new(cypher::find::TERM_COUNTS)
        .with("terms", terms)
        .with("link_terms", link_terms)
        .with("most", i64::from(common) + 1);
    let rows: Vec<Row> = graph.client.read(statement).await?;
    let mut counted: BTreeMap<(String, i64), Vec<(u32, String)>> = BTreeMap::new();
    for Row { index, collection, word, texts } in rows {
        counted.entry((index, collection)).or_default().push((texts, word));
    }
    let mut queries: BTreeMap<String, IndexQueries> = BTreeMap::new();
    for ((index, collection), words) in counted {
        let is_common = words.iter().all(|(texts, _)| *texts > common);
        let of_index = queries.entry(index).or_default();
        let of_kind = if is_common { &mut of_index.common } else { &mut of_index.rare };
        of_kind.push(query(collection, words, common));
    }
    Ok(queries)
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
