//! Splitting an entity: some of its claims, with everything that rests on them, become those of a new entity.

use super::{
    SqliteGraph,
    find::Kind,
    json, removal, row_numbers, vectors,
    write::{IndexEntry, index_terms, refresh_views, remove_terms},
};
use crate::{
    graph::write_plan::split::{FactSplit, HeldFact, HeldView, split_facts, split_relationships},
    sql::{fault::Fault, types::id_list},
};
use domain::{CollectionId, Scope};
use engine::{
    embeddings::VectorKind,
    graph::{Split, SplitOutcome, terms::terms},
};
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use std::collections::{BTreeSet, HashMap};
use uuid::Uuid;

/// Rows of a split.
struct SplitRows {
    old: i64,
    new: i64,
    /// The claims that move, as a parameter.
    claims: String,
    /// The collections of the claims that move, and of the visible ones that stay.
    moved_in: BTreeSet<i64>,
    kept_in: BTreeSet<i64>,
}

pub(super) async fn split(graph: &SqliteGraph, scope: &Scope, split: &Split) -> Result<SplitOutcome, Fault> {
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;
    row_numbers::next_version(conn).await?;
    let moved = match mentions(conn, scope, split).await? {
        Ok(moved) => moved,
        Err(outcome) => return Ok(outcome),
    };
    facts(conn, &moved).await?;
    let mut entries = relationships(conn, &moved, split).await?;
    let touched = moved.moved_in.iter().flat_map(|of| [(moved.old, *of), (moved.new, *of)]).collect();
    entries.extend(refresh_views(conn, &graph.names, &touched).await?);
    index_terms(conn, entries).await?;
    forget_views(conn, moved.old).await?;
    keep_apart(conn, &moved, split).await?;
    transaction.commit().await?;
    Ok(SplitOutcome::Done)
}

/// Inserts the new entity and moves the mentions; an outcome where there is nothing to do.
async fn mentions(conn: &mut SqliteConnection, scope: &Scope, split: &Split) -> Result<Result<SplitRows, SplitOutcome>, Fault> {
    let rows = row_numbers::entity_rows(conn, [split.entity, split.new]).await?;
    if rows.contains_key(&split.new) {
        return Ok(Err(SplitOutcome::Done));
    }
    let Some(old) = rows.get(&split.entity).map(|row| row.root) else {
        return Ok(Err(SplitOutcome::Unknown));
    };
    let seen = row_numbers::collection_list(conn, scope).await?;
    let sql = "select count(*) from entities e where e.root = $1 and e.n <> $1 and exists (
        select 1 from entity_facts f where f.entity = e.n and f.facet = 'name' and f.collection in (select value from json_each($2)))";
    let members: i64 = sqlx::query_scalar(sql).bind(old).bind(&seen).fetch_one(&mut *conn).await?;
    if members > 0 {
        return Ok(Err(SplitOutcome::Merged));
    }
    let sql = "select c.n, c.collection from json_each($1) w cross join claims c on c.id = unhex(w.value)
        cross join claim_entities x on x.entity = $2 and x.claim = c.n
        where c.collection in (select value from json_each($3))";
    let ids = id_list(split.claims.iter().map(|id| id.0));
    let found: Vec<(i64, i64)> = sqlx::query_as(sql).bind(ids).bind(old).bind(&seen).fetch_all(&mut *conn).await?;
    let new = row_numbers::last(conn).await?.0 + 1;
    let sql = "insert into entities (n, id, root) values ($1, $2, $1)";
    sqlx::query(sql).bind(new).bind(split.new.0).execute(&mut *conn).await?;
    let claims = json::list(found.iter().map(|(n, _)| *n));
    let sql = "update claim_entities set entity = $1 where entity = $2 and claim in (select value from json_each($3))";
    sqlx::query(sql).bind(new).bind(old).bind(&claims).execute(&mut *conn).await?;
    // What is out of sight stays, and decides nothing.
    let sql = "select distinct c.collection, k.id from claim_entities x join claims c on c.n = x.claim
        join graph_collections k on k.n = c.collection
        where x.entity = $1 and c.collection in (select value from json_each($2))";
    let kept: Vec<(i64, Uuid)> = sqlx::query_as(sql).bind(old).bind(&seen).fetch_all(&mut *conn).await?;
    let moved: Vec<(i64, Uuid)> = sqlx::query_as(sql).bind(new).bind(&seen).fetch_all(&mut *conn).await?;
    if moved.is_empty() || kept.is_empty() {
        return Ok(Err(SplitOutcome::OneSided));
    }
    let ids = |rows: &[(i64, Uuid)]| rows.iter().map(|(_, id)| CollectionId(*id)).collect::<Vec<_>>();
    if !split.keeps_readers(&ids(&moved), &ids(&kept)) {
        return Ok(Err(SplitOutcome::Divided));
    }
    let rows = |of: Vec<(i64, Uuid)>| of.into_iter().map(|(n, _)| n).collect();
    Ok(Ok(SplitRows { old, new, claims, moved_in: rows(moved), kept_in: rows(kept) }))
}

async fn facts(conn: &mut SqliteConnection, moved: &SplitRows) -> Result<(), Fault> {
    let SplitRows { old, new, claims, moved_in, kept_in } = moved;
    let sql = "select f.n, f.facet, f.key, f.value, f.collection, f.at,
            (select json_group_array(x.claim) from fact_claims x where x.fact = f.n
                and x.claim in (select value from json_each($2))) as moved,
            (select count(*) from fact_claims x where x.fact = f.n) as evidence
        from entity_facts f where f.entity = $1 order by f.n";
    let held: Vec<HeldFact> = sqlx::query_as(sql).bind(old).bind(claims).fetch_all(&mut *conn).await?;
    let FactSplit { new: copied, gone, reduced } = split_facts(&held, moved_in, kept_in);
    let rows = copied.iter().map(|fact| json!([fact.n, fact.moved.0]));
    let rows = Value::from_iter(rows).to_string();
    let sql = "insert into entity_facts (entity, facet, key, value, collection, at)
        select $2, f.facet, f.key, f.value, f.collection, f.at
        from json_each($1) j cross join entity_facts f on f.n = j.value ->> 0";
    sqlx::query(sql).bind(&rows).bind(new).execute(&mut *conn).await?;
    // Row of each fact with that of the new entity's.
    let pairs = "json_each($1) j cross join entity_facts f on f.n = j.value ->> 0
        cross join entity_facts g on g.entity = $2 and g.facet = f.facet and g.key = f.key and g.value = f.value
            and g.collection = f.collection";
    let evidence = format!(
        "insert into fact_claims (fact, claim) select g.n, c.value from {pairs} cross join json_each(j.value, '$[1]') c where true"
    );
    let keys = format!(
        "insert into name_keys (key, collection, entity, fact) select k.key, k.collection, $2, g.n from {pairs}
        cross join name_keys k on k.fact = f.n where true on conflict do nothing"
    );
    for sql in [evidence, keys] {
        sqlx::query(sqlx::AssertSqlSafe(sql)).bind(&rows).bind(new).execute(&mut *conn).await?;
    }
    let sql = "delete from fact_claims where fact in (select n from entity_facts where entity = $1)
        and claim in (select value from json_each($2))";
    sqlx::query(sql).bind(old).bind(claims).execute(&mut *conn).await?;
    let sql = "delete from entity_facts where n in (select value from json_each($1))";
    sqlx::query(sql).bind(json::list(gone)).execute(&mut *conn).await?;
    let sql = "update entity_facts set (claims, newest, oldest) = (
            select count(*), max(c.published_value), min(c.published_value) from fact_claims x join claims c on c.n = x.claim
            where x.fact = entity_facts.n)
        where n in (select value from json_each($1))";
    sqlx::query(sql).bind(json::list(reduced)).execute(conn).await?;
    Ok(())
}

/// Divides the relationships and returns the full-text entries of the new ones.
async fn relationships(conn: &mut SqliteConnection, moved: &SplitRows, split: &Split) -> Result<Vec<IndexEntry>, Fault> {
    let SplitRows { old, new, claims, .. } = moved;
    let sql = "select r.n, r.id, r.source, r.target, r.description, v.collection,
            (select json_group_array(x.claim) from relationship_claims x join claims c on c.n = x.claim
                where x.relationship = r.n and c.collection = v.collection
                and x.claim in (select value from json_each($2))) as moved,
            (select count(*) from relationship_claims x join claims c on c.n = x.claim
                where x.relationship = r.n and c.collection = v.collection) as evidence
        from relationships r join relationship_views v on v.relationship = r.n
        where r.n in (select n from relationships where source = $1 union select n from relationships where target = $1)
            and r.source <> r.target
        order by r.n, v.collection";
    let held: Vec<HeldView> = sqlx::query_as(sql).bind(old).bind(claims).fetch_all(&mut *conn).await?;
    let found = split_relationships(&held, (*old, *new), split.new);
    let rows = found.iter().map(|one| json!([json::hex(one.id), one.key.0, one.key.1, one.description, one.key.2]));
    let sql = "insert into relationships (id, source, target, description, description_hash)
        select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each($1)
        returning n, source, target, description_hash";
    let inserted: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(sql).bind(Value::from_iter(rows).to_string()).fetch_all(&mut *conn).await?;
    let row_of: HashMap<_, i64> = inserted.into_iter().map(|(n, source, target, hash)| ((source, target, hash), n)).collect();
    let mut changed = vec![];
    for one in &found {
        for view in &one.views {
            changed.extend([(one.from, view.collection), (row_of[&one.key], view.collection)]);
        }
    }
    let views = found.iter().flat_map(|one| one.views.iter().map(|view| (one.from, row_of[&one.key], *view)));
    let pairs = Value::from_iter(views.map(|(from, to, view)| json!([from, to, view.collection, view.moved.0]))).to_string();
    for sql in [
        "insert into relationship_views (relationship, collection, weight, confidence, bidirectional, timestamp, since, until)
        select j.value ->> 1, v.collection, v.weight, v.confidence, v.bidirectional, v.timestamp, v.since, v.until
        from json_each($1) j cross join relationship_views v on v.relationship = j.value ->> 0 and v.collection = j.value ->> 2",
        "insert into relationship_claims (relationship, claim, weight, confidence, bidirectional, timestamp, since, until)
        select j.value ->> 1, x.claim, x.weight, x.confidence, x.bidirectional, x.timestamp, x.since, x.until
        from json_each($1) j cross join json_each(j.value, '$[3]') c
        cross join relationship_claims x on x.relationship = j.value ->> 0 and x.claim = c.value",
        "delete from relationship_claims where (relationship, claim) in (
            select j.value ->> 0, c.value from json_each($1) j cross join json_each(j.value, '$[3]') c)",
    ] {
        sqlx::query(sql).bind(&pairs).execute(&mut *conn).await?;
    }
    removal::recount_relationships(conn, &changed).await?;
    let gone: Vec<&HeldView> = held.iter().filter(|view| !view.moved.0.is_empty() && view.is_gone()).collect();
    let rows = Value::from_iter(gone.iter().map(|view| json!([view.n, view.collection]))).to_string();
    let sql = "delete from relationship_views where (relationship, collection) in (
        select value ->> 0, value ->> 1 from json_each($1))";
    sqlx::query(sql).bind(rows).execute(&mut *conn).await?;
    let sql = "delete from relationships where n in (select value from json_each($1))
        and not exists (select 1 from relationship_views v where v.relationship = n) returning n";
    let rows = json::list(gone.iter().map(|view| view.n));
    let gone_rows: Vec<i64> = sqlx::query_scalar(sql).bind(rows).fetch_all(&mut *conn).await?;
    vectors::forget(conn, VectorKind::Relationship, gone_rows).await?;
    remove_terms(conn, gone.iter().map(|view| (Kind::Relationship.row(view.n), view.collection))).await?;
    let entries = found.iter().flat_map(|one| {
        let (n, words) = (row_of[&one.key], terms(one.description));
        one.views.iter().map(move |view| IndexEntry::new(Kind::Relationship, n, view.collection, &words))
    });
    Ok(entries.collect())
}

/// Deletes the views in which the entity has no name any more.
async fn forget_views(conn: &mut SqliteConnection, entity: i64) -> Result<(), Fault> {
    let sql = "delete from entity_views where entity = $1 and not exists (select 1 from entity_facts f where f.entity = $1
        and f.facet = 'name' and f.collection = entity_views.collection) returning n, collection";
    let gone: Vec<(i64, i64)> = sqlx::query_as(sql).bind(entity).fetch_all(&mut *conn).await?;
    vectors::forget(conn, VectorKind::Entity, gone.iter().map(|(n, _)| *n).collect()).await?;
    remove_terms(conn, gone.into_iter().map(|(n, collection)| (Kind::View.row(n), collection))).await
}

/// Closes the review of the two, so that the pair is not proposed.
async fn keep_apart(conn: &mut SqliteConnection, moved: &SplitRows, split: &Split) -> Result<(), Fault> {
    let sql = "insert into reviews (id, left_entity, right_entity) values ($1, $2, $3) returning n";
    let insert = sqlx::query_scalar(sql).bind(split.review.0).bind(moved.old).bind(moved.new);
    let review: i64 = insert.fetch_one(&mut *conn).await?;
    let sql = "insert into review_views (review, left_collection, right_collection, score, why, created_at, closed, decided_by,
            decided_at)
        select $1, k.value, m.value, 1, $4, $5, 1, $6, $5 from json_each($2) k cross join json_each($3) m";
    let kept = json::list(moved.kept_in.iter().copied());
    let query = sqlx::query(sql).bind(review).bind(kept).bind(json::list(moved.moved_in.iter().copied()));
    query.bind(Split::WHY).bind(split.at.as_micros()).bind(split.by.map(|by| by.0)).execute(conn).await?;
    Ok(())
}
