//! Rows of tool calls.

use super::{body_text, count};
use crate::sql::{fault::Fault, types::Moment};
use domain::{
    InvestigationId, SessionId, ToolCallId,
    agent::{InjectionFinding, Reflection, SessionTally, ToolCall, ToolLatency, ToolQuality},
};
use sqlx::types::Json;
use uuid::Uuid;

pub(super) const INSERT: &str = "insert into tool_calls
        (id, session_id, investigation_id, tool, arguments, result, is_error, from_cache,
         cache_ms, tool_ms, reflection_ms, total_ms, called_at, source, quality, is_verified, reflection, injection_document, injection,
         raw)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
     on conflict (id) do nothing";

pub(super) const OF_SESSION: &str =
    "select t.id, t.session_id, t.investigation_id, t.tool, t.arguments, c.body, t.is_error, t.from_cache,
            t.cache_ms, t.tool_ms, t.reflection_ms, t.total_ms, t.called_at, t.source, t.reflection, t.injection, r.body as raw
     from tool_calls t join contents c on c.sha256 = t.result left join contents r on r.sha256 = t.raw
     where t.session_id = $1 order by t.called_at, t.id";

pub(super) const NOTABLE: &str =
    "select t.id, t.session_id, t.investigation_id, t.tool, t.arguments, c.body, t.is_error, t.from_cache,
            t.cache_ms, t.tool_ms, t.reflection_ms, t.total_ms, t.called_at, t.source, t.reflection, t.injection, r.body as raw
     from tool_calls t join contents c on c.sha256 = t.result left join contents r on r.sha256 = t.raw
     where t.session_id in (select id from agent_sessions where investigation_id = $1)
       and (t.tool = $2 or t.is_error or t.injection_document is not null) order by t.called_at, t.id";

pub(super) const BETWEEN: &str =
    "select t.id, t.session_id, t.investigation_id, t.tool, t.arguments, c.body, t.is_error, t.from_cache,
            t.cache_ms, t.tool_ms, t.reflection_ms, t.total_ms, t.called_at, t.source, t.reflection, t.injection, r.body as raw
     from tool_calls t join contents c on c.sha256 = t.result left join contents r on r.sha256 = t.raw
     where t.session_id = $1 and t.called_at between $2 and $3 order by t.called_at, t.id";

pub(super) const INJECTIONS_IN_SESSION: &str =
    "select injection from tool_calls where session_id = $1 and injection_document is not null order by called_at, id";

pub(super) const INJECTIONS_FROM_DOCUMENT: &str =
    "select t.injection from tool_calls t left join investigations i on i.id = t.investigation_id
     where t.injection_document = $1
       and (t.investigation_id is null and exists (select 1 from documents d where d.id = t.injection_document
                and d.collection_id in (select unhex(value) from json_each($3)))
            or i.owner = $2
            or (i.collection_id in (select unhex(value) from json_each($3))
                and not exists (select 1 from investigation_scopes s
                                where s.investigation_id = i.id
                                and s.collection_id not in (select unhex(value) from json_each($3)))))
     order by t.called_at, t.id";

pub(super) const TALLIES: &str = "select s.id,
        (select count(*) from session_steps p where p.session_id = s.id) as steps,
        (select count(*) from tool_calls t where t.session_id = s.id) as calls,
        (select count(*) from tool_calls t where t.session_id = s.id and t.is_error) as failed_calls,
        (select count(*) from tool_calls t where t.session_id = s.id and t.from_cache) as cached_calls,
        (select count(*) from tool_calls t where t.session_id = s.id and t.injection_document is not null) as injections
     from agent_sessions s where s.investigation_id = $1";

#[derive(sqlx::FromRow)]
pub(super) struct TallyRow {
    id: Uuid,
    steps: i64,
    calls: i64,
    failed_calls: i64,
    cached_calls: i64,
    injections: i64,
}

impl TallyRow {
    pub(super) fn tally(self) -> Result<(SessionId, SessionTally), Fault> {
        let tally = SessionTally {
            steps: count(self.steps)?,
            calls: count(self.calls)?,
            failed_calls: count(self.failed_calls)?,
            cached_calls: count(self.cached_calls)?,
            injections: count(self.injections)?,
        };
        Ok((SessionId(self.id), tally))
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct CallRow {
    id: Uuid,
    session_id: Uuid,
    investigation_id: Option<Uuid>,
    tool: String,
    arguments: Json<serde_json::Value>,
    body: Vec<u8>,
    raw: Option<Vec<u8>>,
    is_error: bool,
    from_cache: bool,
    cache_ms: i64,
    tool_ms: i64,
    reflection_ms: i64,
    total_ms: i64,
    called_at: Moment,
    source: Option<String>,
    reflection: Option<Json<Reflection>>,
    injection: Option<Json<InjectionFinding>>,
}

impl CallRow {
    pub(super) fn call(self) -> Result<ToolCall, Fault> {
        Ok(ToolCall {
            id: ToolCallId(self.id),
            session_id: SessionId(self.session_id),
            investigation_id: self.investigation_id.map(InvestigationId),
            tool: self.tool,
            source: self.source,
            arguments: self.arguments.0,
            result: body_text(self.body)?,
            raw: self.raw.map(body_text).transpose()?,
            is_error: self.is_error,
            from_cache: self.from_cache,
            latency: ToolLatency {
                cache_ms: count(self.cache_ms)?,
                tool_ms: count(self.tool_ms)?,
                reflection_ms: count(self.reflection_ms)?,
                total_ms: count(self.total_ms)?,
            },
            reflection: self.reflection.map(|reflection| reflection.0),
            injection: self.injection.map(|finding| finding.0),
            called_at: self.called_at.0,
        })
    }
}

/// Sums over all calls since a time, for the means.
pub(super) const QUALITY: &str = "select tool, source, count(*) as calls,
        sum(case when is_error then 1 else 0 end) as errors,
        sum(case when from_cache then 1 else 0 end) as cached,
        sum(case when quality = 'excellent' then 1 else 0 end) as excellent,
        sum(case when quality = 'good' then 1 else 0 end) as good,
        sum(case when quality = 'partial' then 1 else 0 end) as partly,
        sum(case when quality = 'poor' then 1 else 0 end) as poor,
        sum(case when is_verified then 1 else 0 end) as verified,
        cast(sum(cache_ms) as bigint) as cache_ms, cast(sum(tool_ms) as bigint) as tool_ms,
        cast(sum(reflection_ms) as bigint) as reflection_ms, cast(sum(total_ms) as bigint) as total_ms
     from tool_calls where called_at >= $1 group by tool, source order by tool, source";

#[derive(sqlx::FromRow)]
pub(super) struct QualityRow {
    tool: String,
    source: Option<String>,
    calls: i64,
    errors: i64,
    cached: i64,
    excellent: i64,
    good: i64,
    partly: i64,
    poor: i64,
    verified: i64,
    cache_ms: i64,
    tool_ms: i64,
    reflection_ms: i64,
    total_ms: i64,
}

impl QualityRow {
    pub(super) fn quality(self) -> Result<ToolQuality, Fault> {
        let calls: u64 = count(self.calls)?;
        let mean = |sum: i64| count::<u64>(sum).map(|sum| sum.checked_div(calls).unwrap_or(0));
        Ok(ToolQuality {
            calls,
            errors: count(self.errors)?,
            cached: count(self.cached)?,
            qualities: [count(self.excellent)?, count(self.good)?, count(self.partly)?, count(self.poor)?],
            verified: count(self.verified)?,
            latency: ToolLatency {
                cache_ms: mean(self.cache_ms)?,
                tool_ms: mean(self.tool_ms)?,
                reflection_ms: mean(self.reflection_ms)?,
                total_ms: mean(self.total_ms)?,
            },
            tool: self.tool,
            source: self.source,
        })
    }
}
