//! Relationships and values that rest on claims.

use crate::{
    graph::{
        projection::{self, StatingRow, UseRow},
        sqlite::SqliteGraph,
    },
    sql::{fault::Fault, types::id_list},
};
use domain::{ClaimId, DocumentId, Scope};
use engine::graph::ClaimUses;

pub(in crate::graph::sqlite) async fn claim_uses(
    graph: &SqliteGraph,
    scope: &Scope,
    claim: ClaimId,
    limit: u32,
) -> Result<ClaimUses, Fault> {
    let sql = "
        with visible as (select n from graph_collections where removed = 0 and id in (select unhex(value) from json_each($2))),
        links as (
            select x.relationship as n from claims c join relationship_claims x on x.claim = c.n
            where c.id = $1 and c.collection in (select n from visible)),
        facts as (
            select f.n, f.entity, f.facet, f.key from claims c join fact_claims x on x.claim = c.n
            join entity_facts f on f.n = x.fact where c.id = $1 and c.collection in (select n from visible)
                and f.collection in (select n from visible) and f.facet in ('property', 'external', 'summary')),
        stated as (
            select x.claim from links l join relationship_claims x on x.relationship = l.n
            union select x.claim from facts f join fact_claims x on x.fact = f.n)
        select r.id as relationship, s.id as entity, t.id as target, r.description as text, null as document
        from links l join relationships r on r.n = l.n join entities a on a.n = r.source join entities s on s.n = a.root
        join entities b on b.n = r.target join entities t on t.n = b.root
        union all
        select null, s.id, null, case f.facet when 'summary' then 'summary' else f.key end, null
        from facts f join entities e on e.n = f.entity join entities s on s.n = e.root
        union all
        select null, null, null, null, id from (
            select distinct d.id from stated x join claims c on c.n = x.claim join graph_documents d on d.n = c.document
            where c.collection in (select n from visible) order by d.id limit $3)";
    let collections = id_list(scope.collections().iter().map(|id| id.0));
    let query = sqlx::query_as(sql).bind(claim.0).bind(collections).bind(limit);
    let rows: Vec<UseRow> = query.fetch_all(&graph.reader).await?;
    Ok(projection::claim_uses(rows))
}

pub(in crate::graph::sqlite) async fn stating_documents(
    graph: &SqliteGraph,
    scope: &Scope,
    claims: &[ClaimId],
) -> Result<Vec<Vec<DocumentId>>, Fault> {
    let sql = "
        with visible as (select n from graph_collections where removed = 0 and id in (select unhex(value) from json_each($2))),
        stated as (
            select distinct a.root as source, b.root as target, r.description_hash as words
            from claims c join relationship_claims x on x.claim = c.n join relationships r on r.n = x.relationship
            join entities a on a.n = r.source join entities b on b.n = r.target
            where c.id in (select unhex(value) from json_each($1)) and c.collection in (select n from visible))
        select distinct s.source, s.target, s.words, d.id as document
        from stated s join entities a on a.root = s.source join entities b on b.root = s.target
        join relationships r on r.source = a.n and r.target = b.n and r.description_hash = s.words
        join relationship_claims x on x.relationship = r.n join claims c on c.n = x.claim
        join graph_documents d on d.n = c.document
        where c.collection in (select n from visible)";
    let collections = id_list(scope.collections().iter().map(|id| id.0));
    let query = sqlx::query_as(sql).bind(id_list(claims.iter().map(|id| id.0))).bind(collections);
    let rows: Vec<StatingRow> = query.fetch_all(&graph.reader).await?;
    Ok(projection::stating_documents(rows))
}
