//! Agent sessions and tool calls as they are recorded and read.

mod injection;
mod reflection;

pub use injection::InjectionFinding;
pub use reflection::{MAX_UNVERIFIED_CONFIDENCE, Quality, ReflectedBy, Reflection, ToolQuality};

use crate::{InvestigationId, SessionId, Timestamp, ToolCallId, Word, WorkOrderId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Role of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentRole {
    Analyst,
    Processor,
    Dissenter,
    /// Role that a feature adds, by its name.
    #[serde(untagged)]
    Feature(Word),
}

impl AgentRole {
    /// Roles of the kernel.
    pub const ALL: [Self; 3] = [Self::Analyst, Self::Processor, Self::Dissenter];

    /// Declares a role of a feature.
    pub const fn feature(name: &'static str) -> Self {
        Self::Feature(Word::new(name))
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Analyst => "analyst",
            Self::Processor => "processor",
            Self::Dissenter => "dissenter",
            Self::Feature(name) => name.as_str(),
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).or_else(|| Word::parse(text).map(Self::Feature))
    }
}

/// Owner of a session: the task that the session works on. An owner has at most one unfinished session of each role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionOwner {
    Investigation(InvestigationId),
    WorkOrder(WorkOrderId),
    /// Object of a feature, such as an interview. Its sessions belong to no investigation.
    Feature {
        kind: Word,
        id: Uuid,
    },
}

impl SessionOwner {
    /// Returns the stable word for the kind of owner.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Investigation(_) => "investigation",
            Self::WorkOrder(_) => "work_order",
            Self::Feature { kind, .. } => kind.as_str(),
        }
    }

    pub const fn id(self) -> Uuid {
        match self {
            Self::Investigation(id) => id.0,
            Self::WorkOrder(id) => id.0,
            Self::Feature { id, .. } => id,
        }
    }
}

crate::words! {
    /// Status of a session.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum SessionStatus {
        Running = "running",
        /// The session delivered its result.
        Completed = "completed",
        /// The session ended without a work order or an assessment.
        Empty = "empty",
        Failed = "failed",
        /// The process of the session died; a new session replaced it.
        Abandoned = "abandoned",
    }
}

/// One agent conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentSession {
    pub id: SessionId,
    pub owner: SessionOwner,
    /// Investigation of the owner; `None` for an object of a feature.
    pub investigation_id: Option<InvestigationId>,
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
    /// Returns the work order that owns the session.
    pub const fn work_order_id(&self) -> Option<WorkOrderId> {
        match self.owner {
            SessionOwner::WorkOrder(order) => Some(order),
            SessionOwner::Investigation(_) | SessionOwner::Feature { .. } => None,
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
    /// `None` in the session of a feature's object.
    pub investigation_id: Option<InvestigationId>,
    pub tool: String,
    /// Source that the call names; `None` for tools without sources.
    pub source: Option<String>,
    pub arguments: serde_json::Value,
    /// The result as the model saw it.
    pub result: String,
    /// The result as the tool gave it, where the model saw something else: normalised, cut or left out.
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
