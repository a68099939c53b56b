//! The words of a query as each collection's part of an index is asked for them.
//!
//! A full-text index of Neo4j is one for all, and what it calls a score depends on everything in it. So every term carries its
//! collection, and each term of a query gets a weight of our own, which depends on that collection alone: a query of prefixes is
//! scored with exactly these weights, one by one added up.

use crate::graph::neo4j::{Neo4jGraph, cypher, link::ask, write::token};
use engine::{StoreResult, graph::terms::query_terms};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The full-text index that is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    Claims,
    Views,
    Links,
}

impl Index {
    const fn name(self) -> &'static str {
        match self {
            Self::Claims => "claim_terms",
            Self::Views => "entity_terms",
            Self::Links => "relationship_terms",
        }
    }

    const fn counts(self) -> &'static str {
        match self {
            Self::Claims | Self::Views => cypher::find::TERM_COUNTS,
            Self::Links => cypher::find::TERM_COUNTS_OF_LINKS,
        }
    }
}

/// One query for each collection that has any of the words; the common words of a collection are left out as long as a rarer one is left.
pub(super) async fn asked(graph: &Neo4jGraph, index: Index, collections: &[i64], text: &str) -> StoreResult<Vec<String>> {
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
    let common = graph.config.common_word_texts;
    let terms = collections.iter().flat_map(|collection| {
        words
            .iter()
            .map(move |word| json!({"collection": collection, "word": word, "query": format!("{}*", token(*collection, word))}))
    });
    let statement = ask(index.counts())
        .with("index", index.name())
        .with("terms", terms.collect::<Vec<Value>>())
        .with("most", i64::from(common) + 1);
    let rows: Vec<Row> = graph.link.read(statement).await?;
    let mut counted: BTreeMap<i64, Vec<(u32, String)>> = BTreeMap::new();
    for Row { collection, word, texts } in rows {
        counted.entry(collection).or_default().push((texts, word));
    }
    Ok(counted.into_iter().map(|(collection, words)| query(collection, words, common)).collect())
}

/// Weighs rare words as BM25 does in a collection where a common word stands in half of the texts.
fn query(collection: i64, mut words: Vec<(u32, String)>, common: u32) -> String {
    words.sort();
    let rare = words.iter().take_while(|(texts, _)| *texts <= common).count();
    let weighed = words.iter().take(rare.max(1)).map(|(texts, word)| {
        let weight = (1.0 + (2.0 * f64::from(common) + 0.5) / (f64::from(*texts) + 0.5)).ln();
        format!("{}*^{weight:.4}", token(collection, word))
    });
    weighed.collect::<Vec<_>>().join(" OR ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_word_weighs_more_and_a_common_one_is_left_out() {
        let words = vec![(2001, "the".to_owned()), (1, "inquiry".to_owned()), (30, "harbour".to_owned())];
        assert_eq!(query(7, words, 2000), "c7_inquiry_*^7.8891 OR c7_harbour_*^4.8840");
        let common = vec![(2001, "the".to_owned()), (2001, "same".to_owned())];
        assert_eq!(query(7, common, 2000), "c7_same_*^1.0982");
    }
}
