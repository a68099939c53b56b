//! The backend-independent write plan: validation, entity resolution, facts, search views and relationships. No I/O except through
//! `candidates::CandidateSource`.

pub(super) mod candidates;
pub(super) mod existing_refs;
pub(super) mod facts;
pub(super) mod pack;
pub(super) mod pack_candidates;
pub(super) mod relationships;
pub(super) mod resolution;
pub(super) mod reviews;
pub(super) mod split;
pub(super) mod validate;
pub(super) mod views;

use domain::ClaimId;
use engine::graph::{GraphWrite, ResolvedEntity, WriteOutcome, WrittenItem, terms::terms};
use existing_refs::ExistingRefs;
use resolution::ResolvedEntities;
use std::collections::HashSet;

/// The row of a claim in a write.
#[derive(Clone, Copy)]
pub(super) struct ClaimRow {
    pub n: i64,
    pub id: ClaimId,
    pub is_new: bool,
}

/// The write of one document with the rows that its parts have so far.
pub(super) struct WriteContext<'a> {
    pub write: &'a GraphWrite,
    pub refs: &'a ExistingRefs,
    pub resolved: ResolvedEntities,
    pub claims: Vec<ClaimRow>,
}

impl WriteContext<'_> {
    /// Returns the claims of an evidence list, with the collection of each.
    pub fn evidence(&self, new: &[usize], existing: &[ClaimId]) -> Vec<(i64, i64)> {
        let new = new.iter().map(|index| (self.claims[*index].n, self.refs.collection));
        let mut claims: Vec<_> = new.chain(existing.iter().map(|id| self.refs.claims[id])).collect();
        claims.sort_unstable();
        claims.dedup();
        claims
    }

    /// Returns row and full-text terms of the new claims.
    pub fn claim_terms(&self) -> impl Iterator<Item = (i64, Vec<String>)> + '_ {
        let new = self.write.claims.iter().zip(&self.claims).filter(|(_, row)| row.is_new);
        new.map(|(claim, row)| (row.n, claim_search_terms(&claim.content, &claim.quote)))
    }

    /// Returns the row of the outlet.
    pub fn outlet(&self) -> Option<i64> {
        self.write.outlet.map(|outlet| self.resolved.row(self.refs, outlet))
    }

    /// Returns entity, claim and position of each mention.
    pub fn mentions(&self) -> impl Iterator<Item = (i64, i64, usize)> + '_ {
        self.write.claims.iter().zip(&self.claims).flat_map(move |(claim, row)| {
            let mentioned = claim.entities.iter().enumerate();
            mentioned.map(move |(position, entity)| (self.resolved.row(self.refs, *entity), row.n, position))
        })
    }

    pub fn result(&self, relationships: Vec<WrittenItem<domain::RelationshipId>>) -> WriteOutcome {
        let entities = self.resolved.entities.iter().map(|entity| ResolvedEntity { id: entity.id, is_new: entity.is_new });
        let claims = self.claims.iter().map(|claim| WrittenItem { id: claim.id, is_new: claim.is_new });
        WriteOutcome { entities: entities.collect(), claims: claims.collect(), relationships }
    }
}

/// Returns the search terms of a claim: those of its content, and those that only its quote has.
pub(super) fn claim_search_terms(content: &str, quote: &str) -> Vec<String> {
    let mut all = terms(content);
    let said: HashSet<String> = all.iter().cloned().collect();
    if content != quote {
        all.extend(terms(quote).into_iter().filter(|word| !said.contains(word)));
    }
    all
}
