//! Agent sessions and tool calls as they are recorded and read.

mod injection;
mod reflection;

pub use injection::InjectionFinding;
pub use reflection::{MAX_UNVERIFIED_CONFIDENCE, Quality, ReflectedBy, Reflection, ToolQuality};

use crate::{InvestigationId, SessionId, Timestamp, ToolCallId, WorkOrderId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Role of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentRole {
    Analyst,
    Processor,
}

impl AgentRole {
    pub const ALL: [Self; 2] = [Self::Analyst, Self::Processor];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Analyst => "analyst",
            Self::Processor => "processor",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}

/// Owner of a session: the task that the session works on. An owner has at most one unfinished session of each role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionOwner {
    Investigation(InvestigationId),
    WorkOrder(WorkOrderId),
}

impl SessionOwner {
    /// Returns the stable word for the kind of owner.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Investigation(_) => "investigation",
            Self::WorkOrder(_) => "work_order",
        }
    }
}

/// Status of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    Running,
    /// The session delivered its result.
    Completed,
    /// The session ended without a work order or an assessment.
    Empty,
    Failed,
    /// The process of the session died; a new session replaced it.
    Abandoned,
}

impl SessionStatus {
    pub const ALL: [Self; 5] = [Self::Running, Self::Completed, Self::Empty, Self::Failed, Self::Abandoned];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Empty => "empty",
            Self::Failed => "failed",
            Self::Abandoned => "abandoned",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// One agent conversation inside an investigation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentSession {
    pub id: SessionId,
    pub investigation_id: InvestigationId,
    pub work_order_id: Option<WorkOrderId>,
    pub role: AgentRole,
    pub cycle: u32,
    pub provider: String,
    pub model: String,
    /// Hex SHA-256 of the prompt it was given.
    pub prompt_hash: String,
    pub status: SessionStatus,
    /// Reason for an empty or failed end.
    pub reason: Option<String>,
    pub turns: u32,
    pub tokens_in: u64,
    pub tokens_out: u64,
    pub started_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

impl AgentSession {
    pub const fn owner(&self) -> SessionOwner {
        match self.work_order_id {
            Some(order) => SessionOwner::WorkOrder(order),
            None => SessionOwner::Investigation(self.investigation_id),
        }
    }
}

/// Counts of the recorded steps and calls of a session, also while it runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionTally {
    pub steps: u64,
    pub calls: u64,
    pub failed_calls: u64,
    pub cached_calls: u64,
    /// Injection findings.
    #[serde(default)]
    pub injections: u64,
}

/// One call of a tool through the gateway, as recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: ToolCallId,
    pub session_id: SessionId,
    pub investigation_id: InvestigationId,
    pub tool: String,
    /// Source that the call names; `None` for tools without sources.
    pub source: Option<String>,
    pub arguments: serde_json::Value,
    /// The result as the model saw it.
    pub result: String,
    /// The result as the tool gave it, where the model saw something else: normalised, cut or left out.
    #[serde(default)]
    pub raw: Option<String>,
    pub is_error: bool,
    pub from_cache: bool,
    pub latency: ToolLatency,
    /// Verdict on the result; only for results with outside text.
    pub reflection: Option<Reflection>,
    /// Injection finding behind a call that was refused as outside the work order.
    #[serde(alias = "lure")]
    pub injection: Option<InjectionFinding>,
    pub called_at: Timestamp,
}

/// Where the time of a tool call went, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolLatency {
    pub cache_ms: u64,
    pub tool_ms: u64,
    pub reflection_ms: u64,
    pub total_ms: u64,
}
