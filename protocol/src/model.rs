//! The port of language models, and the messages that go over it. A provider sees what is in a `ModelRequest` and nothing else.

mod price;

pub use price::{Price, Usage};

use async_trait::async_trait;
use domain::{agent::AgentRole, assessment::AssessmentKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};
use tokio::sync::watch;

/// A provider with one model.
#[async_trait]
pub trait Model: Send + Sync {
    /// `extractive`, `anthropic`, `openai`, `replay`.
    fn provider(&self) -> &str;
    fn model(&self) -> &str;
    /// Whether searches on its behalf may use vectors. A deterministic provider says no: which vectors exist depends on timing.
    fn wants_vectors(&self) -> bool {
        true
    }
    /// Whether it gives the same reply to the same request at any time, so that replay may ask it again.
    fn is_deterministic(&self) -> bool {
        false
    }
    /// Returns the hex SHA-256 of the prompts that its replies were given to, by kind of call; `None` for those of the requests.
    fn prompt_hashes(&self) -> Option<BTreeMap<String, String>> {
        None
    }
    /// Whether it can tell if two names are one thing. One that cannot is never asked.
    fn can_judge(&self) -> bool {
        true
    }
    /// Whether it can argue against an assessment. One that cannot is never asked.
    fn can_dissent(&self) -> bool {
        false
    }
    /// The product that it writes as the Analyst: the tool for that one is offered to it, and no other.
    fn product(&self) -> AssessmentKind {
        AssessmentKind::Assessment
    }
    /// Returns the price; models on the operator's own machine are free.
    fn price(&self) -> Price {
        Price::default()
    }
    /// Maximum number of tokens of a request with its reply, where that is known.
    fn context_tokens(&self) -> Option<u32> {
        None
    }
    /// Whether its replies are taken as they are written, so that it is known at any time what a call has used.
    fn streams(&self) -> bool {
        false
    }
    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError>;
}

/// One call: the conversation so far, and the tools on offer or the shape that the answer must have.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    pub role: AgentRole,
    pub system: Arc<str>,
    pub messages: Vec<Message>,
    pub tools: Arc<[ToolSchema]>,
    pub max_output_tokens: u32,
    /// The answer is JSON of this shape, given as the reply's `text`. Goes without tools: a request has one or the other.
    pub output_schema: Option<Arc<OutputSchema>>,
    /// Progress of a streamed reply, for a person who watches. The reply itself is the same.
    pub progress: Option<watch::Sender<ReplyProgress>>,
}

/// The progress of a reply that is being written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplyProgress {
    /// Bytes in UTF-8, thoughts and arguments included.
    pub bytes: u64,
    /// Usage so far, as the provider counts; before the end mostly input.
    pub usage: Usage,
    /// The tool call that is being written; none: none yet, or a long one.
    pub call: Option<Arc<CallDraft>>,
}

/// A tool call as far as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallDraft {
    pub name: String,
    /// The beginning of a JSON object.
    pub arguments: String,
}

impl CallDraft {
    /// Longest arguments in bytes. Longer ones are no text for a person who waits.
    const MAX_BYTES: usize = 2_000;

    /// Returns the draft of a call; none without a name, and for a long one.
    pub fn new(name: &str, arguments: &str) -> Option<Arc<Self>> {
        let is_shown = !name.is_empty() && arguments.len() <= Self::MAX_BYTES;
        is_shown.then(|| Arc::new(Self { name: name.to_owned(), arguments: arguments.to_owned() }))
    }
}

/// The shape of an answer in JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputSchema {
    /// Letters, digits and underscores.
    pub name: String,
    /// JSON schema of an object, everything inlined.
    pub schema: Value,
}

/// One turn of a conversation. Cheap to clone: large texts are shared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    User {
        text: Arc<str>,
    },
    Assistant {
        text: Arc<str>,
        tool_calls: Vec<ToolRequest>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        thinking: Vec<Thinking>,
    },
    Tools {
        results: Vec<ToolResult>,
    },
}

/// Part of a turn that only the model who wrote it understands, and to whom it goes back unchanged. People may read it; code never does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thinking {
    /// `provider:model`, the only recipient.
    pub by: Arc<str>,
    /// As it came over the wire.
    pub block: Value,
}

/// A tool that the model wants called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolRequest {
    /// The provider's id of this call, unique within the session.
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

/// The answer to a `ToolRequest`, as the model reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    pub id: String,
    pub content: Arc<str>,
    pub is_error: bool,
}

/// A tool as it is offered to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSchema {
    pub name: String,
    pub description: String,
    /// JSON schema of the arguments.
    pub input_schema: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelReply {
    pub text: Arc<str>,
    pub tool_calls: Vec<ToolRequest>,
    pub stop: StopReason,
    #[serde(default)]
    pub usage: Usage,
    /// To be kept in the `Message::Assistant` made of this reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thinking: Vec<Thinking>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    EndTurn,
    ToolUse,
    /// Cut at `max_output_tokens` or at the end of the context; tool calls that were cut are left out.
    MaxTokens,
    /// The model, or a filter of its provider, declines.
    Refused,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum ModelError {
    /// Down, overloaded, rate-limited or timed out: worth another try.
    #[error("the model does not answer: {message}")]
    Unavailable { message: String, retry_after_ms: Option<u64> },
    /// Never send the same payload again.
    #[error("the conversation is too long for the model")]
    ContextTooLong {
        /// Usage before the end of the context, which is paid for.
        used: Usage,
    },
    /// It was sent, and its end was not seen: too slow, or broken off. Worth another try, but perhaps not free.
    #[error("the model does not answer: {0}")]
    Cut(String),
    /// The provider finds this request wrong. It would take others, so it is neither down nor set up badly.
    #[error("{0}")]
    Rejected(String),
    /// Key refused, model unknown: a person must act.
    #[error("{0}")]
    Configuration(String),
    /// The reply could not be understood.
    #[error("the model's reply is not usable: {0}")]
    Malformed(String),
}
