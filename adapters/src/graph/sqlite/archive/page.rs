//! Statements of the rows of the archive.

use crate::{
    graph::{
        records::{ArchiveRow, RecordReader, VectorModel, VectorRow, row_number, unknown},
        sqlite::{claim_rows, vectors},
    },
    sql::{fault::Fault, types},
};
use async_trait::async_trait;
use engine::{
    StoreResult,
    archive::{RecordKind, graph},
    embeddings::VectorKind,
};
use sqlx::{AssertSqlSafe, Sqlite, SqliteConnection};
use uuid::Uuid;

const COLLECTIONS: &str = "
    select cast(n as text) as place, id as id, removed as removed from graph_collections where n > $1 order by n limit $2";

const DOCUMENTS: &str = "
    select cast(d.n as text) as place, d.id as id, k.id as collection, d.document_order as document_order
    from graph_documents d join graph_collections k on k.n = d.collection where d.n > $1 order by d.n limit $2";

const ENTITIES: &str = "select cast(n as text) as place, id as id from entities where n > $1 order by n limit $2";

const FACTS: &str = "
    select cast(f.n as text) as place, e.id as entity, f.facet as facet, f.key as key, f.value as value, k.id as collection,
        f.at as at,
        (select json_group_array(hex(c.id)) from fact_claims x join claims c on c.n = x.claim where x.fact = f.n) as claims
    from entity_facts f join entities e on e.n = f.entity join graph_collections k on k.n = f.collection
    where f.n > $1 order by f.n limit $2";

const RELATIONSHIPS: &str = "
    select cast(r.n as text) as place, r.id as id, a.id as source, b.id as target, r.description as description,
        (select json_group_array(json_object('collection', hex(k.id), 'weight', v.weight, 'confidence', v.confidence,
                'bidirectional', json(case v.bidirectional when 0 then 'false' else 'true' end), 'timestamp', v.timestamp,
                'since', v.since, 'until', v.until))
            from relationship_views v join graph_collections k on k.n = v.collection where v.relationship = r.n) as views,
        (select json_group_array(hex(c.id)) from relationship_claims x join claims c on c.n = x.claim
            where x.relationship = r.n) as claims
    from relationships r join entities a on a.n = r.source join entities b on b.n = r.target
    where r.n > $1 order by r.n limit $2";

/// In the order of ids.
const MERGES: &str = "
    select hex(m.id) as place, m.id as id, s.id as survivor, e.id as merged, m.decided_by as decided_by, m.at as at,
        m.undone as undone
    from merges m join entities s on s.n = m.survivor join entities e on e.n = m.merged
    where $1 is null or m.id > unhex($1) order by m.id limit $2";

const REVIEWS: &str = "
    select cast(v.n as text) as place, v.id as id, a.id as left_entity, b.id as right_entity, (
        select json_group_array(json_object('left', hex(l.id), 'right', hex(r.id), 'score', s.score, 'why', s.why,
            'document', nullif(hex(d.id), ''), 'created_at', s.created_at,
            'closed', json(case s.closed when 1 then 'true' else 'false' end), 'postponed_at', s.postponed_at,
            'decided_by', nullif(hex(s.decided_by), ''), 'decided_at', s.decided_at))
        from review_views s join graph_collections l on l.n = s.left_collection
        join graph_collections r on r.n = s.right_collection left join graph_documents d on d.n = s.document
        where s.review = v.n) as views
    from reviews v join entities a on a.n = v.left_entity join entities b on b.n = v.right_entity
    where v.n > $1 order by v.n limit $2";

fn claims() -> String {
    format!(
        "{} from claims c join graph_documents d on d.n = c.document join graph_collections k on k.n = c.collection
        where c.n > $1 order by c.n limit $2",
        claim_rows::select("n")
    )
}

/// Returns the table of a kind, and the statement of a page.
fn statements(kind: RecordKind) -> StoreResult<(&'static str, String)> {
    let (table, page) = match kind {
        graph::COLLECTIONS => ("graph_collections", COLLECTIONS),
        graph::DOCUMENTS => ("graph_documents", DOCUMENTS),
        graph::ENTITIES => ("entities", ENTITIES),
        graph::CLAIMS => return Ok(("claims", claims())),
        graph::FACTS => ("entity_facts", FACTS),
        graph::RELATIONSHIPS => ("relationships", RELATIONSHIPS),
        graph::MERGES => ("merges", MERGES),
        graph::REVIEWS => ("reviews", REVIEWS),
        other => return Err(unknown(other)),
    };
    Ok((table, page.to_owned()))
}

/// Returns the collection of a vector, and its rows after `$1`, joined with their texts.
fn vector_rows(model: &VectorModel) -> StoreResult<(&'static str, String)> {
    let (collection, texts) = match model.kind()? {
        VectorKind::Claim => ("null", "claims t on t.n = x.n"),
        VectorKind::Relationship => ("null", "relationships t on t.n = x.n"),
        VectorKind::Entity => (
            "k.id",
            "entity_views v on v.n = x.n join entities t on t.n = v.entity join graph_collections k on k.n = v.collection",
        ),
    };
    Ok((collection, format!("from {} x join {texts} where x.n > $1", vectors::table(model.slot))))
}

#[async_trait]
impl RecordReader for SqliteConnection {
    async fn count(&mut self, kind: RecordKind) -> StoreResult<u64> {
        let (table, _) = statements(kind)?;
        let sql = AssertSqlSafe(format!("select count(*) from {table}"));
        let rows: i64 = sqlx::query_scalar(sql).fetch_one(self).await.map_err(Fault::from)?;
        Ok(types::count(rows)?)
    }

    async fn rows<T: ArchiveRow>(&mut self, kind: RecordKind, after: Option<&str>, limit: u32) -> StoreResult<Vec<T>> {
        let (_, page) = statements(kind)?;
        let query = sqlx::query_as::<Sqlite, T>(AssertSqlSafe(page));
        let query = if kind == graph::MERGES { query.bind(after) } else { query.bind(row_number(after)?) };
        Ok(query.bind(limit).fetch_all(self).await.map_err(Fault::from)?)
    }

    async fn models(&mut self) -> StoreResult<Vec<VectorModel>> {
        let sql = "select slot, model, kind from vector_models order by slot";
        Ok(sqlx::query_as(sql).fetch_all(self).await.map_err(Fault::from)?)
    }

    async fn count_vectors(&mut self, model: &VectorModel) -> StoreResult<u64> {
        let sql = AssertSqlSafe(format!("select count(*) {}", vector_rows(model)?.1));
        let rows: i64 = sqlx::query_scalar(sql).bind(0_i64).fetch_one(self).await.map_err(Fault::from)?;
        Ok(types::count(rows)?)
    }

    async fn vectors(&mut self, model: &VectorModel, after: i64, limit: u32) -> StoreResult<Vec<VectorRow>> {
        type Row = (i64, Uuid, Option<Uuid>, Vec<u8>);
        let (collection, rows) = vector_rows(model)?;
        let sql = AssertSqlSafe(format!("select x.n, t.id, {collection}, x.vector {rows} order by x.n limit $2"));
        let rows: Vec<Row> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(self).await.map_err(Fault::from)?;
        let row = |(n, id, collection, vector): Row| {
            let numbers = vector.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
            VectorRow { n, id, collection, numbers }
        };
        Ok(rows.into_iter().map(row).collect())
    }
}
