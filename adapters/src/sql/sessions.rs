//! Agent sessions: steps and tool calls. Bodies are stored once by content hash.

mod calls;

use super::{
    Store,
    fault::Fault,
    types::{Moment, count, id_list, text_list, word},
};
use async_trait::async_trait;
use calls::{CallRow, QualityRow};
use domain::{
    DocumentId, InvestigationId, Scope, SessionId, Timestamp, UserId, Word, WorkOrderId,
    agent::{AgentRole, AgentSession, InjectionFinding, SessionOwner, SessionStatus, SessionTally, ToolCall, ToolQuality},
};
use engine::{
    StoreError, StoreResult,
    sessions::{SessionEnd, Sessions, StoredStep},
};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Statement that finds the last session of an investigation itself, in a role and a status.
const LAST_OF_INVESTIGATION: &str = "select * from agent_sessions
     where investigation_id = $1 and work_order_id is null and role = $2 and status = $3
     order by started_at desc, id desc limit 1";

/// Statement that finds the last session of a work order, in a role and a status.
const LAST_OF_ORDER: &str = "select * from agent_sessions
     where work_order_id = $1 and role = $2 and status = $3
     order by started_at desc, id desc limit 1";

/// Statement that finds the last session of an object of a feature, in a role and a status.
const LAST_OF_OBJECT: &str = "select * from agent_sessions
     where owner_id = $1 and role = $2 and status = $3 and owner_kind = $4
     order by started_at desc, id desc limit 1";

/// Stores a body once and returns its hash.
macro_rules! store_content {
    ($conn:expr, $body:expr) => {{
        let hash = engine::evidence::sha256_hex($body);
        execute!($conn, "insert into contents (sha256, body) values ($1, $2) on conflict (sha256) do nothing"; &hash, $body);
        hash
    }};
}

pub(super) use store_content;

/// Statement that deletes contents that nothing refers to, with a further condition before.
macro_rules! delete_unused_contents {
    ($condition:literal) => {
        concat!(
            "delete from contents where ",
            $condition,
            " not exists (select 1 from session_steps s where s.input = contents.sha256)
              and not exists (select 1 from agent_sessions a where a.setup = contents.sha256)
              and not exists (select 1 from tool_calls c where c.result = contents.sha256)
              and not exists (select 1 from tool_calls c where c.raw = contents.sha256)
              and not exists (select 1 from tool_cache t where t.result = contents.sha256)"
        )
    };
}

pub(super) use delete_unused_contents;

/// Selects the contents of the sessions of an object of a feature.
const CONTENTS_OF_OBJECT: &str = "with those as (select id, setup from agent_sessions where owner_kind = $1 and owner_id = $2)
     select setup from those where setup is not null
     union select p.input from session_steps p join those on those.id = p.session_id
     union select c.result from tool_calls c join those on those.id = c.session_id
     union select c.raw from tool_calls c join those on those.id = c.session_id where c.raw is not null";

/// Returns a stored body as text.
pub(super) fn body_text(body: Vec<u8>) -> Result<String, Fault> {
    String::from_utf8(body).map_err(|_| Fault::Store(StoreError::Defect("a stored text is not UTF-8".into())))
}

#[derive(sqlx::FromRow)]
struct SessionRow {
    id: Uuid,
    investigation_id: Option<Uuid>,
    work_order_id: Option<Uuid>,
    owner_kind: Option<String>,
    owner_id: Option<Uuid>,
    role: String,
    cycle: i64,
    provider: String,
    model: String,
    prompt_hash: String,
    status: String,
    reason: Option<String>,
    turns: i64,
    tokens_in: i64,
    tokens_out: i64,
    started_at: Moment,
    ended_at: Option<Moment>,
}

impl SessionRow {
    fn owner(&self) -> Result<SessionOwner, Fault> {
        match (&self.owner_kind, self.owner_id, self.work_order_id, self.investigation_id) {
            (Some(kind), Some(id), ..) => {
                Ok(SessionOwner::Feature { kind: word("owner of a session", kind, Word::parse)?, id })
            }
            (_, _, Some(order), _) => Ok(SessionOwner::WorkOrder(WorkOrderId(order))),
            (.., Some(investigation)) => Ok(SessionOwner::Investigation(InvestigationId(investigation))),
            _ => Err(Fault::Store(StoreError::Defect("a session has no owner".into()))),
        }
    }

    fn session(self) -> Result<AgentSession, Fault> {
        Ok(AgentSession {
            id: SessionId(self.id),
            owner: self.owner()?,
            investigation_id: self.investigation_id.map(InvestigationId),
            role: word("role of a session", &self.role, AgentRole::parse)?,
            cycle: count(self.cycle)?,
            provider: self.provider,
            model: self.model,
            prompt_hash: self.prompt_hash,
            status: word("status of a session", &self.status, SessionStatus::parse)?,
            reason: self.reason,
            turns: count(self.turns)?,
            tokens_in: count(self.tokens_in)?,
            tokens_out: count(self.tokens_out)?,
            started_at: self.started_at.0,
            ended_at: self.ended_at.map(|moment| moment.0),
        })
    }
}

fn steps_of(rows: Vec<(i64, Moment, Vec<u8>)>) -> Result<Vec<StoredStep>, Fault> {
    rows.into_iter()
        .map(|(number, at, body)| Ok(StoredStep { number: count(number)?, at: at.0, input: body_text(body)? }))
        .collect()
}

impl Store {
    async fn last_session(
        &self,
        owner: SessionOwner,
        role: AgentRole,
        status: SessionStatus,
    ) -> StoreResult<Option<AgentSession>> {
        let (statement, kind) = match owner {
            SessionOwner::Investigation(_) => (LAST_OF_INVESTIGATION, None),
            SessionOwner::WorkOrder(_) => (LAST_OF_ORDER, None),
            SessionOwner::Feature { kind, .. } => (LAST_OF_OBJECT, Some(kind.as_str())),
        };
        read!(self, conn => {
            let found = sqlx::query_as(statement).bind(owner.id()).bind(role.as_str()).bind(status.as_str());
            let found = if kind.is_some() { found.bind(kind) } else { found };
            let row: Option<SessionRow> = found.fetch_optional(&mut *conn).await?;
            row.map(SessionRow::session).transpose()?
        })
    }
}

#[async_trait]
impl Sessions for Store {
    async fn start(&self, session: &AgentSession, setup: &str) -> StoreResult<()> {
        let object = match session.owner {
            SessionOwner::Feature { kind, id } => Some((kind, id)),
            SessionOwner::Investigation(_) | SessionOwner::WorkOrder(_) => None,
        };
        write!(self, conn => {
            let setup = store_content!(conn, setup.as_bytes());
            execute!(conn,
                "insert into agent_sessions (id, investigation_id, work_order_id, role, cycle, provider, model, prompt_hash, status,
                                             turns, tokens_in, tokens_out, started_at, ended_at, setup, owner_kind, owner_id)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
                 on conflict (id) do nothing";
                session.id.0, session.investigation_id.map(|id| id.0), session.work_order_id().map(|id| id.0),
                session.role.as_str(), i64::from(session.cycle), &session.provider, &session.model, &session.prompt_hash,
                session.status.as_str(), i64::from(session.turns), session.tokens_in as i64, session.tokens_out as i64,
                Moment(session.started_at), session.ended_at.map(Moment), &setup, object.map(|(kind, _)| kind.as_str()),
                object.map(|(_, id)| id));
        })
    }

    async fn setup(&self, session: SessionId) -> StoreResult<Option<String>> {
        read!(self, conn => {
            let body: Option<Vec<u8>> = values!(conn.fetch_optional,
                "select c.body from agent_sessions s join contents c on c.sha256 = s.setup where s.id = $1"; session.0);
            body.map(body_text).transpose()?
        })
    }

    async fn append_step(&self, session: SessionId, step: &StoredStep) -> StoreResult<()> {
        write!(self, conn => {
            let input = store_content!(conn, step.input.as_bytes());
            let appended = execute!(conn, "insert into session_steps (session_id, number, at, input) select $1, $2, $3, $4
                 where $2 = (select coalesce(max(number) + 1, 0) from session_steps where session_id = $1)
                 on conflict (session_id, number) do nothing"; session.0, i64::from(step.number), Moment(step.at), &input);
            if appended.rows_affected() == 0 {
                let known: Option<String> = values!(conn.fetch_optional,
                    "select input from session_steps where session_id = $1 and number = $2"; session.0, i64::from(step.number));
                match known {
                    Some(known) if known == input => {}
                    Some(_) => {
                        return Err(StoreError::Stale("this step of the session is stored with other content").into());
                    }
                    None => {
                        let message = format!("step {} does not follow the last stored step", step.number);
                        return Err(StoreError::Invalid(message).into());
                    }
                }
            }
        })
    }

    async fn steps(&self, session: SessionId) -> StoreResult<Vec<StoredStep>> {
        read!(self, conn => {
            let rows: Vec<(i64, Moment, Vec<u8>)> = rows!(conn.fetch_all,
                "select s.number, s.at, c.body from session_steps s join contents c on c.sha256 = s.input
                 where s.session_id = $1 order by s.number"; session.0);
            steps_of(rows)?
        })
    }

    async fn steps_from(&self, session: SessionId, first: u32, limit: u32) -> StoreResult<Vec<StoredStep>> {
        read!(self, conn => {
            let rows: Vec<(i64, Moment, Vec<u8>)> = rows!(conn.fetch_all,
                "select s.number, s.at, c.body from session_steps s join contents c on c.sha256 = s.input
                 where s.session_id = $1 and s.number >= $2 order by s.number limit $3";
                session.0, i64::from(first), i64::from(limit));
            steps_of(rows)?
        })
    }

    async fn end(&self, session: SessionId, end: &SessionEnd) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn,
                "update agent_sessions set status = $2, turns = $3, tokens_in = $4, tokens_out = $5, ended_at = $6, reason = $7
                 where id = $1 and status = 'running'";
                session.0, end.status.as_str(), i64::from(end.turns), end.tokens_in as i64, end.tokens_out as i64,
                Moment(end.at), &end.reason);
        })
    }

    async fn unfinished(&self, owner: SessionOwner, role: AgentRole) -> StoreResult<Option<AgentSession>> {
        self.last_session(owner, role, SessionStatus::Running).await
    }

    async fn completed(&self, owner: SessionOwner, role: AgentRole) -> StoreResult<Option<AgentSession>> {
        self.last_session(owner, role, SessionStatus::Completed).await
    }

    async fn abandon(&self, investigation: InvestigationId, role: AgentRole, at: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "update agent_sessions set status = 'abandoned', ended_at = $2
                 where investigation_id = $1 and status = 'running' and role = $3"; investigation.0, Moment(at), role.as_str());
        })
    }

    async fn remove_of_object(&self, kind: Word, id: Uuid) -> StoreResult<()> {
        write!(self, conn => {
            let contents: Vec<String> = values!(conn.fetch_all, CONTENTS_OF_OBJECT; kind.as_str(), id);
            // Takes steps, tool calls and model calls along.
            execute!(conn, "delete from agent_sessions where owner_kind = $1 and owner_id = $2"; kind.as_str(), id);
            execute!(conn, delete_unused_contents!("sha256 in (select value from json_each($1)) and");
                text_list(contents.iter().map(String::as_str)));
        })
    }

    async fn sessions(&self, investigation: InvestigationId) -> StoreResult<Vec<AgentSession>> {
        read!(self, conn => {
            let rows: Vec<SessionRow> = rows!(conn.fetch_all,
                "select * from agent_sessions where investigation_id = $1 order by started_at, id"; investigation.0);
            rows.into_iter().map(SessionRow::session).collect::<Result<_, Fault>>()?
        })
    }

    async fn session(&self, id: SessionId) -> StoreResult<Option<AgentSession>> {
        read!(self, conn => {
            let row: Option<SessionRow> = rows!(conn.fetch_optional, "select * from agent_sessions where id = $1"; id.0);
            row.map(SessionRow::session).transpose()?
        })
    }

    async fn tallies(&self, investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, SessionTally>> {
        read!(self, conn => {
            let rows: Vec<calls::TallyRow> = rows!(conn.fetch_all, calls::TALLIES; investigation.0);
            rows.into_iter().map(calls::TallyRow::tally).collect::<Result<_, Fault>>()?
        })
    }

    async fn record_call(&self, call: &ToolCall) -> StoreResult<()> {
        write!(self, conn => {
            let result = store_content!(conn, call.result.as_bytes());
            let raw = match &call.raw {
                Some(raw) => Some(store_content!(conn, raw.as_bytes())),
                None => None,
            };
            execute!(conn, calls::INSERT; call.id.0, call.session_id.0, call.investigation_id.map(|id| id.0), &call.tool,
                sqlx::types::Json(&call.arguments), &result, call.is_error, call.from_cache, call.latency.cache_ms as i64,
                call.latency.tool_ms as i64, call.latency.reflection_ms as i64, call.latency.total_ms as i64,
                Moment(call.called_at), &call.source, call.reflection.as_ref().map(|reflection| reflection.quality.as_str()),
                call.reflection.as_ref().map(|reflection| reflection.verified), call.reflection.as_ref().map(sqlx::types::Json),
                call.injection.as_ref().map(|finding| finding.document_id.0), call.injection.as_ref().map(sqlx::types::Json),
                raw);
        })
    }

    async fn calls(&self, session: SessionId) -> StoreResult<Vec<ToolCall>> {
        read!(self, conn => {
            let rows: Vec<CallRow> = rows!(conn.fetch_all, calls::OF_SESSION; session.0);
            rows.into_iter().map(CallRow::call).collect::<Result<_, Fault>>()?
        })
    }

    async fn notable_calls(&self, investigation: InvestigationId, tool: &str) -> StoreResult<Vec<ToolCall>> {
        read!(self, conn => {
            let rows: Vec<CallRow> = rows!(conn.fetch_all, calls::NOTABLE; investigation.0, tool);
            rows.into_iter().map(CallRow::call).collect::<Result<_, Fault>>()?
        })
    }

    async fn calls_between(&self, session: SessionId, from: Timestamp, to: Timestamp) -> StoreResult<Vec<ToolCall>> {
        read!(self, conn => {
            let rows: Vec<CallRow> = rows!(conn.fetch_all, calls::BETWEEN; session.0, Moment(from), Moment(to));
            rows.into_iter().map(CallRow::call).collect::<Result<_, Fault>>()?
        })
    }

    async fn injections(&self, session: SessionId) -> StoreResult<Vec<InjectionFinding>> {
        read!(self, conn => {
            let found: Vec<sqlx::types::Json<InjectionFinding>> = values!(conn.fetch_all, calls::INJECTIONS_IN_SESSION;
                session.0);
            found.into_iter().map(|finding| finding.0).collect()
        })
    }

    async fn injections_of(&self, document: DocumentId, viewer: UserId, scope: &Scope) -> StoreResult<Vec<InjectionFinding>> {
        read!(self, conn => {
            let found: Vec<sqlx::types::Json<InjectionFinding>> = values!(conn.fetch_all, calls::INJECTIONS_FROM_DOCUMENT;
                document.0, viewer.0, id_list(scope.collections().iter().map(|id| id.0)));
            found.into_iter().map(|finding| finding.0).collect()
        })
    }

    async fn tool_quality(&self, since: Timestamp) -> StoreResult<Vec<ToolQuality>> {
        read!(self, conn => {
            let rows: Vec<QualityRow> = rows!(conn.fetch_all, calls::QUALITY; Moment(since));
            rows.into_iter().map(QualityRow::quality).collect::<Result<_, Fault>>()?
        })
    }
}
