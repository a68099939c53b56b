//! Removal of documents: their claims, and all data without other evidence.
//!
//! Invariant: a removal is final. The document's row stays as a tombstone in a collection that is removed, so that a concurrent write to it
//! is refused.

use super::{
    SqliteGraph,
    find::Kind,
    json, removal, row_numbers, vectors,
    write::{index_terms, refresh_views, remove_terms},
};
use crate::{
    graph::write_plan::facts::ViewKeys,
    sql::{
        fault::Fault,
        types::{count, id_list},
    },
};
use domain::{DocumentId, entity::Review};
use engine::{embeddings::VectorKind, graph::SoleEvidence};
use serde_json::json;
use sqlx::SqliteConnection;
use uuid::Uuid;

/// Rows with their collections.
type RowsOf = Vec<(i64, i64)>;

fn ids(documents: &[DocumentId]) -> String {
    id_list(documents.iter().map(|id| id.0))
}

pub(super) async fn sole_evidence(graph: &SqliteGraph, documents: &[DocumentId]) -> Result<SoleEvidence, Fault> {
    let sql = "
        with gone as materialized (
            select c.n, c.collection from graph_documents d join claims c on c.document = d.n
            where d.id in (select unhex(value) from json_each($1)))
        select (select count(*) from gone),
            (select count(*) from (
                select f.entity, f.collection from gone g join fact_claims x on x.claim = g.n
                join entity_facts f on f.n = x.fact where f.facet = 'name'
                union select x.entity, g.collection from gone g join claim_entities x on x.claim = g.n) t
             where exists (
                select 1 from entity_facts f where f.entity = t.entity and f.facet = 'name' and +f.collection = t.collection)
             and not exists (
                select 1 from entity_facts f where f.entity = t.entity and f.facet = 'name' and +f.collection = t.collection
                and (exists (select 1 from fact_claims x where x.fact = f.n and x.claim not in (select n from gone))
                     or exists (select 1 from claim_entities x join claims c on c.n = x.claim where x.entity = t.entity
                        and c.collection = t.collection and c.n not in (select n from gone))
                     or exists (select 1 from claims c where c.outlet = t.entity
                        and c.collection = t.collection and c.n not in (select n from gone))
                     or exists (select 1 from relationships r join relationship_claims x on x.relationship = r.n
                        join claims c on c.n = x.claim where (r.source = t.entity or r.target = t.entity)
                        and c.collection = t.collection and c.n not in (select n from gone))))),
            (select count(*) from (
                select distinct x.relationship, g.collection from gone g join relationship_claims x on x.claim = g.n) t
             where not exists (
                select 1 from relationship_claims x join claims c on c.n = x.claim
                where x.relationship = t.relationship and c.collection = t.collection and c.n not in (select n from gone)))";
    let (claims, entities, relationships): (i64, i64, i64) =
        sqlx::query_as(sql).bind(ids(documents)).fetch_one(&graph.reader).await?;
    Ok(SoleEvidence { claims: count(claims)?, entities: count(entities)?, relationships: count(relationships)? })
}

pub(super) async fn remove_documents(graph: &SqliteGraph, documents: &[DocumentId]) -> Result<(), Fault> {
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;
    row_numbers::next_version(conn).await?;
    let rows = bury(conn, documents).await?;
    forget_reasons(conn, &rows).await?;
    let sql = "select n, collection from claims where document in (select value from json_each($1))";
    let claims: RowsOf = sqlx::query_as(sql).bind(&rows).fetch_all(&mut *conn).await?;
    if !claims.is_empty() {
        remove(conn, graph, claims).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Moves documents, also such that nothing was written of yet, to the collection of removed documents. Returns their rows.
async fn bury(conn: &mut SqliteConnection, documents: &[DocumentId]) -> Result<String, Fault> {
    let sql =
        "insert into graph_collections (id, removed) values ($1, 1) on conflict (id) do update set removed = 1 returning n";
    let tomb: i64 = sqlx::query_scalar(sql).bind(Uuid::nil()).fetch_one(&mut *conn).await?;
    let sql =
        "insert into graph_documents (id, collection, document_order) select unhex(value), $2, '' from json_each($1) where true
        on conflict (id) do update set collection = excluded.collection returning n";
    let rows: Vec<i64> = sqlx::query_scalar(sql).bind(ids(documents)).bind(tomb).fetch_all(conn).await?;
    Ok(json::list(rows))
}

/// Facts and relationships with evidence among these claims.
struct TouchedRows {
    /// Entities by their roots.
    roots: Vec<i64>,
    facts: String,
    views: ViewKeys,
    /// Relationships with their collections.
    links: RowsOf,
}

async fn touched(conn: &mut SqliteConnection, claims: &str) -> Result<TouchedRows, Fault> {
    let sql = "
        with gone as (select value as n from json_each($1)),
        links as (select distinct x.relationship as n from gone g join relationship_claims x on x.claim = g.n)
        select distinct root from entities where n in (
            select x.entity from gone g join claim_entities x on x.claim = g.n
            union select c.outlet from gone g join claims c on c.n = g.n
            union select f.entity from gone g join fact_claims x on x.claim = g.n join entity_facts f on f.n = x.fact
            union select r.source from links l join relationships r on r.n = l.n
            union select r.target from links l join relationships r on r.n = l.n)";
    let roots = sqlx::query_scalar(sql).bind(claims).fetch_all(&mut *conn).await?;
    let sql = "select distinct f.n, f.entity, f.collection from json_each($1) g join fact_claims x on x.claim = g.value
        join entity_facts f on f.n = x.fact";
    let facts: Vec<(i64, i64, i64)> = sqlx::query_as(sql).bind(claims).fetch_all(&mut *conn).await?;
    let sql = "select distinct x.relationship, c.collection from json_each($1) g join claims c on c.n = g.value
        join relationship_claims x on x.claim = c.n";
    let links = sqlx::query_as(sql).bind(claims).fetch_all(&mut *conn).await?;
    let views = facts.iter().map(|(_, entity, collection)| (*entity, *collection)).collect();
    Ok(TouchedRows { roots, facts: json::list(facts.into_iter().map(|(n, ..)| n)), views, links })
}

async fn remove(conn: &mut SqliteConnection, graph: &SqliteGraph, claims: RowsOf) -> Result<(), Fault> {
    let rows: Vec<i64> = claims.iter().map(|(n, _)| *n).collect();
    let list = json::list(rows.iter().copied());
    let TouchedRows { roots, facts: touched_facts, mut views, links } = touched(conn, &list).await?;
    vectors::forget(conn, VectorKind::Claim, rows).await?;
    remove_terms(conn, claims.into_iter().map(|(n, collection)| (Kind::Claim.row(n), collection))).await?;
    // Takes the links to what it states along.
    let sql = "delete from claims where n in (select value from json_each($1))";
    sqlx::query(sql).bind(list).execute(&mut *conn).await?;
    facts(conn, &touched_facts).await?;
    views.extend(unneeded_facts(conn, &roots).await?);
    relationships(conn, links).await?;
    unnamed_views(conn, &views).await?;
    let changed = refresh_views(conn, &graph.names, &views).await?;
    index_terms(conn, changed).await?;
    reviews(conn, &roots).await?;
    removal::entities(conn, roots).await
}

/// Deletes facts without evidence, and counts that of the others again. Names and kinds stay where the collection has no other;
/// `unneeded_facts` decides about them.
async fn facts(conn: &mut SqliteConnection, facts: &str) -> Result<(), Fault> {
    let sql = "delete from entity_facts where n in (select value from json_each($1))
        and not exists (select 1 from fact_claims x where x.fact = entity_facts.n)
        and (facet not in ('name', 'kind') or exists (
            select 1 from entity_facts o join fact_claims x on x.fact = o.n
            where o.entity = entity_facts.entity and o.facet = entity_facts.facet and o.collection = entity_facts.collection))";
    sqlx::query(sql).bind(facts).execute(&mut *conn).await?;
    let sql = "update entity_facts set (claims, newest, oldest, at) = (
            select count(*), max(c.published_value), min(c.published_value), coalesce(max(c.ingested_at), entity_facts.at)
            from fact_claims x join claims c on c.n = x.claim where x.fact = entity_facts.n)
        where n in (select value from json_each($1))";
    sqlx::query(sql).bind(facts).execute(conn).await?;
    Ok(())
}

/// Deletes facts without evidence of entities that nothing else of their collection is about. Returns entities with collections.
async fn unneeded_facts(conn: &mut SqliteConnection, roots: &[i64]) -> Result<RowsOf, Fault> {
    let sql =
        "delete from entity_facts where entity in (select n from entities where root in (select value from json_each($1)))
        and not exists (select 1 from fact_claims x where x.fact = entity_facts.n)
        and not exists (
            select 1 from claim_entities x join claims c on c.n = x.claim
            where x.entity = entity_facts.entity and c.collection = entity_facts.collection)
        and not exists (
            select 1 from claims c where c.outlet = entity_facts.entity and c.collection = entity_facts.collection)
        and not exists (
            select 1 from relationships r join relationship_claims x on x.relationship = r.n join claims c on c.n = x.claim
            where (r.source = entity_facts.entity or r.target = entity_facts.entity) and c.collection = entity_facts.collection)
        returning entity, collection";
    Ok(sqlx::query_as(sql).bind(json::list(roots.iter().copied())).fetch_all(conn).await?)
}

/// Deletes relationships where a collection has no evidence of them, and combines the values of the others again.
async fn relationships(conn: &mut SqliteConnection, links: RowsOf) -> Result<(), Fault> {
    let sql = "delete from relationship_views where (relationship, collection) in (
            select value ->> 0, value ->> 1 from json_each($1))
        and not exists (
            select 1 from relationship_claims x join claims c on c.n = x.claim
            where x.relationship = relationship_views.relationship and c.collection = relationship_views.collection)
        returning relationship, collection";
    let gone: RowsOf = sqlx::query_as(sql).bind(json!(links).to_string()).fetch_all(&mut *conn).await?;
    removal::recount_relationships(conn, &links).await?;
    let rows = gone.iter().map(|(n, _)| *n).collect();
    remove_terms(conn, gone.into_iter().map(|(n, collection)| (Kind::Relationship.row(n), collection))).await?;
    removal::unseen_relationships(conn, rows).await
}

/// Deletes the views of entities that a collection has no name of any more.
async fn unnamed_views(conn: &mut SqliteConnection, views: &ViewKeys) -> Result<(), Fault> {
    let sql = "delete from entity_views where (entity, collection) in (select value ->> 0, value ->> 1 from json_each($1))
        and not exists (
            select 1 from entity_facts f where f.entity = entity_views.entity and f.facet = 'name'
            and +f.collection = entity_views.collection)
        returning n, collection";
    let gone: RowsOf = sqlx::query_as(sql).bind(json!(views).to_string()).fetch_all(&mut *conn).await?;
    vectors::forget(conn, VectorKind::Entity, gone.iter().map(|(n, _)| *n).collect()).await?;
    remove_terms(conn, gone.into_iter().map(|(n, collection)| (Kind::View.row(n), collection))).await
}

/// Blanks the reasons of reviews that have words of these documents.
async fn forget_reasons(conn: &mut SqliteConnection, documents: &str) -> Result<(), Fault> {
    let sql = "update review_views set why = '', score = 0, document = null
        where document in (select value from json_each($1)) and (why like $2 || '%' or why like '%' || $3 || '%')";
    sqlx::query(sql).bind(documents).bind(Review::STATED).bind(Review::JUDGED).execute(conn).await?;
    Ok(())
}

/// Deletes reviews of pairs where a side has no name left in the collection that made it likely.
async fn reviews(conn: &mut SqliteConnection, roots: &[i64]) -> Result<(), Fault> {
    let roots = json::list(roots.iter().copied());
    let sql = "delete from review_views where review in (
            select r.n from reviews r join entities e on e.n in (r.left_entity, r.right_entity)
            where e.root in (select value from json_each($1)))
        and exists (
            select 1 from reviews r join json_each(json_array(
                json_array(r.left_entity, left_collection), json_array(r.right_entity, right_collection))) side
            where r.n = review_views.review and not exists (
                select 1 from entities s join entities e on e.root = s.root join entity_facts f on f.entity = e.n
                where s.n = side.value ->> 0 and f.facet = 'name' and +f.collection = side.value ->> 1))";
    sqlx::query(sql).bind(&roots).execute(&mut *conn).await?;
    let sql = "delete from reviews where n in (
            select r.n from reviews r join entities e on e.n in (r.left_entity, r.right_entity)
            where e.root in (select value from json_each($1)))
        and not exists (select 1 from review_views v where v.review = reviews.n)";
    sqlx::query(sql).bind(roots).execute(conn).await?;
    Ok(())
}
