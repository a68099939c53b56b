//! The plan of a pack: documents of one collection, written in one transaction with one statement per kind of row.
//!
//! Invariant: the plan equals that of its documents written one after another. So the documents of a larger pack have no claims yet.

use super::{
    ClaimRow, WriteContext,
    candidates::KeyedProposal,
    existing_refs::{ExistingRefs, referenced_claims},
    facts::{self, Facts, PackFacts},
    pack_candidates::PackCandidates,
    relationships::KeyedRelationship,
    resolution,
};
use domain::{ClaimId, DocumentId, RelationshipId};
use engine::{
    StoreResult,
    graph::{EntityRef, GraphWrite, NewClaim, Resolve, WriteOutcome, WrittenItem},
};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    slice,
};

pub(in crate::graph) struct PackContext<'a> {
    pub documents: Vec<WriteContext<'a>>,
    pub facts: PackFacts,
}

/// Existing claims of a document: row and id by content hash.
pub(in crate::graph) type ExistingClaims = HashMap<String, (i64, ClaimId)>;

/// Splits the writes, in order, into runs that may be planned together. A document is a run of its own if it occurred before, has
/// claims already, names existing claims, or changes an entity named by id.
pub(in crate::graph) fn runs<'a>(writes: &'a [GraphWrite], refs: &ExistingRefs) -> Vec<&'a [GraphWrite]> {
    let mut seen: HashSet<DocumentId> = HashSet::new();
    let is_new = |write: &GraphWrite| {
        !refs.documents_with_claims.contains(&write.document_id)
            && referenced_claims(slice::from_ref(write)).is_empty()
            && write.updates.iter().all(|update| matches!(update.entity, EntityRef::New(_)))
    };
    let joint: Vec<bool> = writes.iter().map(|write| seen.insert(write.document_id) && is_new(write)).collect();
    let starts = (0..writes.len()).filter(|&at| at == 0 || !joint[at] || !joint[at - 1]);
    let starts: Vec<usize> = starts.chain([writes.len()]).collect();
    starts.windows(2).map(|ends| &writes[ends[0]..ends[1]]).collect()
}

/// Returns the row of each claim: an existing claim keeps its own, and of two equal ones the first is new.
pub(in crate::graph) fn claim_rows(
    claims: &[NewClaim],
    mut existing: ExistingClaims,
    mut next: impl FnMut() -> i64,
) -> Vec<ClaimRow> {
    let row = |claim: &NewClaim| match existing.get(&claim.content_hash) {
        Some((n, id)) => ClaimRow { n: *n, id: *id, is_new: false },
        None => {
            let n = next();
            existing.insert(claim.content_hash.clone(), (n, claim.id));
            ClaimRow { n, id: claim.id, is_new: true }
        }
    };
    claims.iter().map(row).collect()
}

/// Resolves the documents in their order and collects their facts. New entities get the rows after `last`.
pub(in crate::graph) fn plan<'a>(
    writes: &'a [GraphWrite],
    keyed: &[Vec<KeyedProposal<'a>>],
    refs: &'a ExistingRefs,
    claims: Vec<Vec<ClaimRow>>,
    candidates: &mut PackCandidates<'_>,
    resolve: &dyn Resolve,
    mut last: i64,
) -> StoreResult<PackContext<'a>> {
    let mut pack = PackContext { documents: Vec::with_capacity(writes.len()), facts: PackFacts::new() };
    for ((write, named), claims) in writes.iter().zip(keyed).zip(claims) {
        let pool = candidates.pool(named, &rows_before(write, refs));
        let resolved = resolution::resolve_entities(named, resolve, refs, pool, last)?;
        last += resolved.new_entities().count() as i64;
        let context = WriteContext { write, refs, resolved, claims };
        let facts: Facts = facts::collect_facts(&context)?;
        candidates.learn(&facts, &context.resolved);
        facts::join(&mut pack.facts, facts, write.at);
        pack.documents.push(context);
    }
    Ok(pack)
}

/// Returns the rows of proposals that an earlier run of the same write has inserted.
pub(in crate::graph) fn rows_before(write: &GraphWrite, refs: &ExistingRefs) -> BTreeSet<i64> {
    write.entities.iter().filter_map(|proposal| refs.entities.get(&proposal.id)).map(|row| row.root).collect()
}

impl<'a> PackContext<'a> {
    /// Returns the relationships of all documents, in order.
    pub fn relationships(&self) -> Vec<KeyedRelationship<'a>> {
        self.documents.iter().flat_map(KeyedRelationship::of_document).collect()
    }

    /// Returns the outcome per document; `relationships` are those of all documents, in order.
    pub fn outcomes(&self, relationships: Vec<WrittenItem<RelationshipId>>) -> Vec<WriteOutcome> {
        let mut relationships = relationships.into_iter();
        let outcome = |document: &WriteContext<'_>| {
            document.result(relationships.by_ref().take(document.write.relationships.len()).collect())
        };
        self.documents.iter().map(outcome).collect()
    }

    /// Whether all claims are new, so that the plan knows the resulting evidence completely.
    pub fn is_all_new(&self) -> bool {
        self.documents.iter().all(|document| document.refs.documents_with_claims.is_empty() && document.refs.claims.is_empty())
    }
}
