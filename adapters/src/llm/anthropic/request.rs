//! Building of a Messages API request.

use super::super::{
    ModelSpec,
    config::{StructuredOutput, ThinkingMode},
    conversation::{EMPTY_TEXT, json_instruction, wire_id},
    dialect::Dialect,
    json, strict,
};
use protocol::model::{Message, ModelRequest, Thinking, ToolRequest};
use serde_json::{Value, json};
use std::sync::Arc;

/// Number of user turns from the end with a cache mark: the last for the next request, and the one before, where this request finds the
/// last one's entry.
const CACHED_TURNS: usize = 2;

pub(super) fn body(spec: &ModelSpec, request: &ModelRequest, dialect: &Dialect) -> Value {
    let cache = spec.config.cache;
    let max_output_tokens = spec.max_output_tokens(request);
    // An answer of a given shape is mostly the only one in its conversation, which is then not read again.
    let goes_on = cache && request.output_schema.is_none();
    let mut body = json!({
        "model": spec.model,
        "max_tokens": max_output_tokens,
        "messages": messages(&spec.name, &request.messages, goes_on),
    });
    let mut system = request.system.to_string();
    let mut tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name, "description": tool.description, "input_schema": tool.input_schema,
            })
        })
        .collect();
    let mut thinks = true;
    if let Some(schema) = &request.output_schema {
        match way(dialect, &schema.schema) {
            StructuredOutput::Tool => {
                let description = "Give the answer by calling this tool.";
                tools = vec![json!({"name": schema.name, "description": description, "input_schema": schema.schema})];
                body["tool_choice"] = json!({"type": "tool", "name": schema.name});
                // A tool cannot be forced on a model that thinks.
                thinks = false;
            }
            StructuredOutput::Schema => {
                body["output_config"] = json!({"format": {"type": "json_schema", "schema": schema.schema}})
            }
            StructuredOutput::Json | StructuredOutput::Prompt => {
                system = format!("{system}\n\n{}", json_instruction(schema)).trim().to_owned()
            }
        }
    }
    if !system.trim().is_empty() {
        body["system"] = json!([mark_cacheable(json!({"type": "text", "text": system}), cache)]);
    }
    if let Some(last) = tools.pop() {
        tools.push(mark_cacheable(last, cache));
        body["tools"] = tools.into();
    }
    if thinks && let Some(thinking) = thinking(spec, request, max_output_tokens) {
        body["thinking"] = thinking;
    }
    if request.progress.is_some() {
        body["stream"] = true.into();
    }
    for (key, value) in &spec.config.extra {
        body[key] = value.clone();
    }
    body
}

/// Returns the method for this schema: one that the service cannot enforce strictly goes as a tool.
fn way(dialect: &Dialect, schema: &Value) -> StructuredOutput {
    match dialect.structured {
        StructuredOutput::Schema if !strict::is_strict_for_anthropic(schema) => StructuredOutput::Tool,
        structured => structured,
    }
}

/// Minimum thinking budget of the Messages API.
const LEAST_THINKING_TOKENS: u32 = 1_024;

/// Returns the thinking setting. An older model with a token budget refuses to continue a round of tools that it did not begin by
/// thinking, for example after a change of model.
fn thinking(spec: &ModelSpec, request: &ModelRequest, max_output_tokens: u32) -> Option<Value> {
    let name = &spec.name;
    match spec.config.thinking {
        ThinkingMode::Off => None,
        ThinkingMode::Adaptive => Some(json!({"type": "adaptive"})),
        ThinkingMode::Tokens(tokens) => {
            let began = match request.messages.last() {
                Some(Message::Tools { .. }) => last_thinking(&request.messages).iter().any(|part| part.by == *name),
                _ => true,
            };
            let tokens = tokens.min(max_output_tokens.saturating_sub(1));
            // Fewer are refused; under a cap that leaves no more, it answers without.
            (began && tokens >= LEAST_THINKING_TOKENS).then(|| json!({"type": "enabled", "budget_tokens": tokens}))
        }
    }
}

fn last_thinking(messages: &[Message]) -> &[Thinking] {
    let last = messages.iter().rev().find_map(|message| match message {
        Message::Assistant { thinking, .. } => Some(thinking.as_slice()),
        _ => None,
    });
    last.unwrap_or_default()
}

/// Marks the end of a cacheable prefix.
fn mark_cacheable(mut block: Value, cache: bool) -> Value {
    if cache {
        block["cache_control"] = json!({"type": "ephemeral"});
    }
    block
}

/// Returns alternating turns, never empty.
fn messages(name: &Arc<str>, messages: &[Message], cache: bool) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = vec![];
    for message in messages {
        let (role, blocks) = match message {
            Message::User { text } => ("user", vec![text_block(text)]),
            Message::Tools { results } => ("user", results.iter().map(|result| {
                json!({"type": "tool_result", "tool_use_id": wire_id(&result.id), "content": &*result.content, "is_error": result.is_error})
            }).collect()),
            Message::Assistant { text, tool_calls, thinking } => ("assistant", assistant(name, text, tool_calls, thinking)),
        };
        match turns.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, held)) if *last == role => held.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    let users: Vec<usize> = (0..turns.len()).rev().filter(|n| turns[*n].0 == "user").take(CACHED_TURNS).collect();
    for n in users {
        if let Some(last) = turns[n].1.pop() {
            turns[n].1.push(mark_cacheable(last, cache));
        }
    }
    turns.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

/// Returns a turn of the model unchanged if it is the same model's and complete.
fn assistant(name: &Arc<str>, text: &str, calls: &[ToolRequest], thinking: &[Thinking]) -> Vec<Value> {
    let came: Vec<&str> = thinking.iter().filter_map(|part| part.block["id"].as_str()).collect();
    let is_whole = came.iter().copied().eq(calls.iter().map(|call| call.id.as_str()))
        && calls.iter().all(|call| call.arguments.is_object());
    if !thinking.is_empty() && is_whole && thinking.iter().all(|part| part.by == *name) {
        return thinking.iter().map(|part| part.block.clone()).collect();
    }
    let said = (!text.trim().is_empty()).then(|| text_block(text));
    let called = calls.iter().map(|call| {
        json!({"type": "tool_use", "id": wire_id(&call.id), "name": call.name, "input": json::as_object(&call.arguments)})
    });
    said.into_iter().chain(called).collect()
}

fn text_block(text: &str) -> Value {
    json!({"type": "text", "text": if text.trim().is_empty() { EMPTY_TEXT } else { text }})
}
