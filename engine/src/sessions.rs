//! Agent session storage: steps with every machine input, and tool calls.

use crate::StoreResult;
use async_trait::async_trait;
use domain::{
    DocumentId, InvestigationId, Scope, SessionId, Timestamp, UserId, Word,
    agent::{AgentRole, AgentSession, InjectionFinding, SessionOwner, SessionStatus, SessionTally, ToolCall, ToolQuality},
};
use std::collections::BTreeMap;
use uuid::Uuid;

#[async_trait]
pub trait Sessions: Send + Sync {
    /// Stores a session with its setup, which is stored once per content hash.
    async fn start(&self, session: &AgentSession, setup: &str) -> StoreResult<()>;
    /// Returns the setup; none for older sessions without one, or a missing session.
    async fn setup(&self, session: SessionId) -> StoreResult<Option<String>>;
    /// Appends step `number` (from 0, without gaps); inputs are stored once per content hash. Repeating equal content is
    /// harmless; other content is `Stale`.
    async fn append_step(&self, session: SessionId, step: &StoredStep) -> StoreResult<()>;
    async fn steps(&self, session: SessionId) -> StoreResult<Vec<StoredStep>>;
    /// Returns at most `limit` steps from number `first` on.
    async fn steps_from(&self, session: SessionId, first: u32, limit: u32) -> StoreResult<Vec<StoredStep>>;
    async fn end(&self, session: SessionId, end: &SessionEnd) -> StoreResult<()>;
    /// Returns the unfinished session of an owner in a role, interrupted by a crash or an outage. It resumes from its last step.
    async fn unfinished(&self, owner: SessionOwner, role: AgentRole) -> StoreResult<Option<AgentSession>>;
    /// Returns the last completed session of an owner in a role.
    async fn completed(&self, owner: SessionOwner, role: AgentRole) -> StoreResult<Option<AgentSession>>;
    /// Marks every running session of a role in an investigation as abandoned.
    async fn abandon(&self, investigation: InvestigationId, role: AgentRole, at: Timestamp) -> StoreResult<()>;
    /// Removes the sessions of an object of a feature, with their steps and calls, and contents used nowhere else.
    async fn remove_of_object(&self, kind: Word, id: Uuid) -> StoreResult<()>;
    /// Returns sessions, oldest first.
    async fn sessions(&self, investigation: InvestigationId) -> StoreResult<Vec<AgentSession>>;
    async fn session(&self, id: SessionId) -> StoreResult<Option<AgentSession>>;
    /// Returns record counts of each session of an investigation.
    async fn tallies(&self, investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, SessionTally>>;
    /// Records a tool call. Natural key: its id.
    async fn record_call(&self, call: &ToolCall) -> StoreResult<()>;
    async fn calls(&self, session: SessionId) -> StoreResult<Vec<ToolCall>>;
    /// Returns the calls to one tool, the failed calls and those with an injection finding, of all sessions of an investigation in
    /// order of time. No other body is read.
    async fn notable_calls(&self, investigation: InvestigationId, tool: &str) -> StoreResult<Vec<ToolCall>>;
    /// Returns the calls recorded from `from` to `to`, inclusive.
    async fn calls_between(&self, session: SessionId, from: Timestamp, to: Timestamp) -> StoreResult<Vec<ToolCall>>;
    /// Returns the injection findings of a session, in order of the calls.
    async fn injections(&self, session: SessionId) -> StoreResult<Vec<InjectionFinding>>;
    /// Returns the injection findings caused by a document, in order of the calls: in investigations that the viewer owns, or that read
    /// nothing outside the scope; and in sessions of features, where the scope has the document.
    async fn injections_of(&self, document: DocumentId, viewer: UserId, scope: &Scope) -> StoreResult<Vec<InjectionFinding>>;
    /// Returns statistics of calls since a time, by tool and source.
    async fn tool_quality(&self, since: Timestamp) -> StoreResult<Vec<ToolQuality>>;
}

/// Logged step of the machine.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredStep {
    pub number: u32,
    pub at: Timestamp,
    /// Machine input as JSON text: a model reply, tool results, a clock reading.
    pub input: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SessionEnd {
    pub status: SessionStatus,
    /// Reason of an empty or failed end.
    pub reason: Option<String>,
    pub turns: u32,
    pub tokens_in: u64,
    pub tokens_out: u64,
    pub at: Timestamp,
}
