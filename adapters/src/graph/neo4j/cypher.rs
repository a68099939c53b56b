//! All statements sent to Neo4j, as named constants with parameters, and the schema of the database:
//!
//! ```text
//! (:Graph {version, rows})                       one node, locked by the writer
//! (:Collection {id, n, removed, claims, views, links})
//! (:Document {id, collection, document_order})
//! (:Entity {id, n, root, canonical_name, aliases, kind, summary, is_stub, last_updated, external_ids, x_…})
//!   -[:MERGED_INTO {id, at, undone}]-> (:Entity)  the merge log; `root` is the row that an entity counts as now
//!   -[:PUBLISHED]-> (:Claim)                      of an outlet
//!   -[:RELATES_TO {id, n, key, description, terms, weight, confidence, bidirectional, timestamp, since, until, vector_…}]-> (:Entity)
//! (:Claim {id, n, document_id, collection, content, quote, …, terms, length, vector_…}) -[:REFERENCES {position}]-> (:Entity)
//! (:Fact {id, n, facet, key, value, collection, claims, newest, oldest, at}) -[:OF]-> (:Entity), -[:EVIDENCED_BY]-> (:Claim),
//!   -[:FILED_UNDER]-> (:NameKey {key, collection})
//! (:EntityView {id, n, entity, collection, label, terms, length, vector_…}) -[:OF]-> (:Entity)
//! (:RelationshipView {relationship, collection, weight, confidence, bidirectional, timestamp, since, until})
//!   -[:EVIDENCED_BY {weight, confidence, bidirectional, timestamp, since, until}]-> (:Claim)
//! (:Review {id, left, right, score, why, created_at, closed, postponed_at, left_collections, right_collections})
//! (:VectorModel {model, kind, slot, dimensions, filled, used})
//! ```
//!
//! `n` and `root` are row numbers, which only grow; `collection` is the number of a collection, `id` a UUID. The properties of an entity
//! (`canonical_name` … `x_…`) and the weights of RELATES_TO combine all collections, for people who inspect the database. Readers of the
//! product get only `Fact`, `EntityView` and `RelationshipView` of the collections that they see.

pub(super) mod archive;
pub(super) mod claims;
pub(super) mod document_removal;
pub(super) mod find;
pub(super) mod merge;
pub(super) mod read;
pub(super) mod removal;
pub(super) mod reviews;
pub(super) mod schema;
pub(super) mod split;
pub(super) mod vectors;
pub(super) mod write;
