//! Prompt length estimate, before the provider has counted.

use protocol::model::{Message, ModelRequest};
use std::io;

/// Returns a high estimate: one token per `bytes_per_token` bytes.
pub fn prompt_tokens(request: &ModelRequest, bytes_per_token: f64) -> u64 {
    let messages: u64 = request.messages.iter().map(message_bytes).sum();
    let tools: u64 =
        request.tools.iter().map(|tool| len(&tool.name) + len(&tool.description) + json_bytes(&tool.input_schema)).sum();
    let shape = request.output_schema.as_ref().map_or(0, |shape| json_bytes(&shape.schema));
    ((len(&request.system) + messages + tools + shape) as f64 / bytes_per_token).ceil() as u64
}

fn message_bytes(message: &Message) -> u64 {
    match message {
        Message::User { text } => len(text),
        Message::Assistant { text, tool_calls, thinking } => {
            let calls: u64 = tool_calls.iter().map(|call| len(&call.name) + json_bytes(&call.arguments)).sum();
            let thoughts: u64 = thinking.iter().map(|thought| json_bytes(&thought.block)).sum();
            len(text) + calls + thoughts
        }
        Message::Tools { results } => results.iter().map(|result| len(&result.content)).sum(),
    }
}

fn len(text: &str) -> u64 {
    text.len() as u64
}

/// Writer that only counts bytes.
struct Counter(u64);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn json_bytes(value: &serde_json::Value) -> u64 {
    let mut counter = Counter(0);
    match serde_json::to_writer(&mut counter, value) {
        Ok(()) => counter.0,
        // Serialising a value into a counter cannot fail.
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::agent::AgentRole;
    use serde_json::json;

    #[test]
    fn all_parts_of_a_request_count() {
        let request = |text: &str, system: &str| ModelRequest {
            role: AgentRole::Analyst,
            system: system.into(),
            messages: vec![Message::User { text: text.into() }],
            tools: [].into(),
            max_output_tokens: 1,
            output_schema: None,
            progress: None,
        };
        assert_eq!(prompt_tokens(&request("äää", "123"), 3.0), 3);
        assert_eq!(json_bytes(&json!({"a": [1, 2]})), 11);
    }
}
