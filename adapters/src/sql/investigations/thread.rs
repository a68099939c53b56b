//! Statements on threads: questions that continue one another.

use crate::sql::{
    Store,
    fault::Fault,
    teams::includes,
    types::{Moment, id_list, word},
};
use domain::{
    AssessmentId, InvestigationId, Scope, UserId,
    investigation::{FollowKind, Status},
};
use engine::{StoreResult, investigations::ThreadEntry};
use std::collections::BTreeMap;
use uuid::Uuid;

pub(super) const FOLLOW: &str = "insert into investigation_threads (investigation_id, follows_id, kind) values ($1, $2, $3)
     on conflict (investigation_id) do nothing";

/// Selects for each of `$1` the questions that lead to it, and all that continue one of these.
const THREADS: &str = concat!(
    "with recursive above(thread_of, id) as (
        select id, id from investigations where id in (select unhex(value) from json_each($1))
        union select a.thread_of, t.follows_id from investigation_threads t join above a on t.investigation_id = a.id),
     those(thread_of, id) as (
        select thread_of, id from above
        union select x.thread_of, t.investigation_id from investigation_threads t join those x on t.follows_id = x.id)
     select r.* from (
     select x.thread_of, i.id, i.question, i.status, i.created_at, t.follows_id, t.kind,
        (select a.id from assessments a where a.investigation_id = i.id order by a.is_partial limit 1) as assessment_id,
        row_number() over (partition by x.thread_of order by i.created_at, i.id) as place
     from those x join investigations i on i.id = x.id left join investigation_threads t on t.investigation_id = i.id
     where i.owner = $2 or (i.collection_id in (select unhex(value) from json_each($3))
        and not exists (select 1 from investigation_scopes s where s.investigation_id = i.id
            and s.collection_id not in (select unhex(value) from json_each($3))))
        or ",
    includes!("$2"),
    ") r where r.place <= $4 order by r.place"
);

/// Condition for assessments `a` of the newest version that an owner has of a question: the versions of the same owner that follow it
/// directly have no complete assessment. SQLite reads the tables of a `cross join` in their order.
#[macro_export]
macro_rules! newest_version {
    ($owner:literal) => {
        concat!(
            "not exists (select 1 from investigation_threads t cross join investigations v cross join assessments l
                          where t.follows_id = a.investigation_id and t.kind = 'rerun' and v.id = t.investigation_id
                            and v.owner = ",
            $owner,
            " and l.investigation_id = v.id and not l.is_partial)"
        )
    };
}

#[derive(sqlx::FromRow)]
struct ThreadRow {
    thread_of: Uuid,
    id: Uuid,
    question: String,
    status: String,
    created_at: Moment,
    follows_id: Option<Uuid>,
    kind: Option<String>,
    assessment_id: Option<Uuid>,
}

impl ThreadRow {
    /// Returns the investigation whose thread it is of, and the question.
    fn entry(self) -> Result<(InvestigationId, ThreadEntry), Fault> {
        let kind = self.kind.map(|kind| word("kind of continuation", &kind, FollowKind::parse)).transpose()?;
        let entry = ThreadEntry {
            id: InvestigationId(self.id),
            question: self.question,
            status: word("status", &self.status, Status::parse)?,
            created_at: self.created_at.0,
            follows: self.follows_id.map(InvestigationId).zip(kind),
            assessment: self.assessment_id.map(AssessmentId),
        };
        Ok((InvestigationId(self.thread_of), entry))
    }
}

/// Returns the questions of the thread of each investigation.
pub(super) async fn threads(
    store: &Store,
    ids: &[InvestigationId],
    viewer: UserId,
    scope: &Scope,
    limit: u32,
) -> StoreResult<BTreeMap<InvestigationId, Vec<ThreadEntry>>> {
    let ids = id_list(ids.iter().map(|id| id.0));
    let scope = id_list(scope.collections().iter().map(|id| id.0));
    read!(store, conn => {
        let rows: Vec<ThreadRow> = rows!(conn.fetch_all, THREADS; &ids, viewer.0, &scope, i64::from(limit));
        let mut threads: BTreeMap<InvestigationId, Vec<ThreadEntry>> = BTreeMap::new();
        for row in rows {
            let (thread_of, entry) = row.entry()?;
            threads.entry(thread_of).or_default().push(entry);
        }
        threads
    })
}
