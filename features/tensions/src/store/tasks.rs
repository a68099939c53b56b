//! Tasks of the cycle, and their results, each stored with the end of its task in one transaction.

use super::{
    TensionStore,
    cycle::{add_figure, counts_text, read_counts},
    evidence::{StrainBatch, insert_strain},
    heat_state::COUNT_CHANGE,
    responses::insert_link,
};
use crate::{
    cycle::order::{Counts, CycleOrderId, CycleTask, CycleTaskId, Stage},
    response::{RespondsTo, ResponseId},
    story::StorySentence,
    tension::TensionId,
};
use adapters::sql::{
    execute,
    fault::Fault,
    read, rows,
    types::{Moment, count, word},
    values, write,
};
use domain::{ClaimId, CollectionId, DocumentId, Timestamp};
use engine::{StoreError, StoreResult};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Result of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskResult {
    pub task: CycleTaskId,
    pub counts: Counts,
    /// New tensions, evidence and responses.
    pub strain: StrainBatch,
    /// New tensions with the tension whose work brought them up, and the number of their origins.
    pub spawned: Vec<(TensionId, TensionId, usize)>,
    /// The tension that was scouted, with the queries for the next time.
    pub scouted: Option<(TensionId, Vec<String>)>,
    /// The new story of a tension.
    pub story: Option<(TensionId, Vec<StorySentence>)>,
}

impl TaskResult {
    /// A result that changes nothing but its task.
    pub fn new(task: CycleTaskId) -> Self {
        Self { task, counts: Counts::new(), strain: StrainBatch::default(), spawned: vec![], scouted: None, story: None }
    }
}

#[derive(sqlx::FromRow)]
struct TaskRow {
    id: Uuid,
    order_id: Uuid,
    stage: String,
    collection_id: Uuid,
    tension_id: Option<Uuid>,
    counts: String,
    ended_at: Option<Moment>,
}

impl TaskRow {
    fn task(self) -> Result<CycleTask, Fault> {
        Ok(CycleTask {
            id: CycleTaskId(self.id),
            order: CycleOrderId(self.order_id),
            stage: word("stage of the cycle", &self.stage, Stage::parse)?,
            collection: CollectionId(self.collection_id),
            tension: self.tension_id.map(TensionId),
            counts: read_counts(&self.counts)?,
            is_ended: self.ended_at.is_some(),
        })
    }
}

/// Links a response to a tension. A link that exists was seen again.
pub(super) const LINK: &str = "
    insert into responds_to (response_id, tension_id, strength, explanation, mechanism, first_seen, last_seen)
    select p.id, t.id, $3, $4, $5, $6, $7 from responses p, tensions t where p.id = $1 and t.id = $2
    on conflict (response_id, tension_id) do update set last_seen = excluded.last_seen";
const SPAWN: &str = "
    insert into spawned_from (tension_id, parent_id, spawned_at, origins)
    select t.id, p.id, $3, $4 from tensions t, tensions p where t.id = $1 and p.id = $2
    on conflict (tension_id, parent_id) do nothing";
const ADD_SENTENCE: &str = "
    insert into story_sentences (tension_id, number, part, text, source_id, document_id, written_at)
    select t.id, $2, $3, $4, $5, $6, $7 from tensions t where t.id = $1";
const ADD_QUERY: &str = "
    insert into future_queries (tension_id, query, noted_at, collection_id)
    select t.id, $2, $3, k.collection_id from tensions t, cycle_tasks k where t.id = $1 and k.id = $4
    on conflict (tension_id, query) do update set noted_at = excluded.noted_at, collection_id = excluded.collection_id";
const DROP_QUERIES: &str = "
    delete from future_queries where tension_id = $1
        and (collection_id is null or collection_id = (select collection_id from cycle_tasks where id = $2))";

impl TensionStore {
    /// Returns the tasks of a stage.
    pub async fn tasks(&self, order: CycleOrderId, stage: Stage) -> StoreResult<Vec<CycleTask>> {
        read!(self.0, conn => {
            let rows: Vec<TaskRow> = rows!(conn.fetch_all,
                "select id, order_id, stage, collection_id, tension_id, counts, ended_at from cycle_tasks
                  where order_id = $1 and stage = $2 order by id"; order.0, stage.as_str());
            rows.into_iter().map(TaskRow::task).collect::<Result<_, Fault>>()?
        })
    }

    /// Adds the tasks of a stage, with the claims that situations start from, unless the stage has tasks.
    pub async fn add_tasks(&self, tasks: &[CycleTask], claims: &[(CycleTaskId, ClaimId, DocumentId)]) -> StoreResult<()> {
        let Some(first) = tasks.first() else { return Ok(()) };
        write!(self.0, conn => {
            let known: i64 = values!(conn.fetch_one, "select count(*) from cycle_tasks where order_id = $1 and stage = $2";
                first.order.0, first.stage.as_str());
            if known > 0 {
                return Err(StoreError::Stale("another process planned this stage").into());
            }
            for task in tasks {
                execute!(conn, "insert into cycle_tasks (id, order_id, stage, collection_id, tension_id, counts, ended_at)
                     values ($1, $2, $3, $4, $5, '', null)";
                    task.id.0, task.order.0, task.stage.as_str(), task.collection.0, task.tension.map(|id| id.0));
            }
            for (task, claim, document) in claims {
                execute!(conn, "insert into situation_claims (claim_id, task_id, document_id)
                     select $1, $2, d.id from documents d where d.id = $3 on conflict (claim_id) do nothing";
                    claim.0, task.0, document.0);
            }
            if !claims.is_empty() {
                add_figure!(conn, first.order, Stage::Situations, "situations", tasks.len() as u64);
                add_figure!(conn, first.order, Stage::Situations, "claims", claims.len() as u64);
            }
        })
    }

    /// Returns the claims that a situation starts from.
    pub async fn task_claims(&self, task: CycleTaskId) -> StoreResult<Vec<ClaimId>> {
        read!(self.0, conn => {
            let ids: Vec<Uuid> = values!(conn.fetch_all,
                "select claim_id from situation_claims where task_id = $1 order by claim_id"; task.0);
            ids.into_iter().map(ClaimId).collect()
        })
    }

    /// Stores the result of a task with its end. `Stale` where the task has ended.
    pub async fn finish_task(&self, result: &TaskResult, now: Timestamp) -> StoreResult<()> {
        let strain = &result.strain;
        write!(self.0, conn => {
            let ended = execute!(conn, "update cycle_tasks set ended_at = $2, counts = $3 where id = $1 and ended_at is null";
                result.task.0, Moment(now), counts_text(&result.counts));
            if ended.rows_affected() == 0 {
                return Err(StoreError::Stale("the task has ended").into());
            }
            insert_strain!(conn, strain, [], now);
            for (child, parent, origins) in &result.spawned {
                execute!(conn, SPAWN; child.0, parent.0, Moment(now), i64::try_from(*origins).unwrap_or(i64::MAX));
            }
            if let Some((tension, queries)) = &result.scouted {
                execute!(conn, "update tensions set response_scouted_at = $2 where id = $1"; tension.0, Moment(now));
                execute!(conn, DROP_QUERIES; tension.0, result.task.0);
                for query in queries {
                    execute!(conn, ADD_QUERY; tension.0, query, Moment(now), result.task.0);
                }
            }
            if let Some((tension, sentences)) = &result.story {
                execute!(conn, "delete from story_sentences where tension_id = $1"; tension.0);
                for (number, sentence) in (0_i64..).zip(sentences) {
                    execute!(conn, ADD_SENTENCE; tension.0, number, sentence.part.as_str(), &sentence.text, sentence.source,
                        sentence.document.map(|id| id.0), Moment(now));
                }
            }
            if strain.is_shown() {
                execute!(conn, COUNT_CHANGE);
            }
        })
    }

    /// Adds links of known responses, and their number to the figures of an order.
    pub async fn add_links(&self, order: CycleOrderId, links: &[(ResponseId, RespondsTo)]) -> StoreResult<()> {
        write!(self.0, conn => {
            for (response, link) in links {
                insert_link!(conn, LINK, response, link);
            }
            add_figure!(conn, order, Stage::Mapping, "links", links.len() as u64);
            if !links.is_empty() {
                execute!(conn, COUNT_CHANGE);
            }
        })
    }

    /// Returns the number of calls of each tool in sessions of tasks since a time, without those of a recording.
    pub async fn calls_since(&self, since: Timestamp) -> StoreResult<BTreeMap<String, u64>> {
        read!(self.0, conn => {
            let rows: Vec<(String, i64)> = rows!(conn.fetch_all,
                "select k.tool, count(*) from tool_calls k join agent_sessions s on s.id = k.session_id
                  where k.called_at >= $1 and s.owner_kind = $2 and s.provider <> $3 group by k.tool";
                Moment(since), crate::agents::TASK.as_str(), adapters::replay::PROVIDER);
            rows.into_iter().map(|(tool, calls)| Ok::<_, Fault>((tool, count(calls)?))).collect::<Result<_, Fault>>()?
        })
    }

    /// Removes the sessions of tasks that are gone.
    pub async fn remove_stray_sessions(&self) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "delete from agent_sessions
                  where owner_kind = $1 and not exists (select 1 from cycle_tasks k where k.id = agent_sessions.owner_id)";
                crate::agents::TASK.as_str());
        })
    }
}
