//! Index terms, each prefixed with its collection, so that the data of one collection never affects the scores of another.

/// Returns the prefix of every term of a collection.
pub(in crate::graph::neo4j) fn mark(collection: i64) -> String {
    format!("c{collection}_")
}

/// Returns a term of a collection. It ends with a sign that no term contains, so that a prefix search matches exactly it.
pub(in crate::graph::neo4j) fn token(collection: i64, term: &str) -> String {
    format!("c{collection}_{term}_")
}

/// Returns the terms of a text.
pub(in crate::graph::neo4j) fn tokens(collection: i64, terms: &[String]) -> String {
    terms.iter().map(|term| token(collection, term)).collect::<Vec<_>>().join(" ")
}
