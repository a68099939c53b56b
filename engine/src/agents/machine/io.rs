//! Requests and inputs of the session state machine.

use super::pairs::{NamePairs, NameVerdict};
use domain::{AssessmentId, DocumentId, Word, agent::SessionStatus};
use protocol::{
    model::{ModelReply, ToolRequest, ToolResult},
    pack::{Pack, Portion},
    refs::NewRef,
    tools::ItemError,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Next request of the machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Feed in the first message.
    Open,
    /// Send the conversation to the model.
    CallModel,
    /// Call these tools, in order.
    CallTools(Vec<ToolRequest>),
    /// Read the documents of this portion that are not extracted yet, and feed them in together.
    ReadPack(Portion),
    /// Look up which names of this answer are probably known, before it is recorded.
    FindPairs(Value),
    /// Report documents that could not be recorded.
    NoteRefused(Vec<RefusedDocument>),
    /// Wait for the answer of a person.
    AskPerson(PersonQuestion),
    Done(Outcome),
}

/// Outcome of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Analyst: work orders were staged.
    OrdersCreated,
    /// Analyst: the question is divided into these.
    Decomposed { questions: Vec<String> },
    /// Analyst: the assessment is written.
    AssessmentProduced { assessment_id: AssessmentId },
    /// Dissenter and roles of features: the structured answer of the last phase.
    Answered { answer: Value },
    /// Processor: finished.
    Finished { text: Arc<str> },
    /// Analyst: ended without work orders or assessment, or ran out of tool calls.
    Empty { why: String },
    /// The session cannot continue.
    Failed { why: String },
}

impl Outcome {
    /// Returns the recorded status of the outcome.
    pub const fn status(&self) -> SessionStatus {
        match self {
            Self::OrdersCreated
            | Self::Decomposed { .. }
            | Self::AssessmentProduced { .. }
            | Self::Answered { .. }
            | Self::Finished { .. } => SessionStatus::Completed,
            Self::Empty { .. } => SessionStatus::Empty,
            Self::Failed { .. } => SessionStatus::Failed,
        }
    }
}

/// Phase of a session, with its own prompt and tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Analyst: the whole session.
    Analyse,
    /// Processor: one answer that plans the source queries, before any outside text is seen.
    Plan,
    /// Processor: a conversation with read-only tools about the results.
    Research,
    /// Processor: one call without tools for each pack of documents.
    Extract,
    /// Processor: one call without tools about the probably known names of a pack.
    Judge,
    /// Dissenter: one answer that argues against the leading answer.
    Dissent,
    /// Phase of a role of a feature, by its name.
    #[serde(untagged)]
    Feature(Word),
}

/// Result in which the sessions of a role end, which decides their course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Work orders, parts of the question or the product, from a conversation with tools. The final session must end with the
    /// product.
    Product,
    /// Records of the documents found, pack by pack.
    Records,
    /// Structured answer of the last phase, which the caller gets.
    Answer,
}

/// Question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonQuestion {
    /// Number in the session, from 1.
    pub number: u32,
    pub text: String,
}

/// Mode of the name judge in a Processor session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeMode {
    /// Probable matches go to the review list.
    Off,
    Model,
}

impl JudgeMode {
    pub const fn enabled(has_judge: bool) -> Self {
        if has_judge { Self::Model } else { Self::Off }
    }
}

impl Phase {
    /// Declares a phase of a role of a feature.
    pub const fn feature(name: &'static str) -> Self {
        Self::Feature(Word::new(name))
    }

    /// Phases of the roles of the kernel.
    pub const KERNEL: [Self; 6] = [Self::Analyse, Self::Plan, Self::Research, Self::Extract, Self::Judge, Self::Dissent];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Analyse => "analyse",
            Self::Plan => "plan",
            Self::Research => "research",
            Self::Extract => "extract",
            Self::Judge => "judge",
            Self::Dissent => "dissent",
            Self::Feature(name) => name.as_str(),
        }
    }
}

/// Input of the machine, as stored in the step log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum Input {
    /// First message.
    Opened {
        text: Arc<str>,
        /// Short references that the text introduces.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refs: Vec<NewRef>,
        /// Facts of the caller that the check of the answer compares it with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        given: Option<Value>,
    },
    Reply {
        reply: ModelReply,
    },
    /// Reply that could not be parsed.
    Unreadable {
        why: String,
    },
    /// Conversation too long for every available model.
    TooLong,
    Tools {
        results: Vec<ToolOutcome>,
    },
    Pack {
        pack: Pack,
    },
    /// Pairs of names that are probably one entity.
    Pairs {
        pairs: NamePairs,
    },
    /// No verdict on the pairs: they go to the review list.
    Unjudged {
        why: String,
    },
    Noted,
    /// Answer of a person; none: they end the questions.
    Answered {
        text: Option<Arc<str>>,
    },
}

/// Outcome of a tool call, for the model and for the machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOutcome {
    pub result: ToolResult,
    pub effect: ToolEffect,
    /// Short references that the result introduces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refs: Vec<NewRef>,
}

impl ToolOutcome {
    /// Builds the outcome of a call that was not executed.
    pub fn refused(id: &str, why: &str) -> Self {
        let result = ToolResult { id: id.into(), content: why.into(), is_error: true };
        Self { result, effect: ToolEffect::None, refs: vec![] }
    }
}

/// Effect of a tool call on the session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    #[default]
    None,
    /// Malformed call: unknown tool or invalid arguments.
    Malformed,
    OrderStaged,
    /// A work order was staged, and it is the last of the session.
    LastOrderStaged,
    /// The question is divided into these.
    Decomposed {
        questions: Vec<String>,
    },
    /// Check findings were returned to the author; the next draft is stored with the remaining findings.
    FindingsReturned,
    AssessmentProduced(AssessmentId),
    /// A source listed documents that are not extracted yet.
    Found {
        documents: Vec<FoundDocument>,
        /// Offset of the next page of the query.
        next_offset: Option<u64>,
        /// Source version to which the offset applies.
        #[serde(default)]
        as_of: Option<u64>,
    },
    /// Extraction result of each document.
    Extracted {
        documents: Vec<ExtractedDocument>,
    },
    /// Question to a person, whose answer the session waits for. Of a role that ends in an answer.
    AsksPerson {
        question: String,
    },
}

impl ToolEffect {
    /// Returns whether the effect ends an Analyst session.
    pub const fn ends_session(&self) -> bool {
        matches!(self, Self::Decomposed { .. } | Self::AssessmentProduced(_))
    }

    /// Returns why the calls after it in one reply are refused, if they are.
    pub const fn refuses_later_calls(&self) -> Option<&'static str> {
        match self {
            Self::AsksPerson { .. } => Some("a question is put to the person with the call before: wait for the answer"),
            _ if self.ends_session() => Some("the session has ended with the call before"),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundDocument {
    pub document_id: DocumentId,
    /// Length of the text in bytes, an upper bound of its characters.
    pub text_bytes: u64,
}

/// Extraction result of a document; without errors it was recorded completely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractedDocument {
    pub document_id: DocumentId,
    /// Whether anything was recorded, when there are errors.
    #[serde(default)]
    pub recorded: bool,
    pub errors: Vec<ItemError>,
    /// Error report for the model: fenced items with the nearest words of the text. Empty for an omitted document.
    #[serde(default)]
    pub note: String,
}

/// Write scope of the answer to a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteScope<'a> {
    /// Documents that may be written.
    pub documents: &'a [DocumentId],
    /// Whether the documents are complete with this answer, or wait for a further part.
    pub completes: bool,
    /// Whether invalid items are dropped without asking again.
    pub is_last_try: bool,
    /// Verdicts on the names of the answer.
    pub verdicts: &'a [NameVerdict],
}

/// Document that was not recorded, or only in part, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedDocument {
    pub document_id: DocumentId,
    pub reason: String,
    /// Whether the rest of the document was recorded.
    #[serde(default)]
    pub in_part: bool,
}
