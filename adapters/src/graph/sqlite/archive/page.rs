//! Pages of graph records, in row order.

use super::unknown;
use crate::{
    graph::{
        claim_columns::StoredClaim,
        enum_text::{from_text, partial_date},
        sqlite::{claim_rows, vectors},
    },
    sql::{
        fault::{Fault, defect},
        types::count as counted,
    },
};
use domain::{ClaimId, CollectionId, Confidence, DocumentId, EntityId, MergeId, RelationshipId, ReviewId, Timestamp, UserId};
use engine::archive::{
    ArchiveRecord, PageSize, RecordKind,
    graph::{
        self, ClaimRecord, CollectionRecord, DocumentRecord, EntityRecord, FactRecord, MergeRecord, RelationshipRecord,
        RelationshipView, ReviewRecord, ReviewViewRecord, VectorRecord, VectorTarget,
    },
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sqlx::{AssertSqlSafe, SqliteConnection};
use uuid::Uuid;

/// Estimated size of a claim, fact or relationship without its references, for choosing the size of a page.
const LINE_BYTES: usize = 4 * 1024;

pub(super) async fn count(conn: &mut SqliteConnection, kind: RecordKind) -> Result<u64, Fault> {
    if kind == graph::VECTORS {
        let mut sum = 0;
        for model in models(conn).await? {
            let rows: i64 = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {}", model.rows())))
                .bind(0_i64)
                .fetch_one(&mut *conn)
                .await?;
            sum += counted::<u64>(rows)?;
        }
        return Ok(sum);
    }
    let sql = format!("select count(*) from {}", table(kind)?);
    counted(sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(conn).await?)
}

fn table(kind: RecordKind) -> Result<&'static str, Fault> {
    Ok(match kind {
        graph::COLLECTIONS => "graph_collections",
        graph::DOCUMENTS => "graph_documents",
        graph::ENTITIES => "entities",
        graph::CLAIMS => "claims",
        graph::FACTS => "entity_facts",
        graph::RELATIONSHIPS => "relationships",
        graph::MERGES => "merges",
        graph::REVIEWS => "reviews",
        other => return Err(unknown(other)),
    })
}

pub(super) async fn page(
    conn: &mut SqliteConnection,
    kind: RecordKind,
    after: Option<&str>,
    size: PageSize,
) -> Result<Vec<ArchiveRecord>, Fault> {
    match kind {
        graph::MERGES => return merges(conn, after, size).await,
        graph::VECTORS => return vectors(conn, after, size).await,
        _ => {}
    }
    let after: i64 = after.map_or(Ok(0), str::parse).map_err(|_| defect("place", after.unwrap_or_default()))?;
    let at_once = i64::try_from((size.bytes / LINE_BYTES).max(1)).unwrap_or(i64::MAX).min(i64::from(size.records));
    let window = (after, at_once);
    match kind {
        graph::COLLECTIONS => collections(conn, window).await,
        graph::DOCUMENTS => documents(conn, window).await,
        graph::ENTITIES => entities(conn, window).await,
        graph::CLAIMS => claims(conn, window).await,
        graph::FACTS => facts(conn, window).await,
        graph::RELATIONSHIPS => relationships(conn, window).await,
        graph::REVIEWS => reviews(conn, window).await,
        other => Err(unknown(other)),
    }
}

/// The row to start after, and the number of rows.
type Window = (i64, i64);

fn record(place: impl ToString, record: &impl Serialize) -> Result<ArchiveRecord, Fault> {
    Ok(ArchiveRecord { place: place.to_string(), line: graph::line(record)?, blob: None })
}

/// Parses a JSON list that SQL built.
fn list<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, Fault> {
    serde_json::from_str(text).map_err(|_| defect("list", text))
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

async fn collections(conn: &mut SqliteConnection, (after, limit): Window) -> Result<Vec<ArchiveRecord>, Fault> {
    let sql = "select n, id, removed from graph_collections where n > $1 order by n limit $2";
    let rows: Vec<(i64, Uuid, bool)> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(conn).await?;
    rows.into_iter().map(|(n, id, removed)| record(n, &CollectionRecord { id: CollectionId(id), removed })).collect()
}

async fn documents(conn: &mut SqliteConnection, (after, limit): Window) -> Result<Vec<ArchiveRecord>, Fault> {
    let sql = "select d.n, d.id, k.id, d.document_order from graph_documents d join graph_collections k on k.n = d.collection
        where d.n > $1 order by d.n limit $2";
    let rows: Vec<(i64, Uuid, Uuid, String)> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(conn).await?;
    let line = |(n, id, collection, order): (i64, Uuid, Uuid, String)| {
        record(n, &DocumentRecord { id: DocumentId(id), collection: CollectionId(collection), order })
    };
    rows.into_iter().map(line).collect()
}

async fn entities(conn: &mut SqliteConnection, (after, limit): Window) -> Result<Vec<ArchiveRecord>, Fault> {
    let sql = "select n, id from entities where n > $1 order by n limit $2";
    let rows: Vec<(i64, Uuid)> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(conn).await?;
    rows.into_iter().map(|(n, id)| record(n, &EntityRecord { id: EntityId(id) })).collect()
}

async fn claims(conn: &mut SqliteConnection, (after, limit): Window) -> Result<Vec<ArchiveRecord>, Fault> {
    let sql = format!(
        "{} from claims c join graph_documents d on d.n = c.document join graph_collections k on k.n = c.collection
        where c.n > $1 order by c.n limit $2",
        claim_rows::select("n")
    );
    let rows: Vec<StoredClaim> = sqlx::query_as(AssertSqlSafe(sql)).bind(after).bind(limit).fetch_all(conn).await?;
    rows.into_iter().map(|row| record(row.n, &ClaimRecord::from(row.claim()?))).collect()
}

async fn facts(conn: &mut SqliteConnection, (after, limit): Window) -> Result<Vec<ArchiveRecord>, Fault> {
    let sql = "select f.n, e.id, f.facet, f.key, f.value, k.id, f.at,
            (select json_group_array(hex(c.id)) from fact_claims x join claims c on c.n = x.claim where x.fact = f.n)
        from entity_facts f join entities e on e.n = f.entity join graph_collections k on k.n = f.collection
        where f.n > $1 order by f.n limit $2";
    type Row = (i64, Uuid, String, String, String, Uuid, i64, String);
    let rows: Vec<Row> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(conn).await?;
    let line = |(n, entity, facet, key, value, collection, at, claims): Row| {
        let fact = FactRecord {
            entity: EntityId(entity),
            facet: from_text(&facet)?,
            key,
            value,
            collection: CollectionId(collection),
            at: Timestamp::from_micros(at),
            claims: sorted(list(&claims)?),
        };
        record(n, &fact)
    };
    rows.into_iter().map(line).collect()
}

async fn relationships(conn: &mut SqliteConnection, (after, limit): Window) -> Result<Vec<ArchiveRecord>, Fault> {
    let sql = "select r.n, r.id, a.id, b.id, r.description,
            (select json_group_array(json_object('collection', hex(k.id), 'weight', v.weight, 'confidence', v.confidence,
                    'bidirectional', v.bidirectional, 'timestamp', v.timestamp, 'since', v.since, 'until', v.until))
                from relationship_views v join graph_collections k on k.n = v.collection where v.relationship = r.n),
            (select json_group_array(hex(c.id)) from relationship_claims x join claims c on c.n = x.claim
                where x.relationship = r.n)
        from relationships r join entities a on a.n = r.source join entities b on b.n = r.target
        where r.n > $1 order by r.n limit $2";
    type Row = (i64, Uuid, Uuid, Uuid, String, String, String);
    let rows: Vec<Row> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(conn).await?;
    let line = |(n, id, source, target, description, views, claims): Row| {
        let mut views: Vec<RelationshipView> = list::<ViewRow>(&views)?.into_iter().map(view).collect::<Result<_, Fault>>()?;
        views.sort_by_key(|view| view.collection);
        let relationship = RelationshipRecord {
            id: RelationshipId(id),
            source: EntityId(source),
            target: EntityId(target),
            description,
            views,
            claims: sorted(list(&claims)?),
        };
        record(n, &relationship)
    };
    rows.into_iter().map(line).collect()
}

#[derive(Deserialize)]
struct ViewRow {
    collection: CollectionId,
    weight: Option<f64>,
    confidence: Option<f64>,
    bidirectional: i64,
    timestamp: Option<i64>,
    since: Option<String>,
    until: Option<String>,
}

fn view(row: ViewRow) -> Result<RelationshipView, Fault> {
    let confidence =
        row.confidence.map(Confidence::try_from).transpose().map_err(|_| defect("confidence", "a number beyond 0 to 1"))?;
    Ok(RelationshipView {
        collection: row.collection,
        weight: row.weight,
        confidence,
        bidirectional: row.bidirectional != 0,
        timestamp: row.timestamp.map(Timestamp::from_micros),
        since: partial_date(row.since.as_deref())?,
        until: partial_date(row.until.as_deref())?,
    })
}

async fn merges(conn: &mut SqliteConnection, after: Option<&str>, size: PageSize) -> Result<Vec<ArchiveRecord>, Fault> {
    let sql = "select m.id, s.id, e.id, m.decided_by, m.at, m.undone from merges m
        join entities s on s.n = m.survivor join entities e on e.n = m.merged
        where $1 is null or m.id > unhex($1) order by m.id limit $2";
    type Row = (Uuid, Uuid, Uuid, Option<Uuid>, i64, bool);
    let rows: Vec<Row> = sqlx::query_as(sql).bind(after).bind(size.records).fetch_all(conn).await?;
    let line = |(id, survivor, merged, by, at, undone): Row| {
        let merge = MergeRecord {
            id: MergeId(id),
            survivor: EntityId(survivor),
            merged: EntityId(merged),
            by: by.map(UserId),
            at: Timestamp::from_micros(at),
            undone,
        };
        record(id.simple(), &merge)
    };
    rows.into_iter().map(line).collect()
}

/// A view of a review; hex of null is the empty text.
#[derive(Deserialize)]
struct ReviewViewRow(Uuid, Uuid, f64, String, String, i64, bool, Option<i64>, String, Option<i64>);

impl ReviewViewRow {
    fn record(self) -> ReviewViewRecord {
        let Self(left, right, score, why, document, created_at, closed, postponed_at, decided_by, decided_at) = self;
        ReviewViewRecord {
            left: CollectionId(left),
            right: CollectionId(right),
            score,
            why,
            document: document.parse().ok().map(DocumentId),
            created_at: Timestamp::from_micros(created_at),
            closed,
            postponed_at: postponed_at.map(Timestamp::from_micros),
            decided_by: decided_by.parse().ok().map(UserId),
            decided_at: decided_at.map(Timestamp::from_micros),
        }
    }
}

async fn reviews(conn: &mut SqliteConnection, (after, limit): Window) -> Result<Vec<ArchiveRecord>, Fault> {
    let sql = "select v.n, v.id, a.id, b.id, (
            select json_group_array(json_array(hex(l.id), hex(r.id), s.score, s.why, hex(d.id), s.created_at, json(
                case s.closed when 1 then 'true' else 'false' end), s.postponed_at, hex(s.decided_by), s.decided_at))
            from review_views s join graph_collections l on l.n = s.left_collection
            join graph_collections r on r.n = s.right_collection left join graph_documents d on d.n = s.document
            where s.review = v.n)
        from reviews v join entities a on a.n = v.left_entity join entities b on b.n = v.right_entity
        where v.n > $1 order by v.n limit $2";
    let rows: Vec<(i64, Uuid, Uuid, Uuid, String)> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(conn).await?;
    let line = |(n, id, left, right, views): (i64, Uuid, Uuid, Uuid, String)| {
        let mut views: Vec<ReviewViewRecord> = list::<ReviewViewRow>(&views)?.into_iter().map(ReviewViewRow::record).collect();
        views.sort_by_key(|view| (view.left, view.right));
        record(n, &ReviewRecord { id: ReviewId(id), left: EntityId(left), right: EntityId(right), views })
    };
    rows.into_iter().map(line).collect()
}

/// The vectors of one model and kind of text.
struct Model {
    slot: i64,
    name: String,
    kind: String,
}

impl Model {
    /// Returns the query for the rows after `$1`, joined with their texts.
    fn rows(&self) -> String {
        let table = vectors::table(self.slot);
        let texts = match self.kind.as_str() {
            "claim" => "claims t on t.n = x.n",
            "relationship" => "relationships t on t.n = x.n",
            _ => "entity_views v on v.n = x.n join entities t on t.n = v.entity join graph_collections k on k.n = v.collection",
        };
        format!("from {table} x join {texts} where x.n > $1")
    }

    fn target(&self, id: Uuid, collection: Option<Uuid>) -> VectorTarget {
        match (self.kind.as_str(), collection) {
            ("relationship", _) => VectorTarget::Relationship(RelationshipId(id)),
            (_, Some(collection)) => VectorTarget::Entity(EntityId(id), CollectionId(collection)),
            _ => VectorTarget::Claim(ClaimId(id)),
        }
    }
}

async fn models(conn: &mut SqliteConnection) -> Result<Vec<Model>, Fault> {
    let sql = "select slot, model, kind from vector_models order by slot";
    let rows: Vec<(i64, String, String)> = sqlx::query_as(sql).fetch_all(conn).await?;
    Ok(rows.into_iter().map(|(slot, name, kind)| Model { slot, name, kind }).collect())
}

/// Reads a page of vectors; its cursor is `slot row`.
async fn vectors(conn: &mut SqliteConnection, after: Option<&str>, size: PageSize) -> Result<Vec<ArchiveRecord>, Fault> {
    let place = |text: &str| text.split_once(' ').and_then(|(slot, n)| Some((slot.parse().ok()?, n.parse().ok()?)));
    let (slot, row): (i64, i64) = match after {
        None => (0, 0),
        Some(text) => place(text).ok_or_else(|| defect("place", text))?,
    };
    for model in models(conn).await?.into_iter().filter(|model| model.slot >= slot) {
        let collection = if model.kind == "entity" { "k.id" } else { "null" };
        let sql = format!("select x.n, t.id, {collection}, x.vector {} order by x.n limit $2", model.rows());
        type Row = (i64, Uuid, Option<Uuid>, Vec<u8>);
        let rows: Vec<Row> = sqlx::query_as(AssertSqlSafe(sql))
            .bind(if model.slot == slot { row } else { 0 })
            .bind(size.records)
            .fetch_all(&mut *conn)
            .await?;
        if rows.is_empty() {
            continue;
        }
        let line = |(n, id, collection, vector): Row| {
            let numbers: Vec<f32> = vector.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
            let vector = VectorRecord::new(model.name.clone(), model.target(id, collection), &numbers);
            record(format!("{} {n}", model.slot), &vector)
        };
        return rows.into_iter().map(line).collect();
    }
    Ok(vec![])
}
