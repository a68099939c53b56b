//! Resolution and insertion of entities, and the review list.

use super::candidates::SqliteCandidates;
use crate::{
    graph::{
        resolution_cache::ScopedCache,
        sqlite::{SqliteGraph, json},
        write_plan::{
            WriteContext,
            candidates::{self, KeyedProposal},
            existing_refs::ExistingRefs,
            resolution::{self, ResolvedEntities, ReviewPair},
            reviews,
        },
    },
    sql::fault::Fault,
};
use engine::graph::{GraphWrite, Resolve};
use serde_json::{Value, json};
use sqlx::SqliteConnection;

/// Resolves the proposals to entities and inserts the new ones.
pub(super) async fn resolve_entities(
    conn: &mut SqliteConnection,
    graph: &SqliteGraph,
    write: &GraphWrite,
    resolve: &dyn Resolve,
    refs: &ExistingRefs,
    scoped: &mut ScopedCache,
) -> Result<ResolvedEntities, Fault> {
    if write.entities.is_empty() {
        return Ok(ResolvedEntities::default());
    }
    let before = write.entities.iter().filter_map(|proposal| refs.entities.get(&proposal.id)).map(|row| row.root).collect();
    let named = KeyedProposal::with_keys(&write.entities, resolve);
    let rows = &mut SqliteCandidates(&mut *conn);
    let pool = candidates::load_candidates(rows, &graph.config, &named, resolve, before, &refs.resolve_within, scoped).await?;
    let last: i64 = sqlx::query_scalar("select coalesce(max(n), 0) from entities").fetch_one(&mut *conn).await?;
    let resolved = resolution::resolve_entities(&named, resolve, refs, pool, last)?;
    let new: Vec<Value> = resolved.new_entities().map(|entity| json!([entity.n, json::hex(entity.id.0)])).collect();
    if !new.is_empty() {
        let sql = "insert into entities (n, id, root) select value ->> 0, unhex(value ->> 1), value ->> 0 from json_each($1)";
        sqlx::query(sql).bind(Value::from(new).to_string()).execute(conn).await?;
    }
    Ok(resolved)
}

/// Stores pairs that need review, and pairs that were told apart, with the reason. A pair that is already open keeps the higher score and
/// its reason.
pub(super) async fn add_reviews(conn: &mut SqliteConnection, context: &WriteContext<'_>) -> Result<(), Fault> {
    let pairs = reviews::pairs(context);
    if pairs.is_empty() {
        return Ok(());
    }
    let row = |pair: &ReviewPair| {
        json!({
            "id": json::hex(pair.id.0),
            "left": pair.left,
            "right": pair.right,
            "score": pair.score,
            "why": pair.why,
            "closed": u8::from(pair.is_closed),
            "left_collections": pair.left_collections,
            "right_collection": pair.right_collection,
        })
    };
    let rows = Value::from_iter(pairs.iter().map(row)).to_string();
    let sql = "insert into reviews (id, left_entity, right_entity, score, why, closed, created_at)
        select unhex(value ->> 'id'), value ->> 'left', value ->> 'right', value ->> 'score', value ->> 'why', value ->> 'closed', $2
        from json_each($1) where true
        on conflict (left_entity, right_entity) do update set score = excluded.score, why = excluded.why
        where excluded.score > reviews.score and reviews.closed = 0 and excluded.closed = 0
        on conflict do nothing";
    sqlx::query(sql).bind(&rows).bind(context.write.at.as_micros()).execute(&mut *conn).await?;
    let sql = "insert into review_views (review, left_collection, right_collection)
        select r.n, c.value, j.value ->> 'right_collection' from json_each($1) j
        cross join reviews r on r.left_entity = j.value ->> 'left' and r.right_entity = j.value ->> 'right'
        cross join json_each(j.value, '$.left_collections') c where true on conflict do nothing";
    sqlx::query(sql).bind(&rows).execute(conn).await?;
    Ok(())
}
