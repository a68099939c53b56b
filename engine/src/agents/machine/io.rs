//! What a machine asks for and what it is fed.

use crate::agents::names::{NamePairs, NameVerdict};
use domain::{
    AssessmentId, DocumentId,
    agent::{AgentRole, SessionStatus},
};
use protocol::{
    model::{ModelReply, ToolRequest, ToolResult},
    pack::{Pack, Portion},
    refs::NewRef,
    tools::ItemError,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// What the machine wants done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Feed in what the session is told first.
    Open,
    /// Send the conversation (`Machine::messages`) to the model.
    CallModel,
    /// Call these tools, in order.
    CallTools(Vec<ToolRequest>),
    /// Read those of these documents that nobody has extracted yet, and feed them in side by side.
    ReadPack(Portion),
    /// Look up which names of this answer are probably known, before it is written.
    FindPairs(Value),
    /// Tell the person that these could not be recorded.
    NoteRefused(Vec<RefusedDocument>),
    /// Ask the person and feed the answer in; no role of today asks.
    AskHuman(String),
    Done(Outcome),
}

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Analyst: work orders were staged.
    OrdersCreated,
    /// Analyst: the question is divided into these.
    Decomposed { questions: Vec<String> },
    /// Analyst: the assessment is written.
    AssessmentProduced { assessment_id: AssessmentId },
    /// Processor: it said that it is done.
    Finished { text: Arc<str> },
    /// Analyst: ended with neither orders nor an assessment, or ran out of calls before.
    Empty { why: String },
    /// It cannot go on.
    Failed { why: String },
}

impl Outcome {
    /// What is recorded of a session that ended so.
    pub const fn status(&self) -> SessionStatus {
        match self {
            Self::OrdersCreated | Self::Decomposed { .. } | Self::AssessmentProduced { .. } | Self::Finished { .. } => {
                SessionStatus::Completed
            }
            Self::Empty { .. } => SessionStatus::Empty,
            Self::Failed { .. } => SessionStatus::Failed,
        }
    }
}

/// A part of a session's work, with a prompt and tools of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Analyst: the whole session.
    Analyse,
    /// Processor: one answer that says what to ask of which source, before any outside text is seen.
    Plan,
    /// Processor: a conversation with tools that read, about what was found.
    Research,
    /// Processor: one call without tools for each pack of documents.
    Extract,
    /// Processor: one call without tools about those names of a pack that are probably known.
    Judge,
}

/// Whether somebody tells a Processor which names are one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeMode {
    /// What is probable waits for a person.
    Off,
    Model,
}

impl JudgeMode {
    pub const fn enabled(has_judge: bool) -> Self {
        if has_judge { Self::Model } else { Self::Off }
    }
}

impl Phase {
    /// The phases of a role's sessions, in order.
    pub const fn sequence(role: AgentRole, judging: JudgeMode) -> &'static [Self] {
        match (role, judging) {
            (AgentRole::Analyst, _) => &[Self::Analyse],
            (AgentRole::Processor, JudgeMode::Off) => &[Self::Plan, Self::Research, Self::Extract],
            (AgentRole::Processor, JudgeMode::Model) => &[Self::Plan, Self::Research, Self::Extract, Self::Judge],
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Analyse => "analyse",
            Self::Plan => "plan",
            Self::Research => "research",
            Self::Extract => "extract",
            Self::Judge => "judge",
        }
    }
}

/// Something fed into the machine. The step log holds these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum Input {
    /// What the session is told first.
    Opened {
        text: Arc<str>,
        /// References that it uses.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refs: Vec<NewRef>,
    },
    Reply {
        reply: ModelReply,
    },
    /// A reply came that could not be read.
    Unreadable {
        why: String,
    },
    /// The conversation is too long for every model that could be asked.
    TooLong,
    Tools {
        results: Vec<ToolOutcome>,
    },
    Pack {
        pack: Pack,
    },
    /// Names that are probably known.
    Pairs {
        pairs: NamePairs,
    },
    /// Nobody could say which names are one thing: they go to the review list.
    Unjudged {
        why: String,
    },
    Noted,
    /// A person's answer.
    Human {
        text: Arc<str>,
    },
}

/// What a tool call came to, for the model and for the machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOutcome {
    pub result: ToolResult,
    pub effect: ToolEffect,
    /// References that it uses first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refs: Vec<NewRef>,
}

impl ToolOutcome {
    /// A call that was not made.
    pub fn refused(id: &str, why: &str) -> Self {
        let result = ToolResult { id: id.into(), content: why.into(), is_error: true };
        Self { result, effect: ToolEffect::None, refs: vec![] }
    }
}

/// What a tool call means for the session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    #[default]
    None,
    /// The call itself was wrong: no such tool, or arguments that do not fit.
    Malformed,
    OrderStaged,
    /// The same, and the session wants no other.
    LastOrderStaged,
    /// The question is divided into these.
    Decomposed {
        questions: Vec<String>,
    },
    /// An assessment came back to its author with what checks found: the next one is stored with what remains.
    FindingsReturned,
    AssessmentProduced(AssessmentId),
    /// A source named documents that are not extracted yet.
    Found {
        documents: Vec<FoundDocument>,
        /// Where to go on within what was asked for.
        next_offset: Option<u64>,
        /// The state of the source in which that counts.
        #[serde(default)]
        as_of: Option<u64>,
    },
    /// What became of each document of an extract.
    Extracted {
        documents: Vec<ExtractedDocument>,
    },
}

impl ToolEffect {
    /// Whether an Analyst's session ends with it.
    pub const fn ends_session(&self) -> bool {
        matches!(self, Self::Decomposed { .. } | Self::AssessmentProduced(_))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundDocument {
    pub document_id: DocumentId,
    /// Length of its text in bytes: at least its characters.
    pub text_bytes: u64,
}

/// Without errors it was written whole, else without what is wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractedDocument {
    pub document_id: DocumentId,
    /// With errors: whether anything was recorded.
    #[serde(default)]
    pub recorded: bool,
    pub errors: Vec<ItemError>,
    /// What the model is told about the errors: its items between marks, with the nearest words of the text. Empty where it left the
    /// document out.
    #[serde(default)]
    pub note: String,
}

/// What the answer to a pack may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteScope<'a> {
    /// These documents and no others.
    pub documents: &'a [DocumentId],
    /// Whether they are recorded whole with it, or wait for a further part.
    pub completes: bool,
    /// What is wrong is left out for good: nothing more is asked.
    pub is_last_try: bool,
    /// What is known of its names.
    pub verdicts: &'a [NameVerdict],
}

/// A document that could not be recorded, or not whole, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedDocument {
    pub document_id: DocumentId,
    pub reason: String,
}
