//! What a person watching an investigation is told: numbered, stored, append-only.

use crate::{
    AssessmentId, DocumentId, InvestigationId, SessionId, Timestamp, WorkOrderId, agent::AgentRole, agent::SessionStatus,
    budget::CallOutcome, budget::Spend, investigation::Status, work_order::WorkOrderStatus,
};
use serde::{Deserialize, Serialize};

/// One event of one investigation. `sequence` starts at 1 and has no holes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub investigation_id: InvestigationId,
    pub sequence: u64,
    pub at: Timestamp,
    pub kind: EventKind,
}

/// What happened, in terms a page can show without asking again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventKind {
    /// The state changed.
    StatusChanged {
        status: Status,
        cycle: u32,
        final_session: bool,
        reason: Option<String>,
    },
    /// A person asked it to end with kind there is.
    FinishRequested,
    /// An agent cannot go on because something that it needs does not answer; its session waits.
    DependencyDown {
        reason: String,
        /// The circuits that it waits for; none: those of every model that it may call.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        waits_for: Vec<String>,
    },
    /// A budget that it may not pass is used up; kind is there is written up.
    BudgetReached {
        reason: String,
    },
    /// A model was called; kind that one call used.
    ModelCalled {
        session_id: SessionId,
        role: AgentRole,
        provider: String,
        model: String,
        outcome: CallOutcome,
        /// What went wrong.
        message: Option<String>,
        spent: Spend,
        latency_ms: u64,
    },
    /// Documents of the investigation were stored, or refused.
    DocumentsIngested {
        stored: u64,
        copies: u64,
        rejected: u64,
    },
    SessionStarted {
        session_id: SessionId,
        role: AgentRole,
        cycle: u32,
        work_order_id: Option<WorkOrderId>,
        model: String,
    },
    SessionEnded {
        session_id: SessionId,
        status: SessionStatus,
        turns: u32,
    },
    WorkOrderChanged {
        work_order_id: WorkOrderId,
        objective: String,
        status: WorkOrderStatus,
        attempt: u32,
    },
    /// A part of the question, which is an investigation of its own, was added or has moved on.
    PartChanged {
        investigation_id: InvestigationId,
        question: String,
        status: Status,
        /// Why it is suspended or has failed.
        reason: Option<String>,
    },
    /// A Processor has this document open now.
    Reading {
        work_order_id: WorkOrderId,
        document_id: DocumentId,
        title: String,
    },
    /// A document could not be recorded; everything else goes on.
    DocumentRefused {
        session_id: SessionId,
        document_id: DocumentId,
        reason: String,
    },
    /// Running totals of kind this investigation wrote into the graph.
    GraphGrew {
        claims: u64,
        entities: u64,
        relationships: u64,
    },
    ToolCalled {
        session_id: SessionId,
        tool: String,
        summary: String,
        is_error: bool,
    },
    /// A text led a session to ask for kind its order does not allow; the call was refused.
    InjectionDetected {
        session_id: SessionId,
        tool: String,
        document_id: DocumentId,
        title: String,
    },
    AssessmentWritten {
        assessment_id: AssessmentId,
        bottom_line: String,
    },
}
