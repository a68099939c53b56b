//! Events of investigations: numbered, stored, append-only.

use crate::{
    AssessmentId, DocumentId, InvestigationId, SessionId, Timestamp, WorkOrderId, agent::AgentRole, agent::SessionStatus,
    assessment::BeliefChange, budget::CallOutcome, budget::Spend, investigation::Status, live::GraphCounts,
    work_order::WorkOrderStatus,
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

/// Kind of an event, with all that a page needs to show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventKind {
    /// The status changed.
    StatusChanged {
        status: Status,
        cycle: u32,
        final_session: bool,
        reason: Option<String>,
    },
    /// A person asked to stop and write the assessment.
    FinishRequested,
    /// A person asked to go on with a suspended investigation now.
    ResumeRequested,
    /// A dependency of an agent is down; the session waits.
    DependencyDown {
        reason: String,
        /// Circuits that the session waits for; empty: those of every model of its role.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        waits_for: Vec<String>,
    },
    /// A budget is used up; the assessment is written from what was found so far.
    BudgetReached {
        reason: String,
    },
    /// A model was called.
    ModelCalled {
        session_id: SessionId,
        role: AgentRole,
        provider: String,
        model: String,
        outcome: CallOutcome,
        /// Error message.
        message: Option<String>,
        spent: Spend,
        latency_ms: u64,
    },
    /// Documents of the investigation were stored or rejected.
    DocumentsIngested {
        /// New documents.
        stored: u64,
        /// Files that were stored already, and new documents with a text that was in the library or in another file.
        copies: u64,
        /// Names of the copies, up to a limit.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        copied: Vec<String>,
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
    /// A part of the question, an investigation of its own, was added or changed its status.
    PartChanged {
        investigation_id: InvestigationId,
        question: String,
        status: Status,
        /// Why it is suspended or has failed.
        reason: Option<String>,
    },
    /// A Processor has opened a document.
    Reading {
        work_order_id: WorkOrderId,
        document_id: DocumentId,
        title: String,
    },
    /// A document could not be recorded, or only in part; the session continues.
    DocumentRefused {
        session_id: SessionId,
        document_id: DocumentId,
        reason: String,
        /// Whether the rest of the document was recorded.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        in_part: bool,
    },
    /// Additions to the graph by one write of this investigation.
    GraphAdded(GraphCounts),
    /// Totals of the visible graph in older stores: no figures of the investigation.
    GraphGrew {},
    ToolCalled {
        session_id: SessionId,
        tool: String,
        summary: String,
        is_error: bool,
    },
    /// A call outside the work order that repeats words of a document; it was refused. Older stores name it `lure_found`.
    #[serde(alias = "lure_found")]
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
    /// The assessment was compared with the earlier one of the same question. It has figures only: not every reader of the one may
    /// read the other.
    BeliefChanged {
        assessment_id: AssessmentId,
        earlier_id: AssessmentId,
        change: BeliefChange,
    },
}
