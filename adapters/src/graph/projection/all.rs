//! The answer of a search for entities, claims and relationships at once.

use super::{Hits, names_of};
use domain::{claim::Claim, entity::Entity, relationship::Relationship};
use engine::graph::{GraphCandidates, GraphQuery};
use std::collections::HashMap;

/// The hits of each kind.
#[derive(Default)]
pub(in crate::graph) struct AllHits {
    pub entities: Hits,
    pub claims: Hits,
    pub relationships: Hits,
}

/// Items of a search that the scope sees, by row.
#[derive(Default)]
pub(in crate::graph) struct FoundRows {
    /// In document order.
    pub claims: Vec<(i64, Claim)>,
    /// By description.
    pub relationships: Vec<(i64, Relationship)>,
    /// Entities of the search and, with their names alone, the ends of the relationships.
    pub entities: HashMap<i64, Entity>,
}

impl AllHits {
    /// Returns the rows of claims, relationships and entities.
    pub fn rows(&self) -> [Vec<i64>; 3] {
        [self.claims.rows(), self.relationships.rows(), self.entities.rows()]
    }

    /// Returns the candidates among the rows that were found.
    pub fn candidates(&self, found: FoundRows, query: &GraphQuery) -> GraphCandidates {
        let FoundRows { claims, relationships, entities } = found;
        GraphCandidates {
            ends: if relationships.is_empty() { HashMap::new() } else { names_of(&entities) },
            entities: self.entities.entities(entities),
            claims: query.claims.as_ref().map(|query| self.claims.claims(claims, query)).unwrap_or_default(),
            relationships: self.relationships.relationships(relationships),
        }
    }
}
