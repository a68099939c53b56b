//! Terms as full-text indexes have them: each with the collection that it was read in, so that what one collection holds weighs nothing
//! in what another finds.

/// What every term of a collection begins with.
pub(in crate::graph::neo4j) fn mark(collection: i64) -> String {
    format!("c{collection}_")
}

/// A term of a collection. It ends with a sign that no term holds: what begins with it is exactly it.
pub(in crate::graph::neo4j) fn token(collection: i64, term: &str) -> String {
    format!("c{collection}_{term}_")
}

/// The terms of a text.
pub(in crate::graph::neo4j) fn tokens(collection: i64, terms: &[String]) -> String {
    terms.iter().map(|term| token(collection, term)).collect::<Vec<_>>().join(" ")
}
