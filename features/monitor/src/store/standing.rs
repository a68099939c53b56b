//! Standing questions and their runs.

use super::MonitorStore;
use crate::standing::{RunState, StandingId, StandingQuestion, StandingRun, Timing};
use adapters::sql::{
    execute,
    fault::{Fault, defect},
    read, rows,
    types::{Moment, count, id_list, word},
    write,
};
use domain::{EntityId, InvestigationId, Timestamp, UserId};
use engine::StoreResult;
use std::collections::HashMap;
use uuid::Uuid;

/// Columns of a `StandingRow`, of questions `q`.
macro_rules! standing_columns {
    () => {
        "q.id, q.user_id, q.question, q.follows_id, q.timing, q.pattern, q.time_zone, q.once_at, q.entity_id, q.budget_micros, q.paused,
         q.counted_from, q.created_at"
    };
}

const OF_PERSON: &str = concat!(
    "select ",
    standing_columns!(),
    " from standing_questions q where q.user_id = $1 order by q.created_at desc, q.id desc"
);
/// Selects questions after an id that may be due: not paused, and not asked once already.
const OPEN: &str = concat!(
    "select ",
    standing_columns!(),
    " from standing_questions q
     where not q.paused and q.id > $1
       and (q.timing <> 'once' or not exists (select 1 from standing_runs r where r.standing_id = q.id))
     order by q.id limit $2"
);
const BY_ID: &str = concat!("select ", standing_columns!(), " from standing_questions q where q.id = $1");
/// Adds a question while the person has fewer than `$14`.
const ADD: &str = "
    insert into standing_questions (id, user_id, question, follows_id, timing, pattern, time_zone, once_at, entity_id, budget_micros,
                                    paused, counted_from, created_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
     where (select count(*) from standing_questions q where q.user_id = $2) < $14";
/// Sums the cost of the runs of each of some questions since a time, with their parts.
const SPENT: &str = "
    select c.standing_id, cast(sum(m.cost_micros) as bigint)
      from (select r.standing_id, r.investigation_id from standing_runs r
             where r.standing_id in (select unhex(value) from json_each($1)) and r.state = 'started' and r.due_at >= $2
             union
            select r.standing_id, i.id from standing_runs r join investigations i on i.parent_id = r.investigation_id
             where r.standing_id in (select unhex(value) from json_each($1)) and r.state = 'started' and r.due_at >= $2) c
      join model_calls m on m.investigation_id = c.investigation_id
     where m.outcome <> 'running'
     group by c.standing_id";
const OLD_RUNS: &str = "
    delete from standing_runs
     where state <> 'due' and changed_at < $1
       and exists (select 1 from standing_runs o
                    where o.standing_id = standing_runs.standing_id and o.due_at > standing_runs.due_at
                      and (standing_runs.state <> 'started' or o.state = 'started'))";

/// Selects `RunRow`s of runs `r`.
macro_rules! runs {
    ($rest:literal) => {
        concat!(
            "select r.standing_id, r.due_at, r.investigation_id, r.state, r.note, r.changed_at, r.attempts from standing_runs r ",
            $rest
        )
    };
}

const DUE_RUNS: &str = runs!("where r.state = 'due' and r.try_at <= $1 order by r.try_at, r.standing_id, r.due_at limit $2");
const LAST_RUNS: &str = runs!(
    "where r.standing_id in (select unhex(value) from json_each($1))
       and r.due_at = (select max(o.due_at) from standing_runs o where o.standing_id = r.standing_id)"
);
const STARTED_RUNS: &str = runs!("where r.standing_id = $1 and r.state = 'started' order by r.due_at desc limit $2");
const RUNS_OF: &str = runs!(
    "join standing_questions q on q.id = r.standing_id where q.user_id = $1 and r.due_at >= $2
      order by r.due_at desc, r.standing_id limit $3"
);

#[derive(sqlx::FromRow)]
struct StandingRow {
    id: Uuid,
    user_id: Uuid,
    question: String,
    follows_id: Option<Uuid>,
    timing: String,
    pattern: String,
    time_zone: String,
    once_at: Option<Moment>,
    entity_id: Option<Uuid>,
    budget_micros: Option<i64>,
    paused: bool,
    counted_from: Moment,
    created_at: Moment,
}

impl StandingRow {
    fn question(self) -> Result<StandingQuestion, Fault> {
        let timing = match (self.timing.as_str(), self.once_at, self.entity_id) {
            ("cron", ..) => Timing::Cron { pattern: self.pattern, time_zone: self.time_zone },
            ("once", Some(at), _) => Timing::Once(at.0),
            ("names", _, Some(entity)) => Timing::Names(EntityId(entity)),
            (other, ..) => return Err(defect("timing of a standing question", other)),
        };
        Ok(StandingQuestion {
            id: StandingId(self.id),
            user: UserId(self.user_id),
            question: self.question,
            follows: self.follows_id.map(InvestigationId),
            timing,
            budget_micros: self.budget_micros.map(count).transpose()?,
            is_paused: self.paused,
            counted_from: self.counted_from.0,
            created_at: self.created_at.0,
        })
    }
}

type RunRow = (Uuid, Moment, Uuid, String, String, Moment, i64);

fn run((standing, due_at, investigation, state, note, changed_at, attempts): RunRow) -> Result<StandingRun, Fault> {
    Ok(StandingRun {
        standing: StandingId(standing),
        due_at: due_at.0,
        investigation: InvestigationId(investigation),
        state: word("state of a run", &state, RunState::parse)?,
        note,
        changed_at: changed_at.0,
        attempts: count(attempts)?,
    })
}

impl MonitorStore {
    /// Adds a standing question. Returns false when its person has `limit` already.
    pub async fn add_standing(&self, question: &StandingQuestion, limit: u32) -> StoreResult<bool> {
        let lock = self.0.lock_of_person();
        let (timing, pattern, time_zone, once_at, entity) = match &question.timing {
            Timing::Cron { pattern, time_zone } => ("cron", pattern.as_str(), time_zone.as_str(), None, None),
            Timing::Once(at) => ("once", "", "", Some(Moment(*at)), None),
            Timing::Names(entity) => ("names", "", "", None, Some(entity.0)),
        };
        write!(self.0, conn => {
            sqlx::query(lock).bind(question.user.0).fetch_optional(&mut *conn).await?;
            let added = execute!(conn, ADD; question.id.0, question.user.0, &question.question, question.follows.map(|id| id.0),
                timing, pattern, time_zone, once_at, entity, question.budget_micros.map(u64::cast_signed), question.is_paused,
                Moment(question.counted_from), Moment(question.created_at), i64::from(limit));
            added.rows_affected() > 0
        })
    }

    /// Returns the standing questions of a person, newest first.
    pub async fn standing_of(&self, user: UserId) -> StoreResult<Vec<StandingQuestion>> {
        read!(self.0, conn => {
            let rows: Vec<StandingRow> = rows!(conn.fetch_all, OF_PERSON; user.0);
            rows.into_iter().map(StandingRow::question).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns questions that may be due, by id after another.
    pub async fn open_standing(&self, last: Option<StandingId>, limit: u32) -> StoreResult<Vec<StandingQuestion>> {
        let last = last.map_or(Uuid::nil(), |id| id.0);
        read!(self.0, conn => {
            let rows: Vec<StandingRow> = rows!(conn.fetch_all, OPEN; last, i64::from(limit));
            rows.into_iter().map(StandingRow::question).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns a standing question of any person, for its runs.
    pub async fn standing(&self, id: StandingId) -> StoreResult<Option<StandingQuestion>> {
        read!(self.0, conn => {
            let row: Option<StandingRow> = rows!(conn.fetch_optional, BY_ID; id.0);
            row.map(StandingRow::question).transpose()?
        })
    }

    /// Pauses a standing question of a person, or lets it go on from `now`; returns whether there is one.
    pub async fn pause_standing(&self, user: UserId, id: StandingId, is_paused: bool, now: Timestamp) -> StoreResult<bool> {
        write!(self.0, conn => {
            let changed = sqlx::query("update standing_questions set paused = $3, counted_from = $4 where id = $1 and user_id = $2")
                .bind(id.0)
                .bind(user.0)
                .bind(is_paused)
                .bind(Moment(now));
            changed.execute(&mut *conn).await?.rows_affected() > 0
        })
    }

    /// Records that what came before a time is no occurrence of a question.
    pub async fn count_from(&self, id: StandingId, at: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update standing_questions set counted_from = $2 where id = $1 and counted_from < $2"; id.0,
                Moment(at));
        })
    }

    /// Removes a standing question of a person with the list of its runs; their investigations stay. Returns whether there was one.
    pub async fn remove_standing(&self, user: UserId, id: StandingId) -> StoreResult<bool> {
        write!(self.0, conn => {
            let removed = sqlx::query("delete from standing_questions where id = $1 and user_id = $2").bind(id.0).bind(user.0);
            removed.execute(&mut *conn).await?.rows_affected() > 0
        })
    }

    /// Records a run, once for a question and a due time.
    pub async fn add_run(&self, new: &StandingRun) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn,
                "insert into standing_runs (standing_id, due_at, investigation_id, state, note, changed_at, attempts, try_at)
                 select q.id, $2, $3, $4, $5, $6, 0, $6 from standing_questions q where q.id = $1
                 on conflict (standing_id, due_at) do nothing";
                new.standing.0, Moment(new.due_at), new.investigation.0, new.state.as_str(), &new.note, Moment(new.changed_at));
        })
    }

    /// Records what became of a run that is due.
    pub async fn end_run(&self, ended: &StandingRun) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update standing_runs set state = $3, note = $4, changed_at = $5
                  where standing_id = $1 and due_at = $2 and state = 'due'";
                ended.standing.0, Moment(ended.due_at), ended.state.as_str(), &ended.note, Moment(ended.changed_at));
        })
    }

    /// Puts a run that is due off until a time, with its failed starts.
    pub async fn put_off_run(&self, failed: &StandingRun, until: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn,
                "update standing_runs set attempts = $3, try_at = $4 where standing_id = $1 and due_at = $2 and state = 'due'";
                failed.standing.0, Moment(failed.due_at), i64::from(failed.attempts), Moment(until));
        })
    }

    /// Removes runs that ended before a time. The last run of a question stays, and the last that was started.
    pub async fn remove_old_runs(&self, before: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, OLD_RUNS; Moment(before));
        })
    }

    /// Returns runs that are not started yet and may be at `now`, the longest waiting first.
    pub async fn due_runs(&self, now: Timestamp, limit: u32) -> StoreResult<Vec<StandingRun>> {
        read!(self.0, conn => {
            let due = sqlx::query_as(DUE_RUNS).bind(Moment(now)).bind(i64::from(limit));
            let rows: Vec<RunRow> = due.fetch_all(&mut *conn).await?;
            rows.into_iter().map(run).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the last run of each of some questions.
    pub async fn last_runs(&self, questions: &[StandingId]) -> StoreResult<Vec<StandingRun>> {
        let ids = id_list(questions.iter().map(|id| id.0));
        read!(self.0, conn => {
            let last = sqlx::query_as(LAST_RUNS).bind(&ids);
            let rows: Vec<RunRow> = last.fetch_all(&mut *conn).await?;
            rows.into_iter().map(run).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the started runs of a question, newest first.
    pub async fn started_runs(&self, question: StandingId, limit: u32) -> StoreResult<Vec<StandingRun>> {
        read!(self.0, conn => {
            let started = sqlx::query_as(STARTED_RUNS).bind(question.0).bind(i64::from(limit));
            let rows: Vec<RunRow> = started.fetch_all(&mut *conn).await?;
            rows.into_iter().map(run).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns what the runs of each of some questions have cost since a time, in millionths of the currency. Questions whose runs
    /// cost nothing are left out.
    pub async fn spent_since(&self, questions: &[StandingId], since: Timestamp) -> StoreResult<HashMap<StandingId, u64>> {
        let ids = id_list(questions.iter().map(|id| id.0));
        read!(self.0, conn => {
            let rows: Vec<(Uuid, i64)> = rows!(conn.fetch_all, SPENT; &ids, Moment(since));
            let mut spent: HashMap<StandingId, u64> = HashMap::new();
            for (id, micros) in rows.into_iter().filter(|(_, micros)| *micros > 0) {
                spent.insert(StandingId(id), count(micros)?);
            }
            spent
        })
    }

    /// Returns the runs of a person's questions since a time, newest first.
    pub async fn runs_of(&self, user: UserId, since: Timestamp, limit: u32) -> StoreResult<Vec<StandingRun>> {
        read!(self.0, conn => {
            let runs = sqlx::query_as(RUNS_OF)
                .bind(user.0)
                .bind(Moment(since))
                .bind(i64::from(limit));
            let rows: Vec<RunRow> = runs.fetch_all(&mut *conn).await?;
            rows.into_iter().map(run).collect::<Result<_, Fault>>()?
        })
    }
}
