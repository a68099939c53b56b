//! Prompt totals of model calls.

use protocol::model::{Message, ModelRequest};
use serde::Serialize;

/// Number of calls, and characters of their prompts, cached or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PromptTotals {
    pub calls: u64,
    pub chars: u64,
}

impl PromptTotals {
    pub(super) fn add(&mut self, request: &ModelRequest) {
        let tools = request.tools.iter();
        let tools: usize =
            tools.map(|tool| chars(&tool.name) + chars(&tool.description) + chars(&tool.input_schema.to_string())).sum();
        let shape = request.output_schema.as_ref().map_or(0, |shape| chars(&shape.name) + chars(&shape.schema.to_string()));
        let messages: usize = request.messages.iter().map(message).sum();
        self.calls += 1;
        self.chars += (chars(&request.system) + tools + shape + messages) as u64;
    }
}

impl std::ops::AddAssign for PromptTotals {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.chars += other.chars;
    }
}

fn message(message: &Message) -> usize {
    match message {
        Message::User { text } => chars(text),
        Message::Assistant { text, tool_calls, .. } => {
            let calls = tool_calls.iter().map(|call| chars(&call.id) + chars(&call.name) + chars(&call.arguments.to_string()));
            chars(text) + calls.sum::<usize>()
        }
        Message::Tools { results } => results.iter().map(|result| chars(&result.id) + chars(&result.content)).sum(),
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}
