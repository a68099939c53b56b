//! Assessments, stored as JSON and found by investigation, age and full text.
//!
//! Invariant: a reader must see every collection that an assessment was drawn from, and the one that its investigation writes to, or the
//! visibility of its investigation must include them. Agents read without the latter.

mod rank;
mod summaries;
mod vectors;

pub(super) use summaries::{PUT_SUMMARY, put_summary};

use super::{
    Db, Store, search,
    teams::visibility_kind,
    types::{Moment, count, id_list, text_list},
};
use async_trait::async_trait;
use domain::{
    AssessmentId, ClaimId, CollectionId, DocumentId, EntityId, InvestigationId, QueryText, Scope, annotation::Tag,
    assessment::Assessment, visibility::VisibilityKind,
};
use engine::{
    StoreResult,
    assessments::{AssessmentOrder, AssessmentPage, AssessmentQuery, Assessments, NearAssessment, StoredAssessment},
    embeddings::VectorText,
};
use rank::ranked_sqlite;
use sqlx::types::Json;
use std::collections::BTreeMap;
use summaries::PageRow;
use uuid::Uuid;

/// Condition for assessments visible to the scope `$1`.
#[macro_export]
macro_rules! visible {
    () => {
        "exists (select 1 from investigations i
                 where i.id = a.investigation_id and i.collection_id in (select unhex(value) from json_each($1)))
         and not exists (select 1 from assessment_collections c
                         where c.assessment_id = a.id and c.collection_id not in (select unhex(value) from json_each($1)))"
    };
}
pub use crate::visible;
/// Condition for assessments visible to the scope `$1`, or made visible to its reader, the parameter `$reader`.
#[macro_export]
macro_rules! readable {
    ($reader:literal) => {
        concat!(
            "(",
            $crate::visible!(),
            " or exists (select 1 from investigations i where i.id = a.investigation_id and ",
            $crate::includes!($reader),
            "))"
        )
    };
}
/// The same, with the columns of an assessment and more conditions.
macro_rules! select {
    ($reader:literal, $rest:expr) => {
        concat!(
            "select a.body, a.collections, a.entity_ids, a.is_partial, a.created_at from assessments a where ",
            readable!($reader),
            $rest
        )
    };
}

const BY_ID: &str = select!("$3", " and a.id = $2");
const BY_IDS: &str = select!("$3", " and a.id in (select unhex(value) from json_each($2)) order by a.created_at, a.id");
/// Selects an investigation's assessments, complete ones before partial ones.
const OF_INVESTIGATION: &str = select!("$3", " and a.investigation_id = $2 order by a.is_partial limit 1");
/// Selects ids, complete assessments after the partial ones that they replace.
const IDS_OF: &str = concat!(
    "select a.investigation_id, a.id from assessments a where ",
    readable!("$3"),
    " and a.investigation_id in (select unhex(value) from json_each($2)) order by a.is_partial desc"
);
/// Selects one page of summaries and the total number of matches; no assessment is read in full. `$place` is a value of a match that
/// `$order` may use.
macro_rules! page {
    ($from:expr, $matching:literal, $place:literal, $order:literal) => {
        concat!(
            "select a.matching, s.summary, s.collections, s.is_partial, s.created_at
             from (select a.id, a.created_at, count(*) over () as matching, ",
            $place,
            " as place from ",
            $from,
            " where ",
            $matching,
            " and ($5 is null or exists (select 1 from investigations o where o.id = a.investigation_id and o.owner = $5))
             and ($6 is null or $6 = exists (select 1 from archived_investigations z where z.investigation_id = a.investigation_id))
             and ($10 is null or a.created_at >= $10) and ($11 is null or a.created_at < $11)
             and (cast($12 as text) is null or exists (select 1 from assessment_summaries s
                 where s.assessment_id = a.id and s.state in (select value from json_each($12))))
             and ($13 is null or exists (select 1 from assessment_collections k where k.assessment_id = a.id and k.collection_id = $13))
             and (cast($14 as text) is null or a.id in (select unhex(value) from json_each($14)))
             and (cast($9 as text) is null or exists (select 1 from assessment_tags t where t.assessment_id = a.id and t.tag = $9))
             and (cast($8 as text) is null or $8 = (select ",
            visibility_kind!(),
            " from investigations i join collections c on c.id = i.collection_id
                 left join investigation_visibility v on v.investigation_id = coalesce(i.parent_id, i.id)
                 where i.id = a.investigation_id)) and ",
            readable!("$7"),
            " order by ",
            $order,
            " limit $3 offset $4) a left join assessment_summaries s on s.assessment_id = a.id order by ",
            $order
        )
    };
}

/// Pages in every order: newest first, oldest first, most relevant first. By time and without words, the index
/// `assessments_by_creation` answers alone: no row is read but those of the page. SQLite answers so with words, too.
macro_rules! pages {
    ($matching:literal, $by_relevance:expr) => {
        [
            page!("assessments a", $matching, "0", "a.created_at desc, a.id desc"),
            page!("assessments a", $matching, "0", "a.created_at asc, a.id asc"),
            $by_relevance,
        ]
    };
}

/// Selects all assessments, or those that contain every word of `$2`.
/// Without words, all are equally relevant: the newest come first.
const ALL: [&str; 3] =
    pages!("cast($2 as text) is null", page!("assessments a", "cast($2 as text) is null", "0", "a.created_at desc, a.id desc"));
/// The signs `+` keep SQLite from looking up each match in the table, whose rows are long.
const WORDED_SQLITE: [&str; 3] = pages!(
    "+a.row_id in (select rowid from assessments_search where assessments_search match ($2 ->> 'match'))",
    page!(
        concat!("assessments a cross join (", ranked_sqlite!(), " limit -1) s"),
        "s.row_id = +a.row_id",
        "s.rank",
        "place, a.created_at desc, a.id desc"
    )
);
const WORDED_POSTGRES: [&str; 3] = pages!(
    "a.search @@ to_tsquery('simple', $2)",
    page!(
        "assessments a",
        "a.search @@ to_tsquery('simple', $2)",
        "-ts_rank(a.search, to_tsquery('simple', $2))",
        "place, a.created_at desc, a.id desc"
    )
);
const ABOUT: &str = select!(
    "$4",
    " and exists (select 1 from json_each(cast(a.entity_ids as text)) e where e.value in (select value from json_each($2)))
     order by a.created_at desc, a.id desc limit $3"
);
const CITING: &str = select!(
    "$4",
    " and a.id in (select x.assessment_id from assessment_documents x
         where x.document_id in (select unhex(value) from json_each($2)))
     order by a.created_at desc, a.id desc limit $3"
);
/// A claim id occurs in the stored text of an assessment only where it is cited.
const CITING_CLAIMS: &str = select!(
    "$4",
    " and a.id in (select x.assessment_id from assessment_documents x
         where x.document_id in (select unhex(value) from json_each($5)))
     and exists (select 1 from json_each($2) c where cast(a.body as text) like '%' || c.value || '%')
     order by a.created_at desc, a.id desc limit $3"
);
const SEARCH_SQLITE: &str = concat!(
    "select a.body, a.collections, a.entity_ids, a.is_partial, a.created_at
     from (",
    ranked_sqlite!(),
    ") s join assessments a on a.row_id = s.row_id where ",
    visible!(),
    " order by s.rank, a.created_at desc, a.id desc limit $3"
);
const SEARCH_POSTGRES: &str = concat!(
    "select a.body, a.collections, a.entity_ids, a.is_partial, a.created_at from assessments a where ",
    visible!(),
    " and a.search @@ to_tsquery('simple', $2)
     order by ts_rank(a.search, to_tsquery('simple', $2)) desc, a.created_at desc, a.id desc limit $3"
);
const INDEX_SQLITE: &str = "insert into assessments_search (rowid, question, title, bottom_line)
     select row_id, $2, $3, $4 from assessments where id = $1";
const INDEX_POSTGRES: &str =
    "update assessments set search = to_tsvector('simple', search_fold($2 || ' ' || $3 || ' ' || $4)) where id = $1";

/// Adds question, title and bottom line of the assessment `$1` to the full-text index.
pub(super) const fn index(db: &Db) -> &'static str {
    match db {
        Db::Sqlite(_) => INDEX_SQLITE,
        Db::Postgres(_) => INDEX_POSTGRES,
    }
}

/// Removes it from the full-text index, on databases that do not do so by trigger.
pub(super) const fn forget(db: &Db) -> Option<&'static str> {
    match db {
        Db::Sqlite(_) => Some("delete from assessments_search where rowid = (select row_id from assessments where id = $1)"),
        Db::Postgres(_) => None,
    }
}

#[derive(sqlx::FromRow)]
struct AssessmentRow {
    body: Json<Assessment>,
    collections: Json<Vec<CollectionId>>,
    entity_ids: Json<Vec<EntityId>>,
    is_partial: bool,
    created_at: Moment,
}

impl AssessmentRow {
    fn stored(self) -> StoredAssessment {
        // Bodies from before they had a date of their own take the row's.
        let mut assessment = self.body.0;
        assessment.created_at.get_or_insert(self.created_at.0);
        StoredAssessment {
            assessment,
            collections: self.collections.0,
            entity_ids: self.entity_ids.0,
            is_partial: self.is_partial,
            created_at: self.created_at.0,
        }
    }
}

fn reader(scope: &Scope) -> Option<Uuid> {
    scope.reader().map(|reader| reader.0)
}

fn scope_list(scope: &Scope) -> String {
    id_list(scope.collections().iter().map(|id| id.0))
}

#[async_trait]
impl Assessments for Store {
    async fn put(&self, stored: &StoredAssessment) -> StoreResult<AssessmentId> {
        let assessment = &stored.assessment;
        let index = index(self.db());
        write!(self, conn => {
            let new: Option<Uuid> = values!(conn.fetch_optional,
                "insert into assessments (id, investigation_id, is_partial, body, collections, entity_ids, created_at)
                 values ($1, $2, $3, $4, $5, $6, $7)
                 on conflict (investigation_id, is_partial) do nothing returning id";
                assessment.id.0, assessment.investigation_id.0, stored.is_partial, Json(assessment), Json(&stored.collections),
                Json(&stored.entity_ids), Moment(stored.created_at));
            if new.is_some() {
                execute!(conn, "insert into assessment_collections (assessment_id, collection_id)
                     select distinct $1, unhex(value) from json_each($2)";
                    assessment.id.0, id_list(stored.collections.iter().map(|id| id.0)));
                execute!(conn,
                    "insert into assessment_documents (assessment_id, document_id) select $1, unhex(value) from json_each($2)";
                    assessment.id.0, id_list(assessment.cited().iter().map(|id| id.0)));
                put_summary!(assessment.id.0, assessment).execute(&mut *conn).await?;
                execute!(conn, index; assessment.id.0, &assessment.question, &assessment.body.title,
                    assessment.bottom_line_text());
            }
            let id: Uuid = values!(conn.fetch_one,
                "select id from assessments where investigation_id = $1 and is_partial = $2"; assessment.investigation_id.0,
                stored.is_partial);
            AssessmentId(id)
        })
    }

    async fn update(&self, assessment: &Assessment) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "update assessments set body = $2 where id = $1"; assessment.id.0, Json(assessment));
            put_summary!(assessment.id.0, assessment).execute(&mut *conn).await?;
        })
    }

    async fn assessment(&self, scope: &Scope, id: AssessmentId) -> StoreResult<Option<StoredAssessment>> {
        read!(self, conn => {
            let row: Option<AssessmentRow> = rows!(conn.fetch_optional, BY_ID; scope_list(scope), id.0, reader(scope));
            row.map(AssessmentRow::stored)
        })
    }

    async fn assessments(&self, scope: &Scope, ids: &[AssessmentId]) -> StoreResult<Vec<StoredAssessment>> {
        read!(self, conn => {
            let rows: Vec<AssessmentRow> = rows!(conn.fetch_all, BY_IDS; scope_list(scope), id_list(ids.iter().map(|id| id.0)),
                reader(scope));
            rows.into_iter().map(AssessmentRow::stored).collect()
        })
    }

    async fn of_investigation(&self, scope: &Scope, id: InvestigationId) -> StoreResult<Option<StoredAssessment>> {
        read!(self, conn => {
            let row: Option<AssessmentRow> = rows!(conn.fetch_optional, OF_INVESTIGATION; scope_list(scope), id.0,
                reader(scope));
            row.map(AssessmentRow::stored)
        })
    }

    async fn ids_of(
        &self,
        scope: &Scope,
        investigations: &[InvestigationId],
    ) -> StoreResult<BTreeMap<InvestigationId, AssessmentId>> {
        read!(self, conn => {
            let rows: Vec<(Uuid, Uuid)> = rows!(conn.fetch_all, IDS_OF; scope_list(scope),
                id_list(investigations.iter().map(|id| id.0)), reader(scope));
            rows.into_iter().map(|(investigation, id)| (InvestigationId(investigation), AssessmentId(id))).collect()
        })
    }

    async fn latest(&self, scope: &Scope, query: &AssessmentQuery) -> StoreResult<AssessmentPage> {
        let ([newest_first, oldest_first, relevance], words) = match (&query.text, self.db()) {
            (None, _) => (ALL, None),
            (Some(text), Db::Sqlite(_)) => (WORDED_SQLITE, Some(search::every_word_sqlite(text))),
            (Some(text), Db::Postgres(_)) => (WORDED_POSTGRES, Some(search::every_word_postgres(text))),
        };
        let statement = match query.order {
            AssessmentOrder::NewestFirst => newest_first,
            AssessmentOrder::OldestFirst => oldest_first,
            AssessmentOrder::Relevance => relevance,
        };
        // Asked for words and given none: nothing matches.
        if words == Some(None) {
            return Ok(AssessmentPage::default());
        }
        let states = query.states.as_ref().map(|states| text_list(states.iter().map(|state| state.as_str())));
        let (words, reader, scope) = (words.flatten(), reader(scope), scope_list(scope));
        read!(self, conn => {
            let mut offset = i64::try_from(query.offset).unwrap_or(i64::MAX);
            let mut limit = i64::from(query.limit);
            loop {
                let rows: Vec<PageRow> = rows!(conn.fetch_all, statement; &scope, &words, limit, offset,
                    query.owner.map(|owner| owner.0), query.archived.wants_archived(), reader,
                    query.visibility.map(VisibilityKind::as_str), query.tag.as_ref().map(Tag::as_str),
                    query.period.after().map(Moment), query.period.before().map(Moment), &states,
                    query.collection.map(|collection| collection.0),
                    query.only.as_ref().map(|ids| id_list(ids.iter().map(|id| id.0))));
                match rows.first() {
                    Some(row) => {
                        let total = count(row.matching)?;
                        let shown = rows.into_iter().take(query.limit as usize).filter_map(PageRow::stored);
                        let assessments = if offset == 0 && query.offset > 0 { vec![] } else { shown.collect() };
                        break AssessmentPage { assessments, total };
                    }
                    None if offset == 0 && limit > 0 => break AssessmentPage::default(),
                    // A page beyond the last has no total; the first page has it.
                    None => (offset, limit) = (0, 1),
                }
            }
        })
    }

    async fn search(&self, scope: &Scope, text: &QueryText, limit: u32) -> StoreResult<Vec<StoredAssessment>> {
        let (statement, words) = match self.db() {
            Db::Sqlite(_) => (SEARCH_SQLITE, search::any_word_sqlite(text)),
            Db::Postgres(_) => (SEARCH_POSTGRES, search::any_word_postgres(text)),
        };
        let Some(words) = words else { return Ok(vec![]) };
        read!(self, conn => {
            let rows: Vec<AssessmentRow> = rows!(conn.fetch_all, statement; scope_list(scope), &words, i64::from(limit));
            rows.into_iter().map(AssessmentRow::stored).collect()
        })
    }

    async fn about(&self, scope: &Scope, entities: &[EntityId], limit: u32) -> StoreResult<Vec<StoredAssessment>> {
        read!(self, conn => {
            let rows: Vec<AssessmentRow> = rows!(conn.fetch_all, ABOUT; scope_list(scope),
                serde_json::json!(entities).to_string(), i64::from(limit), reader(scope));
            rows.into_iter().map(AssessmentRow::stored).collect()
        })
    }

    async fn citing(&self, scope: &Scope, documents: &[DocumentId], limit: u32) -> StoreResult<Vec<StoredAssessment>> {
        read!(self, conn => {
            let rows: Vec<AssessmentRow> = rows!(conn.fetch_all, CITING; scope_list(scope),
                id_list(documents.iter().map(|id| id.0)), i64::from(limit), reader(scope));
            rows.into_iter().map(AssessmentRow::stored).collect()
        })
    }

    async fn count_citing(&self, documents: &[DocumentId]) -> StoreResult<u64> {
        read!(self, conn => {
            let number: i64 = values!(conn.fetch_one, "select count(distinct assessment_id) from assessment_documents
                 where document_id in (select unhex(value) from json_each($1))"; id_list(documents.iter().map(|id| id.0)));
            count(number)?
        })
    }

    async fn citing_claims(
        &self,
        scope: &Scope,
        documents: &[DocumentId],
        claims: &[ClaimId],
        limit: u32,
    ) -> StoreResult<Vec<StoredAssessment>> {
        read!(self, conn => {
            let rows: Vec<AssessmentRow> = rows!(conn.fetch_all, CITING_CLAIMS; scope_list(scope),
                serde_json::json!(claims).to_string(), i64::from(limit), reader(scope),
                id_list(documents.iter().map(|id| id.0)));
            rows.into_iter().map(AssessmentRow::stored).collect()
        })
    }

    async fn near(&self, scope: &Scope, model: &str, vector: &[f32], limit: u32) -> StoreResult<Vec<NearAssessment>> {
        self.nearest(scope, model, vector, limit).await
    }

    async fn vector_progress(&self, model: &str) -> StoreResult<(u64, u64)> {
        self.vectors_done(model).await
    }

    async fn without_vector(&self, model: &str, limit: u32) -> StoreResult<Vec<VectorText>> {
        self.vectors_missing(model, limit).await
    }

    async fn put_vectors(&self, model: &str, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()> {
        self.keep_vectors(model, vectors).await
    }

    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn,
                "delete from assessments where id in (select assessment_id from assessment_collections where collection_id = $1)
                 or investigation_id in (select id from investigations where collection_id = $1)"; collection.0);
        })
    }
}
