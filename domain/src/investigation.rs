//! Investigations and their state machine.

mod terms;
mod transitions;

pub use terms::{Depth, Period, Reading, Terms};
pub use transitions::{Effect, InvalidTransition, Limits, Progress, Signal};

use crate::{CollectionId, InvestigationId, Scope, Timestamp, UserId, model_choice::ModelChoices};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Kind of an investigation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InvestigationKind {
    #[default]
    Intelligence,
    /// Setting of a feature's session that belongs to no investigation. It is never stored; its id is that of the session's owner.
    Feature,
}

impl InvestigationKind {
    /// Kinds that are stored.
    pub const ALL: [Self; 1] = [Self::Intelligence];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Intelligence => "intelligence",
            Self::Feature => "feature",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

crate::words! {
    /// Trigger of an investigation.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Trigger {
        #[default]
        Prompt = "prompt",
        /// A standing question that was due.
        Schedule = "schedule",
    }

    /// Status of an investigation; `Progress::after` is the table of transitions.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Status {
        #[default]
        Pending = "pending",
        AnalystRunning = "analyst_running",
        Processing = "processing",
        Suspended = "suspended",
        Completed = "completed",
        Failed = "failed",
    }
}

impl Status {
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

crate::words! {
    /// Point at which a suspended investigation resumes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ResumeFrom {
        Analyst = "analyst",
        Processing = "processing",
    }

    /// Web access of the agents of an investigation.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum WebAccess {
        #[default]
        On = "on",
        /// They read only documents of the library.
        Off = "off",
    }

    /// Kind of continuation of an earlier question.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum FollowKind {
        /// Another question about the same matter.
        FollowUp = "follow_up",
        /// The same question run again: its next version.
        Rerun = "rerun",
    }
}

/// Progress of an investigation in figures, for lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgressSummary {
    pub cycle: u32,
    /// Work orders of all cycles, and how many of them are resolved.
    pub orders: u64,
    pub resolved: u64,
    /// Claims that it has written into the graph.
    pub claims: u64,
}

/// One question being worked on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Investigation {
    pub id: InvestigationId,
    pub owner: UserId,
    /// The question as the person wrote it.
    pub question: String,
    pub kind: InvestigationKind,
    pub trigger: Trigger,
    /// Model for every role, as `PROVIDER:MODEL`, where the question names one; `None`: as configured.
    pub model: Option<String>,
    /// Models that an administrator had chosen in the app when it started, for questions that name none.
    #[serde(default)]
    pub models: ModelChoices,
    /// The investigation that it is a part of.
    pub parent_id: Option<InvestigationId>,
    /// Collections that its agents may read.
    pub scope: Scope,
    /// Collection of the documents that it captures.
    pub collection_id: CollectionId,
    /// Addresses that its owner gave, as typed.
    #[serde(default)]
    pub addresses: Vec<String>,
    #[serde(default)]
    pub web: WebAccess,
    #[serde(default)]
    pub terms: Terms,
    pub progress: Progress,
    /// Reason for a suspension or failure, for people.
    pub reason: Option<String>,
    pub suspended_at: Option<Timestamp>,
    /// W3C trace context that every order and log line of it carries.
    pub traceparent: String,
    pub created_at: Timestamp,
    pub completed_at: Option<Timestamp>,
}

impl Investigation {
    /// Returns the id under which records refer to it; none where it is never stored.
    pub fn stored_id(&self) -> Option<InvestigationId> {
        (self.kind != InvestigationKind::Feature).then_some(self.id)
    }
}
