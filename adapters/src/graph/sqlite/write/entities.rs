//! Insertion of entities, and the review list.

use crate::{
    graph::{
        sqlite::json,
        write_plan::{WriteContext, pack::PackContext, resolution::ReviewPair, reviews},
    },
    sql::fault::Fault,
};
use serde_json::{Value, json};
use sqlx::SqliteConnection;

/// Inserts the new entities.
pub(super) async fn insert(conn: &mut SqliteConnection, pack: &PackContext<'_>) -> Result<(), Fault> {
    let new = pack.documents.iter().flat_map(|document| document.resolved.new_entities());
    let new: Vec<Value> = new.map(|entity| json!([entity.n, json::hex(entity.id.0)])).collect();
    if !new.is_empty() {
        let sql = "insert into entities (n, id, root) select value ->> 0, unhex(value ->> 1), value ->> 0 from json_each($1)";
        sqlx::query(sql).bind(Value::from(new).to_string()).execute(conn).await?;
    }
    Ok(())
}

/// Stores pairs that need review, and pairs that were told apart, with the reason. Where two collections have the pair open already, they
/// keep the higher score and its reason.
///
/// Invariant: score, reason and decision are stored by pair of collections. Readers of others see none of them.
pub(super) async fn add_reviews(conn: &mut SqliteConnection, pack: &PackContext<'_>) -> Result<(), Fault> {
    let rows: Vec<Value> = pack.documents.iter().flat_map(review_rows).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let rows = Value::from(rows).to_string();
    let sql = "insert into reviews (id, left_entity, right_entity)
        select unhex(value ->> 'id'), value ->> 'left', value ->> 'right' from json_each($1) where true on conflict do nothing";
    sqlx::query(sql).bind(&rows).execute(&mut *conn).await?;
    let sql = "insert into review_views (review, left_collection, right_collection, score, why, document, closed, created_at)
        select r.n, c.value ->> 0, c.value ->> 1, j.value ->> 'score', j.value ->> 'why',
            (select n from graph_documents where id = unhex(j.value ->> 'document')), j.value ->> 'closed', j.value ->> 'at'
        from json_each($1) j
        cross join reviews r on r.left_entity = j.value ->> 'left' and r.right_entity = j.value ->> 'right'
        cross join json_each(j.value, '$.pairs') c where true
        on conflict do update set score = excluded.score, why = excluded.why, document = excluded.document
        where excluded.score > review_views.score and review_views.closed = 0 and excluded.closed = 0";
    sqlx::query(sql).bind(&rows).execute(conn).await?;
    Ok(())
}

fn review_rows(document: &WriteContext<'_>) -> Vec<Value> {
    let row = |pair: ReviewPair| {
        json!({
            "id": json::hex(pair.id.0),
            "left": pair.left,
            "right": pair.right,
            "score": pair.score,
            "why": pair.why,
            "document": json::hex(document.write.document_id.0),
            "closed": u8::from(pair.is_closed),
            "at": document.write.at.as_micros(),
            "pairs": pair.collections,
        })
    };
    reviews::pairs(document).into_iter().map(row).collect()
}
