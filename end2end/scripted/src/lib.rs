//! A model server for tests, on loopback. It speaks Anthropic Messages and chat completions, streamed and not, checks requests as
//! strictly as the real services do, and answers by a transcript or by thinking with the built-in `extractive` provider. Faults
//! and the oddities of compatible servers come by a plan, which can be changed while it runs.

mod anthropic;
mod issued;
pub mod judged;
mod log;
mod mind;
mod openai;
mod plan;
mod prefix;
mod schema;
mod server;
mod sse;

pub use log::{Entry, Log};
pub use mind::{Mind, Reply, Then, Transcript, When};
pub use plan::{Fault, Kind, Plan, Quirk};
pub use server::{Options, Server};

use protocol::model::{ModelRequest, StopReason, ToolRequest};
use serde_json::Value;

/// A request, whichever wire it came over.
struct Asked {
    request: ModelRequest,
    model: String,
    is_streamed: bool,
    /// The answer of a given shape is wanted as the arguments of a tool.
    is_forced: bool,
    /// Whether the model was asked to think first.
    thinks: bool,
    /// A stream that ends with a count of tokens.
    wants_usage: bool,
    tokens: u64,
    cached: prefix::Cached,
}

impl Asked {
    /// Text and calls of the answer, put as a call where that was asked for.
    fn as_forced_call(&self, answer: &Answer) -> (String, Vec<ToolRequest>) {
        match &self.request.output_schema {
            Some(schema) if self.is_forced && answer.calls.is_empty() => {
                let arguments = serde_json::from_str(&answer.text).unwrap_or_else(|_| serde_json::json!({}));
                (String::new(), vec![ToolRequest { id: "call_of_the_answer".into(), name: schema.name.clone(), arguments }])
            }
            _ => (answer.text.clone(), answer.calls.clone()),
        }
    }
}

/// An answer, before it is put on a wire.
#[derive(Debug, Clone, Default)]
struct Answer {
    text: String,
    thinking: Option<String>,
    calls: Vec<ToolRequest>,
    stop: Option<Stop>,
}

/// Why an answer ends, where it is not told by what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    MaxTokens,
    Refused,
    /// Anthropic only.
    Paused,
    /// Anthropic only.
    WindowFull,
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Refused => Self::Refused,
            _ => Self::MaxTokens,
        }
    }
}

/// A request that the real service would refuse, in its words.
#[derive(Debug)]
struct Wrong(String);

/// Tokens of a text, as this server counts.
fn tokens(chars: usize) -> u64 {
    (chars as u64).div_ceil(4)
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Whether a name has only letters that both services allow.
fn is_name(name: &str, max: usize) -> bool {
    !name.is_empty()
        && name.len() <= max
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
