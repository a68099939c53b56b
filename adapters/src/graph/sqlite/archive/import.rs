//! Import of graph records, with full text, blocking keys and views.

use crate::{
    graph::{
        enum_text::to_text,
        records::{described_entities, read, unknown},
        sqlite::{
            SqliteGraph, claim_rows,
            find::Kind as TextKind,
            json, row_numbers,
            write::{IndexEntry, create_terms, index_terms, refresh_views},
        },
        write_plan::{claim_search_terms, relationships::description_hash},
    },
    sql::fault::Fault,
};
use domain::ReviewId;
use engine::{
    archive::{
        ArchiveRecord, RecordKind,
        graph::{
            self, ClaimRecord, CollectionRecord, DocumentRecord, EntityRecord, Facet, FactRecord, MergeRecord,
            RelationshipRecord, ReviewRecord, ReviewViewRecord, VectorRecord,
        },
    },
    graph::{Resolve, terms::terms},
    names::NameMatcher,
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::{BTreeSet, HashMap};
use uuid::Uuid;

pub(super) async fn import(
    graph: &SqliteGraph,
    resolve: &dyn Resolve,
    kind: RecordKind,
    records: &[ArchiveRecord],
) -> Result<(), Fault> {
    let mut transaction = graph.writer.begin_with("begin immediate").await?;
    let conn = &mut *transaction;
    row_numbers::next_version(conn).await?;
    match kind {
        graph::COLLECTIONS => collections(conn, &read(records)?).await?,
        graph::DOCUMENTS => documents(conn, &read(records)?).await?,
        graph::ENTITIES => entities(conn, &read(records)?).await?,
        graph::CLAIMS => claims(conn, &read(records)?).await?,
        graph::FACTS => facts(conn, &graph.names, resolve, &read(records)?).await?,
        graph::RELATIONSHIPS => relationships(conn, &read(records)?).await?,
        graph::MERGES => merges(conn, &read(records)?).await?,
        graph::REVIEWS => reviews(conn, &read(records)?).await?,
        other => return Err(unknown(other).into()),
    }
    transaction.commit().await?;
    Ok(())
}

/// Returns the rows as one bound JSON value.
fn rows<T>(records: &[T], row: impl Fn(&T) -> Value) -> String {
    Value::from_iter(records.iter().map(row)).to_string()
}

async fn collections(conn: &mut SqliteConnection, records: &[CollectionRecord]) -> Result<(), Fault> {
    for CollectionRecord { id, removed } in records {
        let sql = "insert into graph_collections (id, removed) values ($1, $2) on conflict (id) do nothing returning n";
        let new: Option<i64> = sqlx::query_scalar(sql).bind(id.0).bind(removed).fetch_optional(&mut *conn).await?;
        if let Some(new) = new.filter(|_| !removed) {
            create_terms(conn, new).await?;
        }
    }
    Ok(())
}

async fn documents(conn: &mut SqliteConnection, records: &[DocumentRecord]) -> Result<(), Fault> {
    let rows = rows(records, |record| json!([json::hex(record.id.0), json::hex(record.collection.0), record.order]));
    let sql = "insert into graph_documents (id, collection, document_order)
        select unhex(j.value ->> 0), k.n, j.value ->> 2 from json_each($1) j
        cross join graph_collections k on k.id = unhex(j.value ->> 1)
        where true on conflict (id) do update set document_order = excluded.document_order";
    sqlx::query(sql).bind(rows).execute(conn).await?;
    Ok(())
}

/// Inserts entities, each as its own root until its merges are imported.
async fn entities(conn: &mut SqliteConnection, records: &[EntityRecord]) -> Result<(), Fault> {
    let last: i64 = sqlx::query_scalar("select coalesce(max(n), 0) from entities").fetch_one(&mut *conn).await?;
    let new = (last + 1..).zip(records).map(|(n, record)| json!([n, json::hex(record.id.0)]));
    let sql = "insert into entities (n, id, root) select value ->> 0, unhex(value ->> 1), value ->> 0 from json_each($1)
        where true on conflict (id) do nothing";
    sqlx::query(sql).bind(Value::from_iter(new).to_string()).execute(conn).await?;
    Ok(())
}

async fn claims(conn: &mut SqliteConnection, records: &[ClaimRecord]) -> Result<(), Fault> {
    let sql = format!(
        "{} on conflict do nothing returning id, n, collection",
        claim_rows::insert(
            "d.n, d.collection, (select o.n from entities o where o.id = unhex(j.value ->> 'outlet'))",
            "cross join graph_documents d on d.id = unhex(j.value ->> 'document')"
        )
    );
    let new: Vec<(Uuid, i64, i64)> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(rows(records, claim_row)).fetch_all(&mut *conn).await?;
    let about = |record: &ClaimRecord| {
        json!([json::hex(record.id.0), record.entities.iter().map(|entity| json::hex(entity.0)).collect::<Vec<_>>()])
    };
    let sql = "insert into claim_entities (entity, claim, position)
        select e.n, c.n, x.key from json_each($1) j cross join claims c on c.id = unhex(j.value ->> 0)
        cross join json_each(j.value, '$[1]') x cross join entities e on e.id = unhex(x.value)
        where true on conflict do nothing";
    sqlx::query(sql).bind(rows(records, about)).execute(&mut *conn).await?;
    let of: HashMap<Uuid, &ClaimRecord> = records.iter().map(|record| (record.id.0, record)).collect();
    let indexed = |(id, n, collection): (Uuid, i64, i64)| {
        let record = of.get(&id)?;
        Some(IndexEntry::new(TextKind::Claim, n, collection, &claim_search_terms(&record.content, &record.quote)))
    };
    index_terms(conn, new.into_iter().filter_map(indexed).collect()).await
}

fn claim_row(record: &ClaimRecord) -> Value {
    let mut row = claim_rows::row(&record.new_claim(), record.ingested_at);
    row["document"] = json::hex(record.document.0);
    row["outlet"] = record.outlet.map(|outlet| json::hex(outlet.0)).into();
    row
}

async fn facts(
    conn: &mut SqliteConnection,
    names: &NameMatcher,
    resolve: &dyn Resolve,
    records: &[FactRecord],
) -> Result<(), Fault> {
    let row = |record: &FactRecord| {
        let claims: Vec<Value> = record.claims.iter().map(|claim| json::hex(claim.0)).collect();
        let (entity, collection) = (json::hex(record.entity.0), json::hex(record.collection.0));
        json!([entity, to_text(record.facet), record.key, record.value, collection, record.at.as_micros(), claims])
    };
    let rows = rows(records, row);
    let sql = "insert into entity_facts (entity, facet, key, value, collection, at)
        select e.n, j.value ->> 1, j.value ->> 2, j.value ->> 3, k.n, j.value ->> 5 from json_each($1) j
        cross join entities e on e.id = unhex(j.value ->> 0) cross join graph_collections k on k.id = unhex(j.value ->> 4)
        where true on conflict do nothing returning n, entity, facet, value, collection";
    let new: Vec<(i64, i64, String, String, i64)> = sqlx::query_as(sql).bind(&rows).fetch_all(&mut *conn).await?;
    let sql = "insert into fact_claims (fact, claim)
        select f.n, c.n from json_each($1) j cross join entities e on e.id = unhex(j.value ->> 0)
        cross join graph_collections k on k.id = unhex(j.value ->> 4)
        cross join entity_facts f on f.entity = e.n and f.facet = j.value ->> 1 and f.key = j.value ->> 2
            and f.value = j.value ->> 3 and f.collection = k.n
        cross join json_each(j.value, '$[6]') x cross join claims c on c.id = unhex(x.value)
        where true on conflict do nothing";
    sqlx::query(sql).bind(&rows).execute(&mut *conn).await?;
    let name = to_text(Facet::Name);
    let keys = new.iter().filter(|(_, _, facet, ..)| *facet == name).flat_map(|(n, entity, _, value, collection)| {
        resolve.keys(value).into_iter().map(move |key| json!([key, collection, entity, n]))
    });
    let sql = "insert into name_keys (key, collection, entity, fact)
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each($1) where true on conflict do nothing";
    sqlx::query(sql).bind(Value::from_iter(keys).to_string()).execute(&mut *conn).await?;
    let touched: BTreeSet<(i64, i64)> = new.iter().map(|(_, entity, _, _, collection)| (*entity, *collection)).collect();
    let changed = refresh_views(conn, names, &touched).await?;
    index_terms(conn, changed).await
}

async fn relationships(conn: &mut SqliteConnection, records: &[RelationshipRecord]) -> Result<(), Fault> {
    let row = |record: &RelationshipRecord| {
        let view = |view: &graph::RelationshipView| {
            json!({
                "collection": json::hex(view.collection.0),
                "weight": view.weight,
                "confidence": view.confidence.map(domain::Confidence::get),
                "bidirectional": u8::from(view.bidirectional),
                "timestamp": view.timestamp.map(|at| at.as_micros()),
                "since": view.since,
                "until": view.until,
            })
        };
        json!([
            json::hex(record.id.0),
            json::hex(record.source.0),
            json::hex(record.target.0),
            record.description,
            description_hash(&record.description),
            record.views.iter().map(view).collect::<Vec<_>>(),
            record.claims.iter().map(|claim| json::hex(claim.0)).collect::<Vec<_>>(),
        ])
    };
    let rows = rows(records, row);
    let sql = "insert into relationships (id, source, target, description, description_hash)
        select unhex(j.value ->> 0), a.n, b.n, j.value ->> 3, j.value ->> 4 from json_each($1) j
        cross join entities a on a.id = unhex(j.value ->> 1) cross join entities b on b.id = unhex(j.value ->> 2)
        where true on conflict do nothing";
    sqlx::query(sql).bind(&rows).execute(&mut *conn).await?;
    let sql =
        "insert into relationship_views (relationship, collection, weight, confidence, bidirectional, timestamp, since, until)
        select r.n, k.n, x.value ->> 'weight', x.value ->> 'confidence', x.value ->> 'bidirectional', x.value ->> 'timestamp',
            x.value ->> 'since', x.value ->> 'until' from json_each($1) j
        cross join relationships r on r.id = unhex(j.value ->> 0) cross join json_each(j.value, '$[5]') x
        cross join graph_collections k on k.id = unhex(x.value ->> 'collection')
        where true on conflict do nothing returning relationship, collection";
    let new: Vec<(i64, i64)> = sqlx::query_as(sql).bind(&rows).fetch_all(&mut *conn).await?;
    // An archive has the values of all claims of a collection combined: each claim gets them.
    let sql =
        "insert into relationship_claims (relationship, claim, weight, confidence, bidirectional, timestamp, since, until)
        select r.n, c.n, v.weight, v.confidence, v.bidirectional, v.timestamp, v.since, v.until
        from json_each($1) j cross join relationships r on r.id = unhex(j.value ->> 0)
        cross join json_each(j.value, '$[6]') x cross join claims c on c.id = unhex(x.value)
        left join relationship_views v on v.relationship = r.n and v.collection = c.collection
        where true on conflict do nothing";
    sqlx::query(sql).bind(&rows).execute(&mut *conn).await?;
    let described = "select n, description from relationships where n in (select value from json_each($1))";
    let numbers = json::list(new.iter().map(|(relationship, _)| *relationship));
    let texts: Vec<(i64, String)> = sqlx::query_as(described).bind(numbers).fetch_all(&mut *conn).await?;
    let texts: HashMap<i64, String> = texts.into_iter().collect();
    let indexed = new.into_iter().filter_map(|(relationship, collection)| {
        Some(IndexEntry::new(TextKind::Relationship, relationship, collection, &terms(texts.get(&relationship)?)))
    });
    index_terms(conn, indexed.collect()).await
}

/// Inserts merges and sets the root of every entity from those that were not undone.
async fn merges(conn: &mut SqliteConnection, records: &[MergeRecord]) -> Result<(), Fault> {
    let row = |record: &MergeRecord| {
        let (survivor, merged) = (json::hex(record.survivor.0), json::hex(record.merged.0));
        let by = record.by.map(|by| json::hex(by.0));
        json!([json::hex(record.id.0), survivor, merged, record.at.as_micros(), u8::from(record.undone), by])
    };
    let sql = "insert into merges (id, survivor, merged, at, undone, decided_by)
        select unhex(j.value ->> 0), a.n, b.n, j.value ->> 3, j.value ->> 4, unhex(j.value ->> 5) from json_each($1) j
        cross join entities a on a.id = unhex(j.value ->> 1) cross join entities b on b.id = unhex(j.value ->> 2)
        where true on conflict (id) do update set undone = excluded.undone";
    sqlx::query(sql).bind(rows(records, row)).execute(&mut *conn).await?;
    let sql = "with recursive up (n, root) as (
            select merged, survivor from merges where undone = 0
            union select up.n, m.survivor from up join merges m on m.merged = up.root and m.undone = 0)
        update entities set root = up.root from up
        where up.n = entities.n and not exists (select 1 from merges m where m.merged = up.root and m.undone = 0)";
    sqlx::query(sql).execute(conn).await?;
    Ok(())
}

async fn reviews(conn: &mut SqliteConnection, records: &[ReviewRecord]) -> Result<(), Fault> {
    let row = |record: &ReviewRecord| json!([json::hex(record.id.0), json::hex(record.left.0), json::hex(record.right.0)]);
    let sql = "insert into reviews (id, left_entity, right_entity)
        select unhex(j.value ->> 0), a.n, b.n from json_each($1) j
        cross join entities a on a.id = unhex(j.value ->> 1) cross join entities b on b.id = unhex(j.value ->> 2)
        where true on conflict do nothing";
    sqlx::query(sql).bind(rows(records, row)).execute(&mut *conn).await?;
    let views = records.iter().flat_map(|record| record.views.iter().map(move |view| (record.id, view)));
    let view = |(review, view): (ReviewId, &ReviewViewRecord)| {
        json!([
            json::hex(review.0),
            json::hex(view.left.0),
            json::hex(view.right.0),
            view.score,
            view.why,
            view.document.map(|id| json::hex(id.0)),
            view.created_at.as_micros(),
            u8::from(view.closed),
            view.postponed_at.map(|at| at.as_micros()),
            view.decided_by.map(|by| json::hex(by.0)),
            view.decided_at.map(|at| at.as_micros()),
        ])
    };
    let sql = "insert into review_views (review, left_collection, right_collection, score, why, document, created_at, closed,
            postponed_at, decided_by, decided_at)
        select v.n, l.n, r.n, j.value ->> 3, j.value ->> 4, d.n, j.value ->> 6, j.value ->> 7, j.value ->> 8,
            unhex(j.value ->> 9), j.value ->> 10
        from json_each($1) j cross join reviews v on v.id = unhex(j.value ->> 0)
        cross join graph_collections l on l.id = unhex(j.value ->> 1)
        cross join graph_collections r on r.id = unhex(j.value ->> 2)
        left join graph_documents d on d.id = unhex(j.value ->> 5)
        where true on conflict do update set closed = excluded.closed, postponed_at = excluded.postponed_at,
            decided_by = excluded.decided_by, decided_at = excluded.decided_at";
    sqlx::query(sql).bind(Value::from_iter(views.map(view)).to_string()).execute(conn).await?;
    Ok(())
}

/// Returns the ids of the entity views that the vectors describe.
pub(super) async fn view_ids(graph: &SqliteGraph, records: &[VectorRecord]) -> Result<HashMap<(Uuid, Uuid), Uuid>, Fault> {
    let pairs = described_entities(records).map(|(entity, collection)| json!([json::hex(entity), json::hex(collection)]));
    let pairs: Vec<Value> = pairs.collect();
    let sql = "select e.id, k.id, v.id from json_each($1) j cross join entities e on e.id = unhex(j.value ->> 0)
        cross join graph_collections k on k.id = unhex(j.value ->> 1)
        cross join entity_views v on v.entity = e.n and v.collection = k.n";
    let mut conn = graph.reader.acquire().await?;
    let rows: Vec<(Uuid, Uuid, Uuid)> = sqlx::query_as(sql).bind(Value::from(pairs).to_string()).fetch_all(&mut *conn).await?;
    Ok(rows.into_iter().map(|(entity, collection, view)| ((entity, collection), view)).collect())
}
