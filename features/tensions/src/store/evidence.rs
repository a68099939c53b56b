//! The search for stated strain: documents whose claims are not searched yet, and what was found in them.

use super::{TensionStore, heat_state::COUNT_CHANGE, scope_list};
use crate::{
    response::{RespondsTo, Response, ResponseId},
    tension::{Evidence, Tension, TensionId},
};
use adapters::sql::{
    execute, read, rows,
    types::{Moment, id_list, text_list},
    values, write,
};
use domain::{CollectionId, DocumentId, Scope, Timestamp};
use engine::{StoreError, StoreResult};
use uuid::Uuid;

/// Rows per statement, well under either database's limit of bound values.
pub(super) const ROWS: usize = 500;

/// An extracted document whose claims are not searched yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsearchedDocument {
    pub id: DocumentId,
    pub collection: CollectionId,
    /// Whether it belongs to the sample.
    pub is_sample: bool,
    pub text_sha256: String,
    /// Newest publication in its collection.
    pub newest: Option<Timestamp>,
}

/// A tension with a subject that statements were grouped by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSubject {
    pub subject: String,
    pub tension: TensionId,
    pub first_day: i64,
    pub last_day: i64,
}

/// Result of searching some documents, stored as one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StrainBatch {
    pub documents: Vec<DocumentId>,
    pub tensions: Vec<Tension>,
    pub subjects: Vec<(TensionId, String)>,
    pub evidence: Vec<(TensionId, Evidence)>,
    pub origins: Vec<OriginTexts>,
    /// New responses, with their vectors of `model`.
    pub responses: Vec<(Response, Option<Vec<f32>>)>,
    /// Links of new and known responses.
    pub links: Vec<(ResponseId, RespondsTo)>,
    pub model: String,
}

impl StrainBatch {
    /// Returns whether lists of tensions show something of it.
    pub(super) const fn is_shown(&self) -> bool {
        !(self.tensions.is_empty() && self.evidence.is_empty() && self.links.is_empty())
    }
}

/// Texts of one origin in some collections, by their hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginTexts {
    pub origin: String,
    pub texts: Vec<String>,
    pub scope: Scope,
}

#[derive(sqlx::FromRow)]
struct UnsearchedRow {
    document_id: Uuid,
    collection_id: Uuid,
    kind: String,
    text_sha256: String,
    newest: Option<Moment>,
}

const UNSEARCHED: &str = "
    select x.document_id, d.collection_id, c.kind, d.text_sha256,
           (select max(y.published_value) from documents y where y.collection_id = d.collection_id) as newest
      from extractions x join documents d on d.id = x.document_id join collections c on c.id = d.collection_id
     where not exists (select 1 from strain_searches s where s.document_id = x.document_id and s.searched_at >= x.at)
     order by x.at, x.document_id limit $1";
const KNOWN: &str = "
    select s.subject, t.id, t.first_day, t.last_day
      from tension_subjects s join tensions t on t.id = s.tension_id
     where t.state = 'active'
       and t.collection_id in (select unhex(value) from json_each($1)) and s.subject in (select value from json_each($2))
     order by t.created_at, t.id, s.subject";
const DISMISSED: &str = "
    select distinct s.subject, d.text_sha256
      from tension_subjects s join tensions t on t.id = s.tension_id
           join tension_evidence e on e.tension_id = t.id join documents d on d.id = e.document_id
     where t.state = 'dismissed'
       and t.collection_id in (select unhex(value) from json_each($1))
       and d.collection_id in (select unhex(value) from json_each($1))
       and s.subject in (select value from json_each($2))";
/// Marks documents as searched; another search of them marks none, unless they were read again after it.
const SEARCHED: &str = "
    insert into strain_searches (document_id, searched_at)
    select d.id, $2 from documents d where d.id in (select unhex(value) from json_each($1))
    on conflict (document_id) do update set searched_at = excluded.searched_at
     where strain_searches.searched_at < (select x.at from extractions x where x.document_id = excluded.document_id)";
/// Gives the evidence from the texts `$2` in the scope `$3` one origin.
const ORIGIN: &str = "
    update tension_evidence set origin = $1
     where origin <> $1
       and document_id in (select d.id from documents d
                            where d.text_sha256 in (select value from json_each($2))
                              and d.collection_id in (select unhex(value) from json_each($3)))
    returning tension_id";
pub(super) const ADD: &str = "
    insert into tensions (id, collection_id, origin, theme, kind, title, statement, region, severity, confidence,
                          state, reason, cause_heat, first_day, last_day, changed_at, created_at, search_text)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'active', '', 0, $11, $12, $13, $14, $15)";

/// Stores the tensions, subjects, evidence and responses of a batch in the transaction of a connection. What is derived from evidence is
/// derived again for its tensions, and for `$others`.
macro_rules! insert_strain {
    ($conn:ident, $batch:expr, $others:expr, $now:expr) => {
        for tension in &$batch.tensions {
            adapters::sql::execute!($conn, $crate::store::evidence::ADD; tension.id.0, tension.collection.0, tension.origin.as_str(),
                &tension.theme, &tension.kind, &tension.title, &tension.statement, &tension.region.code,
                tension.severity.number(), $crate::store::percent(tension.confidence), tension.first_day, tension.last_day,
                adapters::sql::types::Moment($now), adapters::sql::types::Moment(tension.created_at),
                $crate::store::search_text(&tension.title, &tension.statement));
        }
        for rows in $batch.subjects.chunks($crate::store::evidence::ROWS) {
            let mut insert = sqlx::QueryBuilder::new("insert into tension_subjects (tension_id, subject) ");
            insert.push_values(rows, |mut row, (tension, subject)| {
                row.push_bind(tension.0).push_bind(subject);
            });
            insert.push(" on conflict do nothing");
            insert.build().persistent(false).execute(&mut *$conn).await?;
        }
        for rows in $batch.evidence.chunks($crate::store::evidence::ROWS) {
            let mut insert = sqlx::QueryBuilder::new(
                "insert into tension_evidence (tension_id, claim_id, document_id, origin, is_against, severity, day, is_undated) ",
            );
            insert.push_values(rows, |mut row, (tension, one)| {
                row.push_bind(tension.0)
                    .push_bind(one.claim.0)
                    .push_bind(one.document.0)
                    .push_bind(&one.origin)
                    .push_bind(one.is_against)
                    .push_bind(one.severity.number())
                    .push_bind(one.day.day)
                    .push_bind(one.day.is_undated);
            });
            insert.push(" on conflict do nothing");
            insert.build().persistent(false).execute(&mut *$conn).await?;
        }
        adapters::sql::execute!($conn, $crate::store::REFRESH;
            adapters::sql::types::id_list($batch.evidence.iter().map(|(tension, _)| tension.0).chain($others)),
            adapters::sql::types::Moment($now));
        for (response, vector) in &$batch.responses {
            $crate::store::responses::insert_response!($conn, response);
            if let Some(vector) = vector {
                adapters::sql::execute!($conn, <$crate::response::ResponseId as $crate::store::vectors::VectorId>::PUT; response.id.0,
                    &$batch.model, $crate::store::vectors::bytes(vector));
            }
        }
        for (response, link) in &$batch.links {
            $crate::store::responses::insert_link!($conn, $crate::store::tasks::LINK, response, link);
        }
    };
}
pub(super) use insert_strain;

impl TensionStore {
    /// Returns extracted documents whose claims are not searched yet, the earliest extraction first.
    pub async fn unsearched(&self, limit: u32) -> StoreResult<Vec<UnsearchedDocument>> {
        read!(self.0, conn => {
            let rows: Vec<UnsearchedRow> = rows!(conn.fetch_all, UNSEARCHED; i64::from(limit));
            let document = |row: UnsearchedRow| UnsearchedDocument {
                id: DocumentId(row.document_id),
                collection: CollectionId(row.collection_id),
                is_sample: row.kind == "sample",
                text_sha256: row.text_sha256,
                newest: row.newest.map(|at| at.0),
            };
            rows.into_iter().map(document).collect()
        })
    }

    /// Returns the tensions of a scope that have one of the subjects, the oldest first.
    pub async fn known_subjects(&self, scope: &Scope, subjects: &[String]) -> StoreResult<Vec<KnownSubject>> {
        read!(self.0, conn => {
            let rows: Vec<(String, Uuid, i64, i64)> = rows!(conn.fetch_all, KNOWN; scope_list(scope),
                text_list(subjects.iter().map(String::as_str)));
            let known = |(subject, id, first_day, last_day): (String, Uuid, i64, i64)| KnownSubject {
                subject,
                tension: TensionId(id),
                first_day,
                last_day,
            };
            rows.into_iter().map(known).collect()
        })
    }

    /// Returns the texts on which dismissed tensions of a scope rest that have one of the subjects, with the subject.
    pub async fn dismissed_texts(&self, scope: &Scope, subjects: &[String]) -> StoreResult<Vec<(String, String)>> {
        read!(self.0, conn => {
            rows!(conn.fetch_all, DISMISSED; scope_list(scope), text_list(subjects.iter().map(String::as_str)))
        })
    }

    /// Stores what a search found. `Stale` where another process searched one of the documents meanwhile.
    pub async fn record(&self, batch: &StrainBatch, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            let searched = execute!(conn, SEARCHED; id_list(batch.documents.iter().map(|id| id.0)), Moment(now));
            if searched.rows_affected() < batch.documents.len() as u64 {
                return Err(StoreError::Stale("another process searched these documents").into());
            }
            let mut joined: Vec<Uuid> = vec![];
            for one in &batch.origins {
                let changed: Vec<Uuid> = values!(conn.fetch_all, ORIGIN; &one.origin,
                    text_list(one.texts.iter().map(String::as_str)), scope_list(&one.scope));
                joined.extend(changed);
            }
            let is_shown = batch.is_shown() || !joined.is_empty();
            insert_strain!(conn, batch, joined, now);
            if is_shown {
                execute!(conn, COUNT_CHANGE);
            }
        })
    }
}
