//! Model server for tests, on loopback. Speaks Anthropic Messages and chat completions, streamed or not, and checks requests as
//! strictly as the real services. Replies come from a transcript or from the built-in `extractive` provider; faults and quirks
//! come from a plan that can change at runtime.

mod anthropic;
mod issued;
mod log;
mod openai;
mod plan;
mod prefix;
mod responder;
mod schema;
mod server;
mod sse;
pub mod stand_in;

pub use log::{LogEntry, RequestLog};
pub use plan::{Fault, FaultKind, FaultPlan, Quirk};
pub use responder::{Fallback, Reply, ReplyCondition, Responder, Transcript};
pub use server::{Options, Server};

use protocol::model::{ModelRequest, StopReason, ToolRequest};
use serde_json::Value;

/// Parsed request of either protocol.
struct ParsedRequest {
    request: ModelRequest,
    model: String,
    is_streamed: bool,
    /// Structured output as arguments of a forced tool.
    is_forced_tool: bool,
    /// Thinking is enabled.
    thinks: bool,
    /// The stream ends with token usage.
    wants_usage: bool,
    tokens: u64,
    cached: prefix::CacheUsage,
}

impl ParsedRequest {
    /// Returns text and calls of the answer, as a call of the forced tool if there is one.
    fn as_forced_call(&self, answer: &ModelAnswer) -> (String, Vec<ToolRequest>) {
        match &self.request.output_schema {
            Some(schema) if self.is_forced_tool && answer.calls.is_empty() => {
                let arguments = serde_json::from_str(&answer.text).unwrap_or_else(|_| serde_json::json!({}));
                (String::new(), vec![ToolRequest { id: "call_of_the_answer".into(), name: schema.name.clone(), arguments }])
            }
            _ => (answer.text.clone(), answer.calls.clone()),
        }
    }
}

/// Answer of the model, before it is encoded.
#[derive(Debug, Clone, Default)]
struct ModelAnswer {
    text: String,
    thinking: Option<String>,
    calls: Vec<ToolRequest>,
    stop: Option<AnswerStop>,
}

/// Stop reason that does not follow from the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerStop {
    MaxTokens,
    Refused,
    /// Anthropic only.
    Paused,
    /// Anthropic only.
    WindowFull,
}

impl From<StopReason> for AnswerStop {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Refused => Self::Refused,
            _ => Self::MaxTokens,
        }
    }
}

/// Request that the real service would refuse, with its message.
#[derive(Debug)]
struct InvalidRequest(String);

/// Returns the token count of a text by this server's estimate.
fn tokens(chars: usize) -> u64 {
    (chars as u64).div_ceil(4)
}

fn as_text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns whether both services allow this name.
fn is_name(name: &str, max: usize) -> bool {
    !name.is_empty()
        && name.len() <= max
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
