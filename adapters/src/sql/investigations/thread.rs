//! Statements on threads: questions that continue one another.

use crate::sql::{
    fault::Fault,
    teams::includes,
    types::{Moment, word},
};
use domain::{
    AssessmentId, InvestigationId,
    investigation::{FollowKind, Status},
};
use engine::investigations::ThreadEntry;
use uuid::Uuid;

pub(super) const FOLLOW: &str = "insert into investigation_threads (investigation_id, follows_id, kind) values ($1, $2, $3)
     on conflict (investigation_id) do nothing";

/// Selects the questions that lead to `$1`, and all that continue one of these.
pub(super) const THREAD: &str = concat!(
    "with recursive above(id) as (
        select id from investigations where id = $1
        union select t.follows_id from investigation_threads t join above a on t.investigation_id = a.id),
     those(id) as (
        select id from above
        union select t.investigation_id from investigation_threads t join those x on t.follows_id = x.id)
     select i.id, i.question, i.status, i.created_at, t.follows_id, t.kind,
        (select a.id from assessments a where a.investigation_id = i.id order by a.is_partial limit 1) as assessment_id
     from those x join investigations i on i.id = x.id left join investigation_threads t on t.investigation_id = i.id
     where i.owner = $2 or (i.collection_id in (select unhex(value) from json_each($3))
        and not exists (select 1 from investigation_scopes s where s.investigation_id = i.id
            and s.collection_id not in (select unhex(value) from json_each($3))))
        or ",
    includes!("$2"),
    " order by i.created_at, i.id limit $4"
);

#[derive(sqlx::FromRow)]
pub(super) struct ThreadRow {
    id: Uuid,
    question: String,
    status: String,
    created_at: Moment,
    follows_id: Option<Uuid>,
    kind: Option<String>,
    assessment_id: Option<Uuid>,
}

impl ThreadRow {
    pub(super) fn entry(self) -> Result<ThreadEntry, Fault> {
        let kind = self.kind.map(|kind| word("kind of continuation", &kind, FollowKind::parse)).transpose()?;
        Ok(ThreadEntry {
            id: InvestigationId(self.id),
            question: self.question,
            status: word("status", &self.status, Status::parse)?,
            created_at: self.created_at.0,
            follows: self.follows_id.map(InvestigationId).zip(kind),
            assessment: self.assessment_id.map(AssessmentId),
        })
    }
}
