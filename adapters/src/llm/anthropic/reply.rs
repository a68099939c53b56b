//! Parsing of a message from the Messages API.

use super::super::{conversation, conversation::token_count, json, text_calls};
use protocol::model::{ModelError, ModelReply, ModelRequest, StopReason, Thinking, ToolRequest, Usage};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use std::sync::Arc;

/// A message as received.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Message {
    pub content: Vec<Value>,
    pub stop_reason: Option<String>,
    #[serde(default, deserialize_with = "UsageCounts::deserialize")]
    pub usage: UsageCounts,
}

/// Token counts; the provider counts cache reads and writes separately.
#[derive(Debug, Default)]
pub(super) struct UsageCounts {
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub cache_read_input_tokens: Option<u64>,
    pub cache_creation_input_tokens: Option<u64>,
}

impl UsageCounts {
    /// Reads counts; what is no count is left out, because a reply does not depend on it.
    pub fn read(value: &Value) -> Self {
        let count = |key: &str| token_count(&value[key]);
        Self {
            input_tokens: count("input_tokens"),
            output_tokens: count("output_tokens"),
            cache_read_input_tokens: count("cache_read_input_tokens"),
            cache_creation_input_tokens: count("cache_creation_input_tokens"),
        }
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::read(&Value::deserialize(deserializer)?))
    }

    /// Replaces counts by later ones of the same message; some servers close a stream with zeros.
    pub fn update(&mut self, later: &Self) {
        let newer = |later: Option<u64>, earlier| later.filter(|count| *count > 0).or(earlier).or(later);
        self.input_tokens = newer(later.input_tokens, self.input_tokens);
        self.output_tokens = newer(later.output_tokens, self.output_tokens);
        self.cache_read_input_tokens = newer(later.cache_read_input_tokens, self.cache_read_input_tokens);
        self.cache_creation_input_tokens = newer(later.cache_creation_input_tokens, self.cache_creation_input_tokens);
    }

    fn add(&mut self, other: &Self) {
        let sum = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a.saturating_add(b)).or(a).or(b);
        self.input_tokens = sum(self.input_tokens, other.input_tokens);
        self.output_tokens = sum(self.output_tokens, other.output_tokens);
        self.cache_read_input_tokens = sum(self.cache_read_input_tokens, other.cache_read_input_tokens);
        self.cache_creation_input_tokens = sum(self.cache_creation_input_tokens, other.cache_creation_input_tokens);
    }

    pub fn usage(&self) -> Usage {
        let cache_read = self.cache_read_input_tokens.unwrap_or(0);
        let cache_written = self.cache_creation_input_tokens.unwrap_or(0);
        Usage {
            tokens_in: self.input_tokens.unwrap_or(0).saturating_add(cache_read).saturating_add(cache_written),
            tokens_out: self.output_tokens.unwrap_or(0),
            cache_read,
            cache_written,
        }
    }
}

impl Message {
    pub fn read(value: &Value) -> Result<Self, ModelError> {
        // The parse error quotes the provider's text, which may contain anything, and is dropped.
        Self::deserialize(value).map_err(|_| ModelError::Malformed("it is not a valid message".into()))
    }

    pub fn is_paused(&self) -> bool {
        self.stop_reason.as_deref() == Some("pause_turn")
    }

    /// Appends the next part of a paused turn.
    pub fn append(&mut self, next: Self) {
        self.content.extend(next.content);
        self.stop_reason = next.stop_reason;
        self.usage.add(&next.usage);
    }

    pub fn into_reply(mut self, name: &Arc<str>, request: &ModelRequest, sent: &Value) -> Result<ModelReply, ModelError> {
        let reason = self.stop_reason.as_deref().unwrap_or_default();
        let is_cut = matches!(reason, "max_tokens" | "model_context_window_exceeded");
        if is_cut && request.output_schema.is_none() && self.content.last().is_some_and(is_call) {
            // Its arguments broke off.
            self.content.pop();
        }
        let mut calls: Vec<ToolRequest> = self.content.iter().filter(|block| is_call(block)).map(call).collect();
        let joined = |key: &str| self.content.iter().filter_map(|block| block[key].as_str()).collect::<String>();
        let (mut text, thoughts) = (joined("text"), joined("thinking"));
        let usage = conversation::with_estimates(self.usage.usage(), sent, &format!("{text}{thoughts}"), &calls);
        if reason == "model_context_window_exceeded" && calls.is_empty() {
            return Err(ModelError::ContextTooLong { used: usage });
        }
        if calls.is_empty() && reason != "refusal" {
            let answer = conversation::without_thoughts(&text);
            text = conversation::answer_in_thoughts(answer, Some(&thoughts), is_cut).unwrap_or_else(|| answer.to_owned());
            if let Some(mut written) = text_calls::calls_in_text(&text, &request.tools) {
                conversation::give_ids(request, &mut written);
                self.content.extend(written.iter().map(block));
                calls = written;
                text.clear();
            }
        }
        let mut stop = match reason {
            "refusal" => StopReason::Refused,
            _ if is_cut => StopReason::MaxTokens,
            _ if !calls.is_empty() => StopReason::ToolUse,
            _ => StopReason::EndTurn,
        };
        if stop == StopReason::Refused {
            // What it began to call is not meant.
            calls.clear();
        }
        if let Some(schema) = &request.output_schema {
            let given = conversation::forced_answer(&calls, schema);
            if stop == StopReason::ToolUse {
                stop = StopReason::EndTurn;
            }
            let text = given.unwrap_or_else(|| if is_cut { text } else { conversation::json_answer(&text, schema) }).into();
            return Ok(ModelReply { text, tool_calls: vec![], stop, usage, thinking: vec![] });
        }
        conversation::give_ids(request, &mut calls);
        let thinking = if stop == StopReason::Refused { vec![] } else { self.thinking(name) };
        Ok(ModelReply { text: text.into(), tool_calls: calls, stop, usage, thinking })
    }

    /// Returns the whole turn if it has parts for the model alone; their order matters to the provider.
    fn thinking(self, name: &Arc<str>) -> Vec<Thinking> {
        let is_plain = |block: &Value| matches!(block["type"].as_str(), Some("text" | "tool_use"));
        if self.content.iter().all(is_plain) {
            return vec![];
        }
        // A text block that is empty is not taken back.
        let kept = self.content.into_iter().filter(|block| block["text"].as_str() != Some(""));
        kept.map(|block| Thinking { by: name.clone(), block }).collect()
    }
}

fn is_call(block: &Value) -> bool {
    block["type"] == "tool_use"
}

/// Returns the block of a call that was written as text, as if it had come as one.
fn block(call: &ToolRequest) -> Value {
    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": json::as_object(&call.arguments)})
}

fn call(block: &Value) -> ToolRequest {
    let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
    ToolRequest { id: text("id"), name: text("name"), arguments: json::arguments(block["input"].clone()) }
}
