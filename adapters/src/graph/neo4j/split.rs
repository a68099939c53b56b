//! Splitting an entity: some of its claims, with everything that rests on them, become those of a new entity. One transaction under the
//! writers' lock.

use super::{
    Neo4jGraph,
    client::{Statement, Transaction},
    cypher,
    row_numbers::entity_rows_in,
    write::{CountChanges, WriterLock, fact_row, lock, mark, refresh_views, tokens},
};
use crate::graph::write_plan::{
    facts::Fact,
    split::{FactSplit, HeldFact, HeldView, split_facts, split_relationships},
};
use domain::Scope;
use engine::{
    StoreResult,
    graph::{Split, SplitOutcome, terms::terms},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Rows of a split.
struct SplitRows {
    old: i64,
    new: i64,
    claims: Vec<i64>,
    /// The collections of the claims that move, and of the visible ones that stay.
    moved_in: BTreeSet<i64>,
    kept_in: BTreeSet<i64>,
}

pub(super) async fn split(graph: &Neo4jGraph, scope: &Scope, split: &Split) -> StoreResult<SplitOutcome> {
    let _alone = graph.cache.lock().await;
    let mut transaction = graph.client.begin().await?;
    let outcome = divide(graph, &mut transaction, scope, split).await;
    transaction.finish(outcome).await
}

async fn divide(graph: &Neo4jGraph, transaction: &mut Transaction, scope: &Scope, split: &Split) -> StoreResult<SplitOutcome> {
    let mut lock = lock(transaction, scope.collections().iter().copied()).await?;
    let moved = match mentions(transaction, &mut lock, scope, split).await? {
        Ok(moved) => moved,
        Err(outcome) => return Ok(outcome),
    };
    let mut counted = CountChanges::default();
    facts(transaction, &mut lock, &moved).await?;
    relationships(transaction, &mut lock, &mut counted, &moved, split).await?;
    let touched = moved.moved_in.iter().flat_map(|of| [(moved.old, *of), (moved.new, *of)]).collect();
    refresh_views(transaction, &mut lock, &graph.names, &touched, &mut counted).await?;
    forget_views(transaction, &mut counted, moved.old).await?;
    let row = json!({
        "id": split.review, "left": moved.old, "right": moved.new, "why": Split::WHY, "at": split.at.as_micros(), "by": split.by,
        "pairs": moved.kept_in.iter().flat_map(|left| moved.moved_in.iter().map(move |right| [left, right])).collect::<Vec<_>>(),
    });
    transaction.run(Statement::new(cypher::split::KEEP_APART).with("row", row)).await?;
    counted.release(transaction, &lock).await?;
    Ok(SplitOutcome::Done)
}

/// Inserts the new entity and moves the mentions; an outcome where there is nothing to do.
async fn mentions(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    scope: &Scope,
    split: &Split,
) -> StoreResult<Result<SplitRows, SplitOutcome>> {
    #[derive(Deserialize)]
    struct Row {
        members: i64,
        moved: Vec<[i64; 2]>,
        kept_in: BTreeSet<i64>,
    }
    let rows = entity_rows_in(transaction, vec![split.entity, split.new]).await?;
    if rows.contains_key(&split.new) {
        return Ok(Err(SplitOutcome::Done));
    }
    let Some(old) = rows.get(&split.entity).map(|row| row.root) else {
        return Ok(Err(SplitOutcome::Unknown));
    };
    let seen: Vec<i64> = lock.collections.iter().filter(|known| !known.removed).map(|known| known.n).collect();
    let statement = Statement::new(cypher::split::MENTIONS).with("old", old).with("claims", json!(split.claims));
    let found: Option<Row> = transaction.read(statement.with("scope", json!(seen))).await?.pop();
    let Some(Row { members, moved, kept_in }) = found else { return Ok(Err(SplitOutcome::Unknown)) };
    if members > 0 {
        return Ok(Err(SplitOutcome::Merged));
    }
    let claims: BTreeSet<i64> = moved.iter().map(|[claim, _]| *claim).collect();
    if claims.is_empty() || kept_in.is_empty() {
        return Ok(Err(SplitOutcome::OneSided));
    }
    let moved_in: BTreeSet<i64> = moved.into_iter().map(|[_, of]| of).collect();
    let ids = |rows: &BTreeSet<i64>| {
        let known = scope.collections().iter().filter(|id| lock.collection(**id).is_some_and(|known| rows.contains(&known.n)));
        known.copied().collect::<Vec<_>>()
    };
    if !split.keeps_readers(&ids(&moved_in), &ids(&kept_in)) {
        return Ok(Err(SplitOutcome::Divided));
    }
    let (new, claims) = (lock.row(), claims.into_iter().collect());
    transaction.run(Statement::new(cypher::write::NEW_ENTITIES).with("rows", vec![json!({"n": new, "id": split.new})])).await?;
    let moved = SplitRows { old, new, claims, moved_in, kept_in };
    transaction.run(moved.asked(cypher::split::MOVE).with("new", new)).await?;
    Ok(Ok(moved))
}

impl SplitRows {
    /// A statement about the entity and the claims that move.
    fn asked(&self, statement: &'static str) -> Statement {
        Statement::new(statement).with("old", self.old).with("claims", json!(self.claims))
    }
}

async fn facts(transaction: &mut Transaction, lock: &mut WriterLock, moved: &SplitRows) -> StoreResult<()> {
    let held: Vec<HeldFact> = transaction.read(moved.asked(cypher::split::FACTS)).await?;
    let FactSplit { new: copied, gone, reduced } = split_facts(&held, &moved.moved_in, &moved.kept_in);
    let (mut rows, mut evidence, mut filed) = (vec![], vec![], vec![]);
    for held in copied {
        let HeldFact { facet, key, value, collection, .. } = held.clone();
        let Some(facet) = Fact::facet(&facet) else { continue };
        let mut row = fact_row(&Fact { entity: moved.new, facet, key, value, collection }, lock.row());
        row["at"] = held.at.into();
        let n = row["n"].clone();
        filed.push(json!({"from": held.n, "to": n}));
        evidence.extend(held.moved.0.iter().map(|claim| json!({"fact": n, "claim": claim})));
        rows.push(row);
    }
    transaction.run(Statement::new(cypher::write::FACTS).with("rows", rows)).await?;
    transaction.run(Statement::new(cypher::write::FACT_EVIDENCE).with("rows", evidence)).await?;
    transaction.run(Statement::new(cypher::split::FILE).with("rows", filed)).await?;
    transaction.run(Statement::new(cypher::split::FORGET_FACTS).with("gone", json!(gone))).await?;
    transaction.run(moved.asked(cypher::split::REDUCE_FACTS).with("facts", json!(reduced))).await
}

async fn relationships(
    transaction: &mut Transaction,
    lock: &mut WriterLock,
    counted: &mut CountChanges,
    moved: &SplitRows,
    split: &Split,
) -> StoreResult<()> {
    let held: Vec<HeldView> = transaction.read(moved.asked(cypher::split::LINKS)).await?;
    let found = split_relationships(&held, (moved.old, moved.new), split.new);
    if found.is_empty() {
        return Ok(());
    }
    let (mut links, mut views, mut indexed, mut touched, mut changed) = (vec![], vec![], vec![], BTreeSet::new(), vec![]);
    for one in &found {
        let (n, (source, target, hash)) = (lock.row(), &one.key);
        let key = format!("{source} {target} {hash}");
        links.push(
            json!({"n": n, "id": one.id, "source": source, "target": target, "key": key, "description": one.description}),
        );
        let words = terms(one.description);
        let marked: Vec<String> = one.views.iter().map(|view| tokens(view.collection, &words)).collect();
        indexed.push(json!({"n": n, "terms": marked.join(" "), "length": words.len()}));
        touched.extend([n, one.from]);
        for view in &one.views {
            counted.add(view.collection, [0, 0, 1]);
            changed.extend([[one.from, view.collection], [n, view.collection]]);
            views.push(json!({"from": one.from, "to": n, "collection": view.collection, "claims": view.moved.0}));
        }
    }
    let mut gone: BTreeMap<i64, Vec<&HeldView>> = BTreeMap::new();
    for view in held.iter().filter(|view| !view.moved.0.is_empty() && view.is_gone()) {
        counted.add(view.collection, [0, 0, -1]);
        gone.entry(view.n).or_default().push(view);
    }
    let is_kept = |n: i64| held.iter().any(|view| view.n == n && !view.is_gone());
    let gone = gone.into_iter().map(|(n, views)| {
        let collections: Vec<i64> = views.iter().map(|view| view.collection).collect();
        let marks: Vec<String> = collections.iter().map(|of| mark(*of)).collect();
        json!({"n": n, "collections": collections, "marks": marks, "is_kept": is_kept(n)})
    });
    let gone: Vec<Value> = gone.collect();
    for (statement, rows) in [
        (cypher::write::RELATIONSHIPS, links),
        (cypher::split::MOVE_VIEWS, views),
        (cypher::write::RELATIONSHIP_TERMS, indexed),
        (cypher::split::FORGET_LINKS, gone),
    ] {
        transaction.run(Statement::new(statement).with("rows", rows)).await?;
    }
    transaction.run(Statement::new(cypher::write::RECOUNT_VIEWS).with("links", json!(changed))).await?;
    transaction.run(Statement::new(cypher::write::RELATE).with("relationships", json!(touched))).await
}

/// Deletes the views in which the entity has no name any more.
async fn forget_views(transaction: &mut Transaction, counted: &mut CountChanges, entity: i64) -> StoreResult<()> {
    #[derive(Deserialize)]
    struct Row {
        collection: i64,
    }
    let gone: Vec<Row> = transaction.read(Statement::new(cypher::split::FORGET_VIEWS).with("entity", entity)).await?;
    gone.iter().for_each(|row| counted.add(row.collection, [0, -1, 0]));
    Ok(())
}
