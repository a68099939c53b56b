//! The record of agent sessions: each step with every input of the machine, and each tool call.

use crate::StoreResult;
use async_trait::async_trait;
use domain::{
    DocumentId, InvestigationId, SessionId, Timestamp, WorkOrderId,
    agent::{AgentSession, InjectionFinding, SessionStatus, SessionTally, ToolCall, ToolQuality},
};
use std::collections::BTreeMap;

#[async_trait]
pub trait Sessions: Send + Sync {
    /// With how it was set up, which is kept once by content hash.
    async fn start(&self, session: &AgentSession, setup: &str) -> StoreResult<()>;
    /// None: it is from before set-ups were recorded, or there is no such session.
    async fn setup(&self, session: SessionId) -> StoreResult<Option<String>>;
    /// Appends step `number` (from 0, without a hole); its input is kept once by content hash. The same number again
    /// with the same content changes nothing; with other content it is `Stale`.
    async fn append_step(&self, session: SessionId, step: &StoredStep) -> StoreResult<()>;
    async fn steps(&self, session: SessionId) -> StoreResult<Vec<StoredStep>>;
    /// At most `limit` steps from number `first` on.
    async fn steps_from(&self, session: SessionId, first: u32, limit: u32) -> StoreResult<Vec<StoredStep>>;
    async fn end(&self, session: SessionId, end: &SessionEnd) -> StoreResult<()>;
    /// The running session of an order, or of the investigation's Analyst where there is no order: whoever ran it died in the middle,
    /// or its model went away. It goes on from its last step.
    async fn unfinished(&self, investigation: InvestigationId, order: Option<WorkOrderId>)
    -> StoreResult<Option<AgentSession>>;
    /// Marks every running Analyst session of an investigation as abandoned.
    async fn abandon(&self, investigation: InvestigationId, at: Timestamp) -> StoreResult<()>;
    /// Oldest first.
    async fn sessions(&self, investigation: InvestigationId) -> StoreResult<Vec<AgentSession>>;
    async fn session(&self, id: SessionId) -> StoreResult<Option<AgentSession>>;
    /// How much is recorded of each session of an investigation.
    async fn tallies(&self, investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, SessionTally>>;
    /// Natural key: the call's id.
    async fn record_call(&self, call: &ToolCall) -> StoreResult<()>;
    async fn calls(&self, session: SessionId) -> StoreResult<Vec<ToolCall>>;
    /// The calls that were recorded from `from` to `to`, both included.
    async fn calls_between(&self, session: SessionId, from: Timestamp, to: Timestamp) -> StoreResult<Vec<ToolCall>>;
    /// Texts that led a session to ask for what its order does not allow, in the order of the calls.
    async fn lures(&self, session: SessionId) -> StoreResult<Vec<InjectionFinding>>;
    /// What a document led sessions to ask for, in the order of the calls.
    async fn lures_of(&self, document: DocumentId) -> StoreResult<Vec<InjectionFinding>>;
    /// What the calls since a time came to, by tool and source.
    async fn tool_quality(&self, since: Timestamp) -> StoreResult<Vec<ToolQuality>>;
}

/// One step of the machine as logged.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredStep {
    pub number: u32,
    pub at: Timestamp,
    /// What was fed in: a model reply, tool results, a clock reading, as JSON text.
    pub input: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SessionEnd {
    pub status: SessionStatus,
    /// Why it ended empty or failed.
    pub reason: Option<String>,
    pub turns: u32,
    pub tokens_in: u64,
    pub tokens_out: u64,
    pub at: Timestamp,
}
