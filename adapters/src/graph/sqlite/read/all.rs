//! Claims, relationships and entities of a search, read by one statement.

use super::{claims, relationships};
use crate::{
    graph::{
        claim_columns::{COLUMNS, StoredClaim},
        projection::{FactRow, FoundRows, StoredRelationship, found_entities},
        sqlite::json,
    },
    sql::fault::Fault,
};
use engine::names::NameMatcher;
use sqlx::{AssertSqlSafe, SqliteConnection, types::Json};

/// Facts of entities (`$3`), and names of the ends of relationships (`$2`).
const FACTS: &str = "
    with roots(n) as (
        select value from json_each($3)
        union select s.root from json_each($2) w cross join relationships r on r.n = w.value cross join entities s on s.n = r.source
        union select t.root from json_each($2) w cross join relationships r on r.n = w.value cross join entities t on t.n = r.target)
    select json_group_array(json_object('root', r.n, 'id', hex(r.id), 'fact', f.n, 'facet', f.facet, 'key', f.key, 'value', f.value,
        'claims', f.claims, 'newest', f.newest, 'oldest', f.oldest, 'at', f.at,
        'evidence', case when f.facet in ('summary', 'property') then json((
            select json_group_array(hex(c.id) order by d.document_order, c.span_start, c.content_hash) from fact_claims x
            cross join claims c on c.n = x.claim cross join graph_documents d on d.n = c.document where x.fact = f.n)) end))
    from roots w cross join entities r on r.n = w.n cross join entities e on e.root = r.n cross join entity_facts f on f.entity = e.n
    where f.collection in (select value from json_each($4))
        and (f.facet = 'name' or w.n in (select value from json_each($3)))";

/// Loads the claims, relationships and entities in these rows that the scope (a JSON list of collection rows) sees.
pub(in crate::graph::sqlite) async fn load(
    conn: &mut SqliteConnection,
    names: &NameMatcher,
    scope: &str,
    rows: [Vec<i64>; 3],
) -> Result<FoundRows, Fault> {
    if rows.iter().all(Vec::is_empty) {
        return Ok(FoundRows::default());
    }
    let columns = COLUMNS.iter().map(|name| format!("'{name}', {name}")).collect::<Vec<_>>().join(", ");
    let sql = format!(
        "select (
            select json_group_array(json_object('n', n, 'id', hex(id), 'document_id', hex(document_id),
                'collection_id', hex(collection_id), 'ingested_at', ingested_at, 'outlet_id', nullif(hex(outlet_id), ''),
                'entity_ids', json(entity_ids), 'columns', json_object({columns}))
                order by document_order, span_start, content_hash, id)
            from ({})), (
            select json_group_array(json_object('n', n, 'id', hex(id), 'source_id', hex(source_id), 'target_id', hex(target_id),
                'description', description, 'weight', weight, 'confidence', confidence,
                'bidirectional', json(case bidirectional when 0 then 'false' else 'true' end), 'timestamp', timestamp, 'since', since, 'until', until, 'claim_ids', json(claim_ids)) order by description, n)
            from ({})), ({FACTS})",
        claims::in_rows(", d.document_order", "$4"),
        relationships::select("select value from json_each($4)", "$2", "r.n = w.value"),
    );
    let mut query = sqlx::query_as(AssertSqlSafe(sql));
    for rows in rows {
        query = query.bind(json::list(rows));
    }
    type Row = (Json<Vec<StoredClaim>>, Json<Vec<StoredRelationship>>, Json<Vec<FactRow>>);
    let (claims, relationships, facts): Row = query.bind(scope).fetch_one(conn).await?;
    Ok(FoundRows {
        claims: claims.0.into_iter().map(|row| Ok((row.n, row.claim()?))).collect::<Result<_, Fault>>()?,
        relationships: relationships.0.into_iter().map(|row| Ok((row.n, row.relationship()?))).collect::<Result<_, Fault>>()?,
        entities: found_entities(facts.0, names)?,
    })
}
