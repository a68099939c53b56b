//! Settles which entity each proposal is, inside the transaction, so that two writers cannot both make it.

use super::{
    check::invalid,
    ground::Ground,
    pool::{Named, Pool},
};
use domain::{EntityId, ReviewId};
use engine::{
    StoreResult,
    graph::{Choice, EntityProposal, EntityRef, KnownEntity, Probable, Resolve},
};

#[derive(Default)]
pub(in crate::graph) struct Settled {
    /// In the order of the proposals.
    pub entities: Vec<SettledEntity>,
    pub reviews: Vec<Pair>,
}

#[derive(Clone, Copy)]
pub(in crate::graph) struct SettledEntity {
    pub n: i64,
    pub id: EntityId,
    pub is_new: bool,
}

/// A pair for the review list, with the collections through whose names alone it is probable: only who sees these may know.
#[derive(Clone)]
pub(in crate::graph) struct Pair {
    pub id: ReviewId,
    pub left: i64,
    pub right: i64,
    pub score: f64,
    pub why: String,
    pub left_collections: Vec<i64>,
    pub right_collection: i64,
    pub is_closed: bool,
}

impl Settled {
    /// The row that an entity of the write counts as.
    pub fn row(&self, ground: &Ground, entity: EntityRef) -> i64 {
        match entity {
            EntityRef::New(index) => self.entities[index].n,
            EntityRef::Existing(id) => ground.entities[&id].root,
        }
    }

    pub fn new_entities(&self) -> impl Iterator<Item = &SettledEntity> {
        self.entities.iter().filter(|entity| entity.is_new)
    }
}

/// New entities get the rows after `last`.
pub(in crate::graph) fn settle(
    named: &[Named<'_>],
    resolve: &dyn Resolve,
    ground: &Ground,
    mut pool: Pool,
    mut last: i64,
) -> StoreResult<Settled> {
    let mut settled = Settled { entities: Vec::with_capacity(named.len()), reviews: Vec::new() };
    for named in named {
        let proposal = named.proposal;
        let entity = match choose(named, &pool, resolve, ground) {
            Choice::Use(id) => match pool.find(id) {
                Some(pooled) => SettledEntity { n: pooled.n, id, is_new: false },
                None => return invalid(format!("there is no entity {id}")),
            },
            Choice::Create { probable } => {
                last += 1;
                settled.reviews.extend(pairs(proposal, last, &probable, &pool, resolve, ground.collection));
                SettledEntity { n: last, id: proposal.id, is_new: true }
            }
        };
        pool.learn(entity.n, entity.id, named, ground.collection);
        settled.entities.push(entity);
    }
    Ok(settled)
}

fn choose(named: &Named<'_>, pool: &Pool, resolve: &dyn Resolve, ground: &Ground) -> Choice {
    let proposal = named.proposal;
    // The same write again, or an id that an earlier proposal of this write has taken.
    if let Some(row) = ground.entities.get(&proposal.id) {
        return Choice::Use(row.root_id);
    }
    if pool.find(proposal.id).is_some() {
        return Choice::Use(proposal.id);
    }
    resolve.choose(proposal, &pool.candidates(named))
}

fn pairs(
    proposal: &EntityProposal,
    right: i64,
    probable: &[Probable],
    pool: &Pool,
    resolve: &dyn Resolve,
    collection: i64,
) -> Vec<Pair> {
    let is_probable = |known: &KnownEntity| match resolve.choose(proposal, &[known]) {
        Choice::Create { probable } => !probable.is_empty(),
        Choice::Use(_) => true,
    };
    let mut pairs = Vec::new();
    for (Probable { id: left, score, why, is_open }, id) in probable.iter().zip(&proposal.review_ids) {
        let Some(pooled) = pool.find(*left) else { continue };
        let seen_through = pooled.through_each_collection().into_iter().filter(|(_, known)| is_probable(known));
        pairs.push(Pair {
            id: *id,
            left: pooled.n,
            right,
            score: *score,
            why: why.clone(),
            left_collections: seen_through.map(|(of, _)| of).collect(),
            right_collection: collection,
            is_closed: !is_open,
        });
    }
    pairs
}
