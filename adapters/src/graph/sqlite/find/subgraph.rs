//! Entities and the relationships around them, in two statements.

use crate::{
    graph::{
        projection::{self, EdgeRow, NodeRow},
        sqlite::{SqliteGraph, json},
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{Scope, subgraph::Subgraph};
use engine::graph::SubgraphQuery;

const EDGES: &str = "with seen(n) as (select n from graph_collections where id in (select unhex(value) from json_each($1)) and removed = 0),
    members(n) as (select distinct m.n from json_each($2) w cross join entities e on e.id = unhex(w.value)
        cross join entities m on m.root = e.root),
    edges(n) as (select r.n from members m cross join relationships r on r.source = m.n
        union select r.n from members m cross join relationships r on r.target = m.n),
    support(n, claims, asserted, first_published, last_published) as (
        select x.n, count(*), sum(c.mode = 'asserted'), min(c.published_value), max(c.published_value)
        from edges x cross join relationship_claims s on s.relationship = x.n cross join claims c on c.n = s.claim
        where c.collection in (select n from seen) group by x.n)
    select r.id, a.root as source, b.root as target, r.description, max(v.weight) as weight, max(v.bidirectional) as bidirectional,
        rtrim(min(v.since || '~'), '~') as since, max(v.until) as until,
        s.claims, s.asserted, s.first_published, s.last_published
    from support s cross join relationships r on r.n = s.n
    cross join entities a on a.n = r.source cross join entities b on b.n = r.target
    cross join relationship_views v on v.relationship = r.n
    where v.collection in (select n from seen) and a.root <> b.root
    group by r.n order by weight is null, weight desc, s.claims desc, r.description, r.n limit $3";

const NODES: &str = "with seen(n) as (select n from graph_collections where id in (select unhex(value) from json_each($1)) and removed = 0),
    seeds(n) as (select distinct e.root from json_each($2) w cross join entities e on e.id = unhex(w.value)),
    roots(n, about) as materialized (
        select a.n, case when $4 and a.n in (select n from seeds) then (
            select count(distinct c.n) from entities m cross join claim_entities x on x.entity = m.n
                cross join claims c on c.n = x.claim where m.root = a.n and c.collection in (select n from seen)) end
        from (select n from seeds union select value from json_each($3)) a)
    select r.n as root, r.id, f.facet, f.key, f.value, f.claims, f.oldest, r.n in (select n from seeds) as is_seed, w.about
    from roots w cross join entities r on r.n = w.n cross join entities e on e.root = r.n cross join entity_facts f on f.entity = e.n
    where f.facet in ('name', 'kind') and f.collection in (select n from seen)";

pub(in crate::graph::sqlite) async fn subgraph(
    graph: &SqliteGraph,
    scope: &Scope,
    query: &SubgraphQuery,
) -> Result<Subgraph, Fault> {
    let scope = id_list(scope.collections().iter().map(|id| id.0));
    let seeds = id_list(query.seeds.iter().map(|id| id.0));
    let mut conn = graph.reader.acquire().await?;
    let edges: Vec<EdgeRow> = match query.max_edges {
        0 => vec![],
        most => sqlx::query_as(EDGES).bind(&scope).bind(&seeds).bind(most).fetch_all(&mut *conn).await?,
    };
    let ends = json::list(edges.iter().flat_map(EdgeRow::ends));
    let nodes: Vec<NodeRow> =
        sqlx::query_as(NODES).bind(&scope).bind(&seeds).bind(ends).bind(query.counts_claims).fetch_all(&mut *conn).await?;
    Ok(projection::subgraph(edges, nodes, &graph.names)?)
}
