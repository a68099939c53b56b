//! Language models behind one port. A provider sees what is in a `ModelRequest` and nothing else.

use async_trait::async_trait;
use domain::agent::AgentRole;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

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
    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError>;
}

/// One call: the conversation so far and the tools on offer.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    pub role: AgentRole,
    pub system: Arc<str>,
    pub messages: Vec<Message>,
    pub tools: Arc<[ToolSchema]>,
    pub max_output_tokens: u32,
}

/// One turn of a conversation. Cheap to clone: large texts are shared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    User { text: Arc<str> },
    Assistant { text: Arc<str>, tool_calls: Vec<ToolRequest> },
    Tools { results: Vec<ToolResult> },
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
    pub usage: Usage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    EndTurn,
    ToolUse,
    MaxTokens,
    Refused,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub tokens_in: u64,
    pub tokens_out: u64,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum ModelError {
    /// Down, overloaded, rate-limited or timed out: worth another try.
    #[error("the model does not answer: {message}")]
    Unavailable { message: String, retry_after_ms: Option<u64> },
    /// Never send the same payload again.
    #[error("the conversation is too long for the model")]
    ContextTooLong,
    /// Key refused, model unknown: a person must act.
    #[error("{0}")]
    Configuration(String),
    /// The reply could not be understood.
    #[error("the model's reply is not usable: {0}")]
    Malformed(String),
}
