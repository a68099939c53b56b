//! Reads and changes of the scout, the curiosity and the corroboration.

use super::{
    TensionRow, TensionStore, bounded, columns,
    cycle::add_figure,
    evidence::UnsearchedDocument,
    heat_state::COUNT_CHANGE,
    percent,
    responses::{event_is_over, visible_response},
    scope_list,
    vectors::floats,
    visible,
};
use crate::{
    cycle::order::{CycleOrderId, Stage},
    response::{EventLimits, ResponseId, ResponseKind},
    tension::{Tension, TensionId},
};
use adapters::sql::{
    execute,
    fault::Fault,
    read, rows,
    types::{Moment, word},
    values, write,
};
use domain::{CollectionId, DocumentId, Scope, Timestamp};
use engine::StoreResult;
use uuid::Uuid;

/// A response that duplicates are compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownResponse {
    pub id: ResponseId,
    pub kind: ResponseKind,
    pub title: String,
    pub url: String,
    /// None where the model has not embedded it.
    pub vector: Option<Vec<f32>>,
}

/// Active tensions of confidence `$2` that were not scouted since `$3`, those with fewest responses first. Events that are over by `$5` and
/// `$6` do not count.
const TARGETS: &str = concat!(
    "select ",
    columns!(),
    " from tensions t
      where t.state = 'active' and t.confidence >= $2
        and (t.response_scouted_at is null or t.response_scouted_at < $3) and ",
    visible!(),
    " order by (select count(*) from responds_to l join responses p on p.id = l.response_id where l.tension_id = t.id and not ",
    event_is_over!("$5", "$6"),
    "), t.cause_heat desc, t.confidence desc, t.id limit $4"
);
/// Active tensions with heat whose evidence or responses changed since their story was written, the hottest first.
const UNTOLD: &str = concat!(
    "select ",
    columns!(),
    " from tensions t
      where t.state = 'active' and t.cause_heat > 0 and ",
    visible!(),
    " and not exists (select 1 from story_sentences y where y.tension_id = t.id and y.written_at >= t.changed_at
                         and not exists (select 1 from responds_to l where l.tension_id = t.id and l.first_seen > y.written_at))
      order by t.cause_heat desc, t.id limit $2"
);
const KNOWN: &str = concat!(
    "select p.id, p.kind, p.title, p.url, (select v.vector from response_vectors v where v.response_id = p.id and v.model = $2)
       from responses p where ",
    visible_response!(),
    " order by p.created_at desc, p.id",
    bounded!()
);
const ACTIVE_VECTORS: &str = concat!(
    "select t.id, v.vector from tensions t join tension_vectors v on v.tension_id = t.id
      where t.state = 'active' and v.model = $2 and ",
    visible!(),
    " order by t.id desc",
    bounded!()
);
/// Documents whose claims were searched and explain no tension, the newest extraction first.
const UNEXPLAINED: &str = "
    select x.document_id, d.collection_id, d.text_sha256
      from extractions x join documents d on d.id = x.document_id join strain_searches s on s.document_id = x.document_id
     where d.collection_id in (select unhex(value) from json_each($1))
       and not exists (select 1 from tension_evidence e where e.document_id = d.id)
       and not exists (select 1 from situation_claims k where k.document_id = d.id)
     order by x.at desc, x.document_id limit $2";
const FUTURE_QUERIES: &str = "
    select query from future_queries
     where tension_id = $2 and collection_id in (select unhex(value) from json_each($1)) order by query";
const CORROBORATE: &str = "
    update tensions set confidence = $2
     where state = 'active' and origin = 'scout' and confidence < $2
       and collection_id in (select unhex(value) from json_each($1))
       and (select count(distinct e.origin) from tension_evidence e join documents d on d.id = e.document_id
             where e.tension_id = tensions.id and d.collection_id = tensions.collection_id and not e.is_against)
           >= $3 + coalesce((select max(f.origins) from spawned_from f where f.tension_id = tensions.id), 0)";

type KnownRow = (Uuid, String, String, String, Option<Vec<u8>>);

impl TensionStore {
    /// Returns tensions to scout: active, of a confidence, not scouted since a time, the most neglected first.
    pub async fn targets(
        &self,
        scope: &Scope,
        confidence: f64,
        before: Timestamp,
        limits: EventLimits,
        limit: u32,
    ) -> StoreResult<Vec<Tension>> {
        read!(self.0, conn => {
            let rows: Vec<TensionRow> = rows!(conn.fetch_all, TARGETS; scope_list(scope), percent(confidence), Moment(before),
                i64::from(limit), Moment(limits.ended), Moment(limits.seen));
            rows.into_iter().map(TensionRow::tension).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns hot tensions without a story of their present evidence and responses.
    pub async fn untold(&self, scope: &Scope, limit: u32) -> StoreResult<Vec<Tension>> {
        read!(self.0, conn => {
            let rows: Vec<TensionRow> = rows!(conn.fetch_all, UNTOLD; scope_list(scope), i64::from(limit));
            rows.into_iter().map(TensionRow::tension).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the visible responses with their vectors of a model, the newest first.
    pub async fn known_responses(&self, scope: &Scope, model: &str) -> StoreResult<Vec<KnownResponse>> {
        read!(self.0, conn => {
            let rows: Vec<KnownRow> = rows!(conn.fetch_all, KNOWN; scope_list(scope), model);
            let known = |(id, kind, title, url, bytes): KnownRow| {
                let kind = word("kind of a response", &kind, ResponseKind::parse)?;
                let vector = bytes.map(|bytes| floats(&bytes));
                Ok::<_, Fault>(KnownResponse { id: ResponseId(id), kind, title, url, vector })
            };
            rows.into_iter().map(known).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the vectors of the visible active tensions.
    pub async fn active_vectors(&self, scope: &Scope, model: &str) -> StoreResult<Vec<(TensionId, Vec<f32>)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Vec<u8>)> = rows!(conn.fetch_all, ACTIVE_VECTORS; scope_list(scope), model);
            rows.into_iter().map(|(id, bytes)| (TensionId(id), floats(&bytes))).collect()
        })
    }

    /// Returns the queries that the last scoutings of a tension left, as far as their reader sees what the sessions read.
    pub async fn future_queries(&self, scope: &Scope, tension: TensionId) -> StoreResult<Vec<String>> {
        read!(self.0, conn => values!(conn.fetch_all, FUTURE_QUERIES; scope_list(scope), tension.0))
    }

    /// Returns searched documents whose claims explain no tension and were in no situation.
    pub async fn unexplained(&self, scope: &Scope, limit: u32) -> StoreResult<Vec<UnsearchedDocument>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Uuid, String)> = rows!(conn.fetch_all, UNEXPLAINED; scope_list(scope), i64::from(limit));
            let document = |(id, collection, text_sha256): (Uuid, Uuid, String)| UnsearchedDocument {
                id: DocumentId(id),
                collection: CollectionId(collection),
                is_sample: false,
                text_sha256,
                newest: None,
            };
            rows.into_iter().map(document).collect()
        })
    }

    /// Raises the confidence of tensions of scouts that have further independent origins; returns their number, which is added to the
    /// figures of the order.
    pub async fn corroborate(&self, order: CycleOrderId, scope: &Scope, confidence: f64, origins: u32) -> StoreResult<u64> {
        write!(self.0, conn => {
            let raised = execute!(conn, CORROBORATE; scope_list(scope), percent(confidence), i64::from(origins))
                .rows_affected();
            add_figure!(conn, order, Stage::Corroboration, "corroborated", raised);
            if raised > 0 {
                execute!(conn, COUNT_CHANGE);
            }
            raised
        })
    }
}
