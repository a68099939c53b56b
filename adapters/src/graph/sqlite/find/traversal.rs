//! Relationships of one entity, with the entities at the other end.

use crate::{
    graph::{
        projection::{Edge, neighbours, strongest_first},
        sqlite::{SqliteGraph, read, row_numbers},
        write_plan::existing_refs::EntityRow,
    },
    sql::fault::Fault,
};
use domain::Scope;
use engine::graph::{Neighbour, Traversal};
use sqlx::SqliteConnection;

pub(in crate::graph::sqlite) async fn traverse(
    graph: &SqliteGraph,
    scope: &Scope,
    traversal: &Traversal,
) -> Result<Vec<Neighbour>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let rows = row_numbers::entity_rows(&mut conn, [traversal.entity_id]).await?;
    let Some(EntityRow { root, root_id }) = rows.get(&traversal.entity_id).copied() else { return Ok(Vec::new()) };
    let scope = row_numbers::collection_list(&mut conn, scope).await?;
    let edges = strongest_first(edges(&mut conn, &scope, root).await?, root, traversal);
    let rows: Vec<i64> = edges.iter().map(|edge| edge.n).collect();
    let relationships = read::load_relationships(&mut conn, &scope, &rows).await?.into_iter().collect();
    let others: Vec<i64> = edges.iter().map(|edge| edge.other(root)).collect();
    let entities = read::load_entities(&mut conn, &graph.names, &scope, &others).await?;
    Ok(neighbours(edges, (root, root_id), relationships, &entities))
}

/// Returns every visible edge whose other end is visible too.
async fn edges(conn: &mut SqliteConnection, scope: &str, root: i64) -> Result<Vec<Edge>, Fault> {
    let sql = "with seen(collection) as (select value from json_each($1)),
        members(n) as (select n from entities where root = $2),
        edges(n) as (select r.n from members m cross join relationships r on r.source = m.n
            union select r.n from members m cross join relationships r on r.target = m.n)
        select r.n, s.root as source, t.root as target, r.description, max(v.weight) as weight, max(v.bidirectional) as bidirectional,
            (select min(f.value) from entities o join entity_facts f on f.entity = o.n and f.facet = 'name'
                where o.root = case when s.root = $2 then t.root else s.root end and f.collection in (select collection from seen)) as name
        from edges x cross join relationships r on r.n = x.n
        cross join entities s on s.n = r.source cross join entities t on t.n = r.target
        cross join relationship_views v on v.relationship = r.n
        where v.collection in (select collection from seen)
        group by r.n having name is not null";
    Ok(sqlx::query_as(sql).bind(scope).bind(root).fetch_all(conn).await?)
}
