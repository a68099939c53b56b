//! Tool calls as rows.

use super::{body_text, count};
use crate::sql::{fault::Fault, types::Moment};
use domain::{
    InvestigationId, SessionId, ToolCallId,
    agent::{SessionTally, ToolCall, ToolLatency},
};
use sqlx::types::Json;
use uuid::Uuid;

pub(super) const INSERT: &str = "insert into tool_calls
        (id, session_id, investigation_id, tool, arguments, result, is_error, from_cache,
         cache_ms, tool_ms, reflection_ms, total_ms, called_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (id) do nothing";

pub(super) const OF_SESSION: &str =
    "select t.id, t.session_id, t.investigation_id, t.tool, t.arguments, c.body, t.is_error, t.from_cache,
            t.cache_ms, t.tool_ms, t.reflection_ms, t.total_ms, t.called_at
     from tool_calls t join contents c on c.sha256 = t.result
     where t.session_id = $1 order by t.called_at, t.id";

pub(super) const BETWEEN: &str =
    "select t.id, t.session_id, t.investigation_id, t.tool, t.arguments, c.body, t.is_error, t.from_cache,
            t.cache_ms, t.tool_ms, t.reflection_ms, t.total_ms, t.called_at
     from tool_calls t join contents c on c.sha256 = t.result
     where t.session_id = $1 and t.called_at between $2 and $3 order by t.called_at, t.id";

pub(super) const TALLIES: &str = "select s.id,
        (select count(*) from session_steps p where p.session_id = s.id) as steps,
        (select count(*) from tool_calls t where t.session_id = s.id) as calls,
        (select count(*) from tool_calls t where t.session_id = s.id and t.is_error) as failed_calls,
        (select count(*) from tool_calls t where t.session_id = s.id and t.from_cache) as cached_calls
     from agent_sessions s where s.investigation_id = $1";

#[derive(sqlx::FromRow)]
pub(super) struct TallyRow {
    id: Uuid,
    steps: i64,
    calls: i64,
    failed_calls: i64,
    cached_calls: i64,
}

impl TallyRow {
    pub(super) fn tally(self) -> Result<(SessionId, SessionTally), Fault> {
        let tally = SessionTally {
            steps: count(self.steps)?,
            calls: count(self.calls)?,
            failed_calls: count(self.failed_calls)?,
            cached_calls: count(self.cached_calls)?,
        };
        Ok((SessionId(self.id), tally))
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct CallRow {
    id: Uuid,
    session_id: Uuid,
    investigation_id: Uuid,
    tool: String,
    arguments: Json<serde_json::Value>,
    body: Vec<u8>,
    is_error: bool,
    from_cache: bool,
    cache_ms: i64,
    tool_ms: i64,
    reflection_ms: i64,
    total_ms: i64,
    called_at: Moment,
}

impl CallRow {
    pub(super) fn call(self) -> Result<ToolCall, Fault> {
        Ok(ToolCall {
            id: ToolCallId(self.id),
            session_id: SessionId(self.session_id),
            investigation_id: InvestigationId(self.investigation_id),
            tool: self.tool,
            arguments: self.arguments.0,
            result: body_text(self.body)?,
            is_error: self.is_error,
            from_cache: self.from_cache,
            latency: ToolLatency {
                cache_ms: count(self.cache_ms)?,
                tool_ms: count(self.tool_ms)?,
                reflection_ms: count(self.reflection_ms)?,
                total_ms: count(self.total_ms)?,
            },
            called_at: self.called_at.0,
        })
    }
}
