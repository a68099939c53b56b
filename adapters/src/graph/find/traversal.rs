//! The relationships of one entity, and who is at the other end.

use super::relationships::{is_twin, join};
use crate::{
    graph::{SqliteGraph, numbers, read},
    sql::fault::Fault,
};
use domain::{Scope, entity::Entity, relationship::Relationship};
use engine::graph::{Direction, Traversal, terms::terms};
use sqlx::{FromRow, SqliteConnection};
use std::collections::HashSet;

/// Strongest first (none last), then by description, then by the name at the other end.
pub(in crate::graph) async fn traverse(
    graph: &SqliteGraph,
    scope: &Scope,
    traversal: &Traversal,
) -> Result<Vec<(Relationship, Entity)>, Fault> {
    let mut conn = graph.reader.acquire().await?;
    let rows = numbers::entities(&mut conn, [traversal.entity_id]).await?;
    let Some(root) = rows.get(&traversal.entity_id).map(|row| row.root) else { return Ok(Vec::new()) };
    let scope = numbers::scope_list(&mut conn, scope).await?;
    let edges = edges(&mut conn, &scope, root).await?;
    let wanted: HashSet<String> = traversal.description.as_deref().map(terms).unwrap_or_default().into_iter().collect();
    let edges = edges.into_iter().filter(|edge| edge.fits(root, traversal, &wanted)).take(traversal.limit as usize);
    let edges: Vec<Edge> = edges.collect();

    let numbers: Vec<i64> = edges.iter().map(|edge| edge.n).collect();
    let mut relationships: std::collections::HashMap<i64, Relationship> =
        read::load_relationships(&mut conn, &scope, &numbers).await?.into_iter().collect();
    let others: Vec<i64> = edges.iter().map(|edge| edge.other(root)).collect();
    let entities = read::load_entities(&mut conn, &scope, &others).await?;
    let mut found: Vec<(Relationship, Entity)> = Vec::with_capacity(edges.len());
    for edge in edges {
        let (Some(relationship), Some(other)) = (relationships.remove(&edge.n), entities.get(&edge.other(root))) else {
            continue;
        };
        match found.iter_mut().find(|(known, _)| is_twin(known, &relationship)) {
            Some((twin, _)) => join(twin, relationship),
            None => found.push((relationship, other.clone())),
        }
    }
    Ok(found)
}

#[derive(FromRow)]
struct Edge {
    n: i64,
    source: i64,
    target: i64,
    description: String,
    weight: Option<f64>,
    bidirectional: i64,
}

impl Edge {
    const fn other(&self, root: i64) -> i64 {
        if self.source == root { self.target } else { self.source }
    }

    fn fits(&self, root: i64, traversal: &Traversal, wanted: &HashSet<String>) -> bool {
        let both = self.bidirectional != 0 || traversal.direction == Direction::Both;
        let direction = match traversal.direction {
            Direction::Outgoing if !both => self.source == root,
            Direction::Incoming if !both => self.target == root,
            _ => true,
        };
        direction
            && self.source != self.target
            && traversal.min_weight.is_none_or(|least| self.weight.is_some_and(|weight| weight >= least))
            && (wanted.is_empty() || terms(&self.description).iter().any(|term| wanted.contains(term)))
    }
}

/// Every visible edge whose other end is visible too.
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
        group by r.n having name is not null
        order by weight desc nulls last, r.description, name, r.n";
    Ok(sqlx::query_as(sql).bind(scope).bind(root).fetch_all(conn).await?)
}
