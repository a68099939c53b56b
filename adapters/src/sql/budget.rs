//! The budget ledger: every model call, with amounts spent and reserved per level.
//!
//! Invariant: the rows of the levels are locked before they are compared with the caps, always in the same order, so that concurrent
//! calls cannot exceed a cap together.

mod row;

use super::{
    Store,
    accounts::own_cap,
    events::append_event,
    fault::Fault,
    types::{Moment, count, text_list, word},
};
use async_trait::async_trait;
use domain::{
    InvestigationId, ModelCallId, SessionId, Timestamp,
    agent::AgentRole,
    budget::{BudgetLevel, CallOutcome, ModelCall, PastInvestigation, Spend},
    event::EventKind,
    investigation::Depth,
};
use engine::{
    StoreError, StoreResult,
    budget::{CapReached, Caps, Grant, Ledger, LevelUsage, Reservation, Settlement, grant},
};
use row::{CallRow, ReservationRow};
use sqlx::types::Json;
use std::collections::BTreeMap;

/// Locks the rows of all levels and creates missing ones.
const LOCK: &str = "insert into budget_levels (level, key, tokens, micros)
     values ('day', $1, 0, 0), ('user', $2, 0, 0), ('investigation', $3, 0, 0), ('session', $4, 0, 0)
     on conflict (level, key) do update set tokens = budget_levels.tokens
     returning level, tokens, micros";

/// Adds to all levels in the same order, and creates missing ones; returned amounts are negative.
const ADD: &str = "insert into budget_levels (level, key, tokens, micros)
     values ('day', $1, $5, $6), ('user', $2, $5, $6), ('investigation', $3, $5, $6), ('session', $4, $5, $6)
     on conflict (level, key) do update
     set tokens = budget_levels.tokens + excluded.tokens, micros = budget_levels.micros + excluded.micros";

const INSERT: &str = "insert into model_calls
        (id, investigation_id, session_id, role, step, attempt, provider, model, outcome, called_at,
         reserved_tokens, reserved_micros, reserved_until, levels, tokens_in, cost_micros)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'running', $9, $10, $11, $12, $13, $14, $15)";

const INSERT_TRIAL: &str =
    "insert into trials (id, reserved_tokens, reserved_micros, reserved_until, levels) values ($1, $2, $3, $4, $5)";

const SETTLE: &str = "update model_calls
     set outcome = $2, message = $3, tokens_in = $4, tokens_out = $5, cache_read = $6, cache_written = $7, cost_micros = $8,
         latency_ms = $9, reserved_until = null
     where id = $1";

/// Selects completed investigations whose answered calls all used one of these models, newest first, with their usage. Parts count with
/// the whole.
const PAST: &str =
    "select depth, created_at, completed_at, tokens_in, tokens_out, cost_micros from (
     select coalesce(i.terms ->> 'depth', 'standard') as depth, i.id, i.created_at, i.completed_at,
            cast(sum(c.tokens_in) as bigint) as tokens_in, cast(sum(c.tokens_out) as bigint) as tokens_out,
            cast(sum(c.cost_micros) as bigint) as cost_micros,
            row_number() over (partition by coalesce(i.terms ->> 'depth', 'standard') order by i.completed_at desc, i.id desc) as n
     from investigations i join investigations m on (m.id = i.id or m.parent_id = i.id)
          join model_calls c on c.investigation_id = m.id
     where i.status = 'completed' and i.parent_id is null
       and not exists (select 1 from investigations n join model_calls o on o.investigation_id = n.id
                       where (n.id = i.id or n.parent_id = i.id) and o.outcome = 'answered'
                       and o.provider || ' ' || o.model not in (select value from json_each($1)))
     group by i.id, i.created_at, i.completed_at, i.terms ->> 'depth') past
     where n <= $2 order by completed_at desc, id desc";

const BY_SESSION: &str = "select session_id, cast(sum(case when outcome = 'running' then 0 else tokens_in end) as bigint),
            cast(sum(tokens_out) as bigint), cast(sum(case when outcome = 'running' then 0 else cost_micros end) as bigint),
            cast(sum(case when outcome = 'answered' then 1 else 0 end) as bigint)
     from model_calls where investigation_id = $1 group by session_id";

/// Locks the four levels of a call until the transaction ends, and reads their usage.
macro_rules! lock_levels {
    ($conn:expr, $keys:expr) => {{
        let [day, user, investigation, session] = $keys;
        let rows: Vec<(String, i64, i64)> =
            sqlx::query_as(LOCK).bind(day).bind(user).bind(investigation).bind(session).fetch_all(&mut *$conn).await?;
        rows
    }};
}

/// Adds to the four levels of a call inside a transaction.
macro_rules! add_to_levels {
    ($conn:expr, $keys:expr, $tokens:expr, $micros:expr) => {{
        let [day, user, investigation, session] = $keys;
        execute!($conn, ADD; day, user, investigation, session, $tokens, $micros);
    }};
}

/// Reads the caps of a call: a user's own cap replaces the configured one.
macro_rules! caps_of {
    ($conn:expr, $caps:expr, $user:expr) => {{
        let row: Option<(Option<i64>, Option<i64>)> = sqlx::query_as("select cap_tokens, cap_micros from users where id = $1")
            .bind($user.0)
            .fetch_optional(&mut *$conn)
            .await?;
        let own = row.map(|(tokens, micros)| own_cap(tokens, micros)).transpose()?;
        $caps.with_own(own.unwrap_or_default())
    }};
}

/// Marks one overdue call as lost. The outer condition rechecks a row that another process was faster to take.
const LOSE_CALL: &str = "update model_calls set outcome = 'lost', reserved_until = null,
            message = 'nothing was heard of it again; that its prompt was read is an estimate'
     where id = (select id from model_calls where reserved_until <= $1 order by id limit 1) and reserved_until <= $1
     returning investigation_id, session_id, role, provider, model, reserved_tokens, reserved_micros,
               tokens_in as prompt_tokens, cost_micros as prompt_micros, true as is_reserved, levels";

const LOSE_TRIAL: &str = "delete from trials where id = (select id from trials where reserved_until <= $1 order by id limit 1)
     returning levels, reserved_tokens, reserved_micros";

/// The outcome of a reservation. A refusal is no error, yet its transaction is rolled back.
enum Decision {
    Granted(Grant),
    Refused(CapReached),
}

impl Store {
    /// Releases the reservations of overdue calls except for their prompts, which were probably read and are billed.
    ///
    /// Each call has a transaction of its own: holding the levels of one call while locking those of another could deadlock.
    async fn release_lost(&self, now: Timestamp) -> StoreResult<()> {
        while self.something_is_lost(now).await? && self.release_one(now).await? {}
        Ok(())
    }

    async fn something_is_lost(&self, now: Timestamp) -> StoreResult<bool> {
        read!(self, conn => {
            values!(conn.fetch_one, "select exists (select 1 from model_calls where reserved_until <= $1)
                     or exists (select 1 from trials where reserved_until <= $1)"; Moment(now))
        })
    }

    /// Releases one overdue call; false when another process was faster.
    async fn release_one(&self, now: Timestamp) -> StoreResult<bool> {
        write!(self, conn => {
            let call: Option<ReservationRow> = rows!(conn.fetch_optional, LOSE_CALL; Moment(now));
            match call {
                Some(call) => {
                    let tokens = call.prompt_tokens - call.reserved_tokens;
                    add_to_levels!(conn, &call.levels.0, tokens, call.prompt_micros - call.reserved_micros);
                    true
                }
                None => {
                    let trial: Option<(Json<[String; 4]>, i64, i64)> = rows!(conn.fetch_optional, LOSE_TRIAL; Moment(now));
                    if let Some((levels, tokens, micros)) = &trial {
                        add_to_levels!(conn, &levels.0, -tokens, -micros);
                    }
                    trial.is_some()
                }
            }
        })
    }
}

#[async_trait]
impl Ledger for Store {
    async fn reserve(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>> {
        let keys = reservation.keys();
        self.release_lost(reservation.at).await?;
        let decision = write!(self, conn => {
            let rows = lock_levels!(conn, &keys);
            let caps = caps_of!(conn, caps, reservation.user_id);
            match grant(&reservation.ask, &caps, &used_on_levels(&rows)?) {
                Err(cap) => Decision::Refused(cap),
                Ok(granted) => {
                    let (tokens, micros) = (granted.reserved.tokens as i64, granted.reserved.micros as i64);
                    execute!(conn, INSERT; reservation.id.0, reservation.is_stored.then_some(reservation.investigation_id.0),
                        reservation.session_id.0, reservation.role.as_str(), i64::from(reservation.step),
                        i64::from(reservation.attempt), &reservation.provider, &reservation.model, Moment(reservation.at),
                        tokens, micros, Moment(reservation.until), Json(&keys), granted.prompt.tokens as i64,
                        granted.prompt.micros as i64);
                    add_to_levels!(conn, &keys, tokens, micros);
                    Decision::Granted(granted)
                }
            }
        })?;
        Ok(match decision {
            Decision::Granted(granted) => Ok(granted),
            Decision::Refused(cap) => Err(cap),
        })
    }

    async fn reserve_elsewhere(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>> {
        let keys = reservation.keys();
        self.release_lost(reservation.at).await?;
        let decision = write!(self, conn => {
            let rows = lock_levels!(conn, &keys);
            let caps = caps_of!(conn, caps, reservation.user_id);
            let decision = grant(&reservation.ask, &caps, &used_on_levels(&rows)?);
            if let Ok(granted) = &decision {
                let (tokens, micros) = (granted.reserved.tokens as i64, granted.reserved.micros as i64);
                execute!(conn, INSERT_TRIAL; reservation.id.0, tokens, micros, Moment(reservation.until), Json(&keys));
                add_to_levels!(conn, &keys, tokens, micros);
            }
            decision
        })?;
        Ok(decision)
    }

    async fn settle_elsewhere(&self, reservation: &Reservation, used: LevelUsage) -> StoreResult<()> {
        write!(self, conn => {
            let reserved: Option<(i64, i64)> = rows!(conn.fetch_optional,
                "delete from trials where id = $1 returning reserved_tokens, reserved_micros"; reservation.id.0);
            let (tokens, micros) = reserved.unwrap_or_default();
            add_to_levels!(conn, &reservation.keys(), used.tokens as i64 - tokens, used.micros as i64 - micros);
        })
    }

    async fn settle(&self, id: ModelCallId, settlement: &Settlement) -> StoreResult<()> {
        let Settlement { outcome, message, usage, cost_micros, latency_ms, at } = settlement;
        let told = write!(self, conn => {
            // An update, so that it sees what another process that is giving the reservation back has made of it.
            let call: Option<ReservationRow> = rows!(conn.fetch_optional,
                "update model_calls set outcome = outcome where id = $1 and outcome in ('running', 'lost')
                 returning investigation_id, session_id, role, provider, model, reserved_tokens, reserved_micros,
                           tokens_in as prompt_tokens, cost_micros as prompt_micros,
                           reserved_until is not null as is_reserved, levels"; id.0);
            // Settled before, or gone with its investigation.
            let Some(call) = call else { return Ok(None) };
            execute!(conn, SETTLE; id.0, outcome.as_str(), message, usage.tokens_in as i64, usage.tokens_out as i64,
                usage.cache_read as i64, usage.cache_written as i64, *cost_micros as i64, *latency_ms as i64);
            let (reserved_tokens, reserved_micros) = match call.is_reserved {
                true => (call.reserved_tokens, call.reserved_micros),
                false => (call.prompt_tokens, call.prompt_micros),
            };
            let used = usage.tokens_in.saturating_add(usage.tokens_out) as i64;
            add_to_levels!(conn, &call.levels.0, used - reserved_tokens, *cost_micros as i64 - reserved_micros);
            let event = EventKind::ModelCalled {
                session_id: SessionId(call.session_id),
                role: call.role()?,
                provider: call.provider.clone(),
                model: call.model.clone(),
                outcome: *outcome,
                message: message.clone(),
                spent: Spend { tokens_in: usage.tokens_in, tokens_out: usage.tokens_out, cost_micros: *cost_micros },
                latency_ms: *latency_ms,
            };
            // The session of a feature's object has no events.
            let investigation = call.investigation_id.map(InvestigationId);
            if let Some(investigation) = investigation {
                append_event!(conn, investigation, *at, &event);
            }
            investigation
        })?;
        if let Some(investigation) = told {
            self.inner.notifier.publish_events(investigation);
        }
        Ok(())
    }

    async fn used_by_key(&self, level: BudgetLevel, keys: &[&str]) -> StoreResult<BTreeMap<String, LevelUsage>> {
        read!(self, conn => {
            let rows: Vec<(String, i64, i64)> = rows!(conn.fetch_all, "select key, tokens, micros from budget_levels
                 where level = $1 and key in (select value from json_each($2))";
                level.as_str(), text_list(keys.iter().copied()));
            let used = |(key, tokens, micros)| Ok((key, LevelUsage { tokens: count(tokens)?, micros: count(micros)? }));
            rows.into_iter().map(used).collect::<Result<_, Fault>>()?
        })
    }

    async fn spent(&self, investigation: InvestigationId) -> StoreResult<Spend> {
        read!(self, conn => {
            let sums: (i64, i64, i64) = rows!(conn.fetch_one,
                "select cast(coalesce(sum(tokens_in), 0) as bigint), cast(coalesce(sum(tokens_out), 0) as bigint),
                        cast(coalesce(sum(cost_micros), 0) as bigint)
                 from model_calls where outcome <> 'running'
                 and investigation_id in (select id from investigations where id = $1 or parent_id = $1)"; investigation.0);
            spent(sums)?
        })
    }

    async fn spent_by_session(&self, investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, (Spend, u32)>> {
        read!(self, conn => {
            let rows: Vec<(uuid::Uuid, i64, i64, i64, i64)> = rows!(conn.fetch_all, BY_SESSION; investigation.0);
            rows.into_iter()
                .map(|(session, tokens_in, tokens_out, cost, answered)| {
                    let (tokens_in, tokens_out) = (count(tokens_in)?, count(tokens_out)?);
                    Ok((SessionId(session), (Spend { tokens_in, tokens_out, cost_micros: count(cost)? }, count(answered)?)))
                })
                .collect::<Result<_, Fault>>()?
        })
    }

    async fn model_calls(&self, session: SessionId) -> StoreResult<Vec<ModelCall>> {
        read!(self, conn => {
            let rows: Vec<CallRow> = rows!(conn.fetch_all,
                "select * from model_calls where session_id = $1 order by called_at, id"; session.0);
            rows.into_iter().map(CallRow::call).collect::<Result<_, Fault>>()?
        })
    }

    async fn last_answer(&self, investigation: InvestigationId, role: AgentRole) -> StoreResult<Option<ModelCall>> {
        read!(self, conn => {
            let row: Option<CallRow> = rows!(conn.fetch_optional,
                "select * from model_calls where investigation_id = $1 and role = $2 and outcome = $3
                 order by called_at desc, id desc limit 1"; investigation.0, role.as_str(), CallOutcome::Answered.as_str());
            row.map(CallRow::call).transpose()?
        })
    }

    async fn past_investigations(&self, models: &[(String, String)], limit: u32) -> StoreResult<Vec<PastInvestigation>> {
        let models: Vec<String> = models.iter().map(|(provider, model)| format!("{provider} {model}")).collect();
        read!(self, conn => {
            let rows: Vec<PastRow> = rows!(conn.fetch_all, PAST; text_list(models.iter().map(String::as_str)),
                i64::from(limit));
            rows.into_iter().map(PastRow::past).collect::<Result<_, Fault>>()?
        })
    }
}

#[derive(sqlx::FromRow)]
struct PastRow {
    depth: String,
    created_at: Moment,
    completed_at: Moment,
    tokens_in: i64,
    tokens_out: i64,
    cost_micros: i64,
}

impl PastRow {
    fn past(self) -> Result<PastInvestigation, Fault> {
        Ok(PastInvestigation {
            depth: word("depth", &self.depth, Depth::parse)?,
            spend: spent((self.tokens_in, self.tokens_out, self.cost_micros))?,
            took_ms: u64::try_from(self.completed_at.0.ms_since(self.created_at.0)).unwrap_or(0),
        })
    }
}

fn spent((tokens_in, tokens_out, cost_micros): (i64, i64, i64)) -> Result<Spend, Fault> {
    Ok(Spend { tokens_in: count(tokens_in)?, tokens_out: count(tokens_out)?, cost_micros: count(cost_micros)? })
}

/// Returns the usage per level, in the order of `BudgetLevel::ALL`.
fn used_on_levels(rows: &[(String, i64, i64)]) -> Result<[LevelUsage; 4], Fault> {
    let mut all = [LevelUsage::default(); 4];
    for (used, level) in all.iter_mut().zip(BudgetLevel::ALL) {
        let row = rows.iter().find(|(name, ..)| name == level.as_str());
        let (_, tokens, micros) = row.ok_or_else(|| Fault::Store(StoreError::Defect("a budget level is missing".into())))?;
        *used = LevelUsage { tokens: count(*tokens)?, micros: count(*micros)? };
    }
    Ok(all)
}
