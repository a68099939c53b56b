//! Entity resolution of a write, inside the transaction, so that concurrent writers never create the same entity twice.

use super::{
    candidates::{CandidatePool, KeyedProposal},
    existing_refs::ExistingRefs,
    validate::invalid,
};
use domain::{EntityId, ReviewId};
use engine::{
    StoreResult,
    graph::{EntityProposal, EntityRef, KnownEntity, ProbableMatch, Resolution, Resolve},
};

#[derive(Default)]
pub(in crate::graph) struct ResolvedEntities {
    /// In the order of the proposals.
    pub entities: Vec<ResolvedEntityRow>,
    pub reviews: Vec<ReviewPair>,
}

#[derive(Clone, Copy)]
pub(in crate::graph) struct ResolvedEntityRow {
    pub n: i64,
    pub id: EntityId,
    pub is_new: bool,
}

/// A pair for the review list, the older entity left. Only users who see two collections that make it probable see the pair.
#[derive(Clone)]
pub(in crate::graph) struct ReviewPair {
    pub id: ReviewId,
    pub left: i64,
    pub right: i64,
    pub score: f64,
    pub why: String,
    /// Collections whose names make the pair probable, left and right.
    pub collections: Vec<(i64, i64)>,
    pub is_closed: bool,
}

impl ResolvedEntities {
    /// Returns the root row of an entity that the write refers to.
    pub fn row(&self, refs: &ExistingRefs, entity: EntityRef) -> i64 {
        match entity {
            EntityRef::New(index) => self.entities[index].n,
            EntityRef::Existing(id) => refs.entities[&id].root,
        }
    }

    pub fn new_entities(&self) -> impl Iterator<Item = &ResolvedEntityRow> {
        self.entities.iter().filter(|entity| entity.is_new)
    }
}

/// Resolves each proposal to an existing or a new entity. New entities get the rows after `last`.
pub(in crate::graph) fn resolve_entities(
    named: &[KeyedProposal<'_>],
    resolve: &dyn Resolve,
    refs: &ExistingRefs,
    mut pool: CandidatePool,
    mut last: i64,
) -> StoreResult<ResolvedEntities> {
    let mut resolved = ResolvedEntities { entities: Vec::with_capacity(named.len()), reviews: Vec::new() };
    for named in named {
        let proposal = named.proposal;
        let (entity, paired) = match choose(named, &pool, resolve, refs) {
            Resolution::Use { id, others } => match pool.find(id) {
                Some(candidate) => (ResolvedEntityRow { n: candidate.n, id, is_new: false }, others),
                None => return invalid(format!("there is no entity {id}")),
            },
            Resolution::Create { probable } => {
                last += 1;
                (ResolvedEntityRow { n: last, id: proposal.id, is_new: true }, probable)
            }
        };
        resolved.reviews.extend(pairs(proposal, entity.n, &paired, &pool, resolve, refs.collection));
        pool.add(entity.n, entity.id, named, refs.collection);
        resolved.entities.push(entity);
    }
    Ok(resolved)
}

fn choose(named: &KeyedProposal<'_>, pool: &CandidatePool, resolve: &dyn Resolve, refs: &ExistingRefs) -> Resolution {
    let proposal = named.proposal;
    // The same write again, or an id that an earlier proposal of this write has taken.
    if let Some(row) = refs.entities.get(&proposal.id) {
        return Resolution::Use { id: row.root_id, others: Vec::new() };
    }
    if pool.find(proposal.id).is_some() {
        return Resolution::Use { id: proposal.id, others: Vec::new() };
    }
    resolve.choose(proposal, &pool.candidates(named))
}

fn pairs(
    proposal: &EntityProposal,
    entity: i64,
    paired: &[ProbableMatch],
    pool: &CandidatePool,
    resolve: &dyn Resolve,
    collection: i64,
) -> Vec<ReviewPair> {
    let is_probable = |known: &KnownEntity| match resolve.choose(proposal, &[known]) {
        Resolution::Create { probable } => !probable.is_empty(),
        Resolution::Use { .. } => true,
    };
    let mut pairs = Vec::new();
    for (ProbableMatch { id: other, score, why, is_open }, id) in paired.iter().zip(&proposal.review_ids) {
        let Some(candidate) = pool.find(*other) else { continue };
        let seen_through = candidate.through_each_collection().into_iter().filter(|(_, known)| is_probable(known));
        let is_older = candidate.n < entity;
        let collections = seen_through.map(|(of, _)| if is_older { (of, collection) } else { (collection, of) });
        pairs.push(ReviewPair {
            id: *id,
            left: candidate.n.min(entity),
            right: candidate.n.max(entity),
            score: *score,
            why: why.clone(),
            collections: collections.collect(),
            is_closed: !is_open,
        });
    }
    pairs
}
