//! Parsing of a message from the Messages API.

use super::super::{conversation, json};
use protocol::model::{ModelError, ModelReply, ModelRequest, StopReason, Thinking, ToolRequest, Usage};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// A message as received.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Message {
    pub content: Vec<Value>,
    pub stop_reason: Option<String>,
    #[serde(default)]
    pub usage: UsageCounts,
}

/// Token counts; the provider counts cache reads and writes separately.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct UsageCounts {
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub cache_read_input_tokens: Option<u64>,
    pub cache_creation_input_tokens: Option<u64>,
}

impl UsageCounts {
    /// Replaces counts by later ones of the same message.
    pub fn update(&mut self, later: &Self) {
        self.input_tokens = later.input_tokens.or(self.input_tokens);
        self.output_tokens = later.output_tokens.or(self.output_tokens);
        self.cache_read_input_tokens = later.cache_read_input_tokens.or(self.cache_read_input_tokens);
        self.cache_creation_input_tokens = later.cache_creation_input_tokens.or(self.cache_creation_input_tokens);
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
        // What exactly is wrong is told in the provider's words, which may hold anything.
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

    pub fn into_reply(mut self, name: &Arc<str>, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let reason = self.stop_reason.as_deref().unwrap_or_default();
        let is_cut = matches!(reason, "max_tokens" | "model_context_window_exceeded");
        if is_cut && self.content.last().is_some_and(is_call) {
            // Its arguments broke off.
            self.content.pop();
        }
        let mut calls: Vec<ToolRequest> = self.content.iter().filter(|block| is_call(block)).map(call).collect();
        let text: String = self.content.iter().filter_map(|block| block["text"].as_str()).collect();
        if reason == "model_context_window_exceeded" && calls.is_empty() {
            return Err(ModelError::ContextTooLong { used: self.usage.usage() });
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
        let usage = self.usage.usage();
        if let Some(schema) = &request.output_schema {
            let given = calls.iter().find(|call| call.name == schema.name).map(|call| match &call.arguments {
                Value::String(text) => text.clone(),
                arguments => arguments.to_string(),
            });
            if stop == StopReason::ToolUse {
                stop = StopReason::EndTurn;
            }
            let text = given.unwrap_or_else(|| conversation::json_answer(&text)).into();
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

fn call(block: &Value) -> ToolRequest {
    let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
    ToolRequest { id: text("id"), name: text("name"), arguments: json::arguments(block["input"].clone()) }
}
