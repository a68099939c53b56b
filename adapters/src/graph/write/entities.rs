//! Settles which entity each proposal is, inside the transaction, so that two writers cannot both make it.

use super::{
    Site,
    check::invalid,
    ground::Ground,
    pool::{self, Named, Pool},
};
use crate::{
    graph::{SqliteGraph, json, memory::Seen},
    sql::fault::Fault,
};
use domain::EntityId;
use engine::graph::{Choice, EntityProposal, EntityRef, GraphWrite, Probable, Resolve};
use serde_json::{Value, json};
use sqlx::SqliteConnection;

pub(super) struct Settled {
    /// In the order of the proposals.
    pub entities: Vec<SettledEntity>,
    reviews: Vec<Value>,
}

#[derive(Clone, Copy)]
pub(super) struct SettledEntity {
    pub n: i64,
    pub id: EntityId,
    pub is_new: bool,
}

impl Settled {
    /// The row that an entity of the write counts as.
    pub fn row(&self, ground: &Ground, entity: EntityRef) -> i64 {
        match entity {
            EntityRef::New(index) => self.entities[index].n,
            EntityRef::Existing(id) => ground.entities[&id].root,
        }
    }
}

pub(super) async fn settle(
    conn: &mut SqliteConnection,
    graph: &SqliteGraph,
    write: &GraphWrite,
    resolve: &dyn Resolve,
    ground: &Ground,
    seen: &mut Seen,
) -> Result<Settled, Fault> {
    let mut settled = Settled { entities: Vec::with_capacity(write.entities.len()), reviews: Vec::new() };
    if write.entities.is_empty() {
        return Ok(settled);
    }
    let before = write.entities.iter().filter_map(|proposal| ground.entities.get(&proposal.id)).map(|row| row.root).collect();
    let named: Vec<Named<'_>> = write.entities.iter().map(|proposal| Named::new(proposal, resolve)).collect();
    let mut pool = pool::load(conn, &graph.config, &named, resolve, before, &ground.resolve_within, seen).await?;
    let mut last: i64 = sqlx::query_scalar("select coalesce(max(n), 0) from entities").fetch_one(&mut *conn).await?;
    for named in &named {
        let proposal = named.proposal;
        let entity = match choose(named, &pool, resolve, ground) {
            Choice::Use(id) => match pool.find(id) {
                Some(pooled) => SettledEntity { n: pooled.n, id, is_new: false },
                None => return invalid(format!("there is no entity {id}")),
            },
            Choice::Create { probable } => {
                last += 1;
                settled.reviews.extend(reviews(proposal, last, &probable, &pool, resolve, ground.collection));
                SettledEntity { n: last, id: proposal.id, is_new: true }
            }
        };
        pool.learn(entity.n, entity.id, named, ground.collection);
        settled.entities.push(entity);
    }
    let new = settled.entities.iter().filter(|entity| entity.is_new).map(|entity| json!([entity.n, json::hex(entity.id.0)]));
    let new: Vec<Value> = new.collect();
    if !new.is_empty() {
        let sql = "insert into entities (n, id, root) select value ->> 0, unhex(value ->> 1), value ->> 0 from json_each($1)";
        sqlx::query(sql).bind(Value::from(new).to_string()).execute(conn).await?;
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

/// One row per probable pair, with the collections through whose names alone the pair is probable: only who sees these may know.
fn reviews(
    proposal: &EntityProposal,
    right: i64,
    probable: &[Probable],
    pool: &Pool,
    resolve: &dyn Resolve,
    collection: i64,
) -> Vec<Value> {
    let is_probable = |known: engine::graph::KnownEntity| match resolve.choose(proposal, &[&known]) {
        Choice::Create { probable } => !probable.is_empty(),
        Choice::Use(_) => true,
    };
    let mut rows = Vec::new();
    for (Probable { id: left, score, why, is_open }, id) in probable.iter().zip(&proposal.review_ids) {
        let Some(pooled) = pool.find(*left) else { continue };
        let seen_through = pooled.through_each_collection().into_iter().filter(|(_, known)| is_probable(known.clone()));
        let collections: Vec<i64> = seen_through.map(|(of, _)| of).collect();
        rows.push(json!([json::hex(id.0), pooled.n, right, score, why, collections, collection, u8::from(!is_open)]));
    }
    rows
}

/// Stores the pairs that wait for a judgement, and those that were told apart, with the reason.
pub(super) async fn review(conn: &mut SqliteConnection, site: &Site<'_>) -> Result<(), Fault> {
    if site.settled.reviews.is_empty() {
        return Ok(());
    }
    let rows = Value::from(site.settled.reviews.clone()).to_string();
    let sql = "insert into reviews (id, left_entity, right_entity, score, why, closed, created_at)
        select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 7, $2 from json_each($1)
        where true
        on conflict do nothing";
    sqlx::query(sql).bind(&rows).bind(site.write.at.as_micros()).execute(&mut *conn).await?;
    let sql = "insert into review_views (review, left_collection, right_collection)
        select r.n, c.value, j.value ->> 6 from json_each($1) j
        cross join reviews r on r.left_entity = j.value ->> 1 and r.right_entity = j.value ->> 2
        cross join json_each(j.value, '$[5]') c where true on conflict do nothing";
    sqlx::query(sql).bind(&rows).execute(conn).await?;
    Ok(())
}
