//! Parsing of a completion, for all servers.

use super::super::{conversation, conversation::token_count, json, text_calls};
use protocol::model::{ModelError, ModelReply, ModelRequest, StopReason, Thinking, ToolRequest, Usage};
use serde_json::{Value, json};
use std::sync::Arc;

/// A completion, received whole or assembled from a stream.
#[derive(Debug, Default)]
pub(super) struct Completion {
    pub text: String,
    pub calls: Vec<Call>,
    pub finish: Option<String>,
    pub usage: Option<Value>,
    /// Field name and text of the reasoning, which some servers want back during a round of tools.
    pub reasoning: Option<(&'static str, String)>,
    pub refusal: Option<String>,
}

/// A tool call with its arguments as received.
#[derive(Debug, Default)]
pub(super) struct Call {
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

/// Fields for the model's reasoning.
pub(super) const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];

impl Call {
    /// Parses an entry of `tool_calls`, or of the older `function_call`.
    pub fn read(value: &Value) -> Self {
        let function = value.get("function").unwrap_or(value);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Self { id: text(&value["id"]), name: text(&function["name"]), arguments: function["arguments"].clone() }
    }
}

impl Completion {
    pub fn read(value: &Value) -> Result<Self, ModelError> {
        let choice = value["choices"].get(0).ok_or_else(|| ModelError::Malformed("it has no choices".into()))?;
        let message = &choice["message"];
        let text = |key: &str| message[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let listed = message["tool_calls"].as_array().into_iter().flatten();
        let older = message.get("function_call").filter(|call| call.is_object());
        Ok(Self {
            text: content(&message["content"]),
            calls: listed.chain(older).map(Call::read).collect(),
            finish: choice["finish_reason"].as_str().map(str::to_owned),
            usage: value.get("usage").filter(|usage| usage.is_object()).cloned(),
            reasoning: REASONING.into_iter().find_map(|key| Some((key, text(key)?))),
            refusal: text("refusal"),
        })
    }

    /// Returns the usage reported by the server, if any.
    pub fn counted(&self) -> Usage {
        self.usage.as_ref().map(usage).unwrap_or_default()
    }

    pub fn into_reply(self, name: &Arc<str>, request: &ModelRequest, sent: &Value) -> ModelReply {
        let counted = self.counted();
        let finish = self.finish.as_deref().unwrap_or_default();
        let is_cut = finish == "length";
        let mut calls: Vec<ToolRequest> = self
            .calls
            .into_iter()
            .map(|call| ToolRequest { id: call.id, name: call.name, arguments: json::arguments(call.arguments) })
            .collect();
        if is_cut && request.output_schema.is_none() && calls.last().is_some_and(|call| !call.arguments.is_object()) {
            // Its arguments broke off.
            calls.pop();
        }
        let thoughts = self.reasoning.as_ref().map(|(_, thoughts)| thoughts.as_str());
        let usage =
            conversation::with_estimates(counted, sent, &format!("{}{}", self.text, thoughts.unwrap_or_default()), &calls);
        let mut text = conversation::without_thoughts(&self.text).to_owned();
        if calls.is_empty() {
            text = conversation::answer_in_thoughts(&text, thoughts, is_cut).unwrap_or(text);
            if let Some(written) = text_calls::calls_in_text(&text, &request.tools) {
                calls = written;
                text.clear();
            }
        }
        if self.refusal.is_some() || finish == "content_filter" {
            let text = self.refusal.unwrap_or(text).into();
            return ModelReply { text, tool_calls: vec![], stop: StopReason::Refused, usage, thinking: vec![] };
        }
        let mut stop = match () {
            () if is_cut => StopReason::MaxTokens,
            () if !calls.is_empty() => StopReason::ToolUse,
            () => StopReason::EndTurn,
        };
        if let Some(schema) = &request.output_schema {
            let given = conversation::forced_answer(&calls, schema);
            if stop == StopReason::ToolUse {
                stop = StopReason::EndTurn;
            }
            let text = given.unwrap_or_else(|| if is_cut { text } else { conversation::json_answer(&text, schema) }).into();
            return ModelReply { text, tool_calls: vec![], stop, usage, thinking: vec![] };
        }
        conversation::give_ids(request, &mut calls);
        let thought = self.reasoning.filter(|_| !calls.is_empty());
        let thinking = thought.map(|(key, text)| Thinking { by: name.clone(), block: json!({key: text}) });
        ModelReply { text: text.into(), tool_calls: calls, stop, usage, thinking: thinking.into_iter().collect() }
    }
}

/// Returns the content: text, a list of parts with text, or null.
pub(super) fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// Returns the counts of a server; 0 where it gave none. One that is missing follows from the total.
fn usage(counts: &Value) -> Usage {
    let count = |key: &str| token_count(&counts[key]);
    let (tokens_in, tokens_out, total) = (count("prompt_tokens"), count("completion_tokens"), count("total_tokens"));
    let rest = |other: Option<u64>| Some(total?.saturating_sub(other?));
    let (tokens_in, tokens_out) = (tokens_in.or(rest(tokens_out)).unwrap_or(0), tokens_out.or(rest(tokens_in)).unwrap_or(0));
    let cache_read = token_count(&counts["prompt_tokens_details"]["cached_tokens"]).unwrap_or(0).min(tokens_in);
    Usage { tokens_in, tokens_out, cache_read, cache_written: 0 }
}
