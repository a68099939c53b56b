//! Assembly of a streamed completion, chunk by chunk.

use super::{
    super::{error_response::ErrorResponse, http::Failure, json, redaction::Redaction, sse::Event},
    reply::{Call, Completion, REASONING, content},
};
use protocol::model::{CallDraft, ModelError, ReplyProgress};
use serde_json::Value;

/// A completion received so far.
#[derive(Default)]
pub(super) struct PartialCompletion {
    completion: Completion,
    /// The server's index of each call; several servers give all calls the same, or none.
    numbers: Vec<Option<u64>>,
    bytes: u64,
    is_done: bool,
}

impl PartialCompletion {
    /// Returns the progress so far.
    pub fn progress(&self) -> ReplyProgress {
        let last = self.completion.calls.last();
        let call = last.and_then(|call| CallDraft::new(&call.name, call.arguments.as_str().unwrap_or_default()));
        ReplyProgress { bytes: self.bytes, usage: self.completion.counted(), call }
    }

    /// Handles an event; returns true for the last one.
    pub fn take(&mut self, event: &Event, redaction: &Redaction) -> Result<bool, Failure> {
        if event.data.trim() == "[DONE]" {
            self.is_done = true;
            return Ok(true);
        }
        let data: Value =
            serde_json::from_str(&event.data).map_err(|_| ModelError::Malformed("an event is not JSON".into()))?;
        if let Some(error) = data.get("error").filter(|error| !error.is_null()) {
            let status = error["code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(500);
            return Err(Failure::Response(ErrorResponse::read(status, event.data.as_bytes(), None, redaction)));
        }
        if let Some(usage) = data.get("usage").filter(|usage| usage.is_object()) {
            self.completion.usage = Some(usage.clone());
        }
        if let Some(choice) = data["choices"].get(0) {
            self.delta(&choice["delta"]);
            if let Some(finish) = choice["finish_reason"].as_str().filter(|finish| !finish.is_empty()) {
                self.completion.finish = Some(finish.to_owned());
            }
        }
        Ok(false)
    }

    /// Returns the completion; `None` when the stream ended too early. Some servers omit the last mark.
    pub fn finish(self) -> Option<Completion> {
        (self.completion.finish.is_some() || (self.is_done && self.bytes > 0)).then_some(self.completion)
    }

    fn delta(&mut self, delta: &Value) {
        let text = content(&delta["content"]);
        self.count(&text);
        self.completion.text += &text;
        if let Some(refusal) = delta["refusal"].as_str() {
            self.completion.refusal.get_or_insert_default().push_str(refusal);
        }
        for key in REASONING {
            let Some(thought) = delta[key].as_str().filter(|thought| !thought.is_empty()) else { continue };
            self.count(thought);
            self.completion.reasoning.get_or_insert_with(|| (key, String::new())).1.push_str(thought);
            break;
        }
        for part in delta["tool_calls"].as_array().into_iter().flatten() {
            self.call(part);
        }
    }

    fn count(&mut self, text: &str) {
        self.bytes += text.len() as u64;
    }

    /// Adds a part to the call with the same index, unless it begins another call.
    fn call(&mut self, part: &Value) {
        let (number, new) = (part["index"].as_u64(), Call::read(part));
        self.count(new.arguments.as_str().unwrap_or_default());
        let calls = &mut self.completion.calls;
        let same = |n: &usize| match number {
            Some(_) => self.numbers[*n] == number,
            None => true,
        };
        let open = (0..calls.len()).rev().find(same).and_then(|n| calls.get_mut(n)).filter(|open| {
            let other_id = !new.id.is_empty() && !open.id.is_empty() && new.id != open.id;
            let begins_again = new.id.is_empty() && !new.name.is_empty() && (number.is_none() || is_whole(&open.arguments));
            !other_id && !begins_again
        });
        match open {
            Some(open) => {
                if open.name.is_empty() {
                    open.name = new.name;
                }
                if open.id.is_empty() {
                    open.id = new.id;
                }
                open.arguments = joined(&open.arguments, new.arguments);
            }
            None => {
                self.numbers.push(number);
                calls.push(new);
            }
        }
    }
}

fn is_whole(arguments: &Value) -> bool {
    json::arguments(arguments.clone()).as_object().is_some_and(|object| !object.is_empty())
}

/// Joins parts of arguments: text fragments, or a whole object.
fn joined(before: &Value, part: Value) -> Value {
    match (before, part) {
        (before, Value::Null) => before.clone(),
        (Value::String(before), Value::String(part)) => Value::String(before.clone() + &part),
        (_, part) => part,
    }
}
