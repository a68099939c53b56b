//! Building of a chat completions request.

use super::{
    super::{
        ModelSpec,
        config::StructuredOutput,
        conversation::{EMPTY_TEXT, json_instruction, wire_id},
        dialect::Dialect,
        strict,
    },
    reply::REASONING,
};
use protocol::model::{Message, ModelRequest, OutputSchema, Thinking, ToolRequest};
use serde_json::{Value, json};
use std::sync::Arc;

/// Prefix of a failed tool's result, because this API has no field for it.
const ERROR_MARK: &str = "Error: ";

pub(super) fn body(spec: &ModelSpec, request: &ModelRequest, dialect: &Dialect) -> Value {
    let mut system = request.system.to_string();
    let mut tools: Vec<Value> =
        request.tools.iter().map(|tool| function(&tool.name, &tool.description, &tool.input_schema)).collect();
    let mut body = json!({"model": spec.model});
    if let Some(schema) = &request.output_schema {
        match dialect.structured {
            StructuredOutput::Schema => body["response_format"] = schema_format(schema),
            StructuredOutput::Tool => {
                tools = vec![function(&schema.name, "Give the answer by calling this tool.", &schema.schema)];
                body["tool_choice"] = json!({"type": "function", "function": {"name": schema.name}});
            }
            StructuredOutput::Json => body["response_format"] = json!({"type": "json_object"}),
            StructuredOutput::Prompt => {}
        }
        if matches!(dialect.structured, StructuredOutput::Json | StructuredOutput::Prompt) {
            system = format!("{system}\n\n{}", json_instruction(schema)).trim().to_owned();
        }
    }
    body["messages"] = messages(&spec.name, &system, &request.messages).into();
    let limit = if dialect.completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = spec.max_output_tokens(request).min(dialect.max_output_tokens).into();
    if !tools.is_empty() {
        body["tools"] = tools.into();
    }
    if request.progress.is_some() {
        body["stream"] = true.into();
        if dialect.stream_options {
            body["stream_options"] = json!({"include_usage": true});
        }
    }
    for (key, value) in &spec.config.extra {
        body[key] = value.clone();
    }
    body
}

fn function(name: &str, description: &str, parameters: &Value) -> Value {
    json!({"type": "function", "function": {"name": name, "description": description, "parameters": parameters}})
}

fn schema_format(schema: &OutputSchema) -> Value {
    let strict = strict::is_strict(&schema.schema);
    json!({"type": "json_schema", "json_schema": {"name": schema.name, "schema": schema.schema, "strict": strict}})
}

fn messages(name: &Arc<str>, system: &str, messages: &[Message]) -> Vec<Value> {
    let mut sent = vec![];
    if !system.trim().is_empty() {
        sent.push(json!({"role": "system", "content": system}));
    }
    for message in messages {
        match message {
            Message::User { text } => say(&mut sent, text),
            Message::Tools { results } => sent.extend(results.iter().map(|result| {
                let content =
                    if result.is_error { format!("{ERROR_MARK}{}", result.content) } else { result.content.to_string() };
                json!({"role": "tool", "tool_call_id": wire_id(&result.id), "content": content})
            })),
            Message::Assistant { text, tool_calls, thinking } => sent.extend(assistant(name, text, tool_calls, thinking)),
        }
    }
    sent
}

/// Appends a user turn; consecutive ones are merged, because some models' templates refuse them.
fn say(sent: &mut Vec<Value>, text: &str) {
    let text = if text.trim().is_empty() { EMPTY_TEXT } else { text };
    match sent.last_mut() {
        Some(last) if last["role"] == "user" => {
            last["content"] = format!("{}\n\n{text}", last["content"].as_str().unwrap_or_default()).into();
        }
        _ => sent.push(json!({"role": "user", "content": text})),
    }
}

/// Returns a turn of the model; `None` for an empty one. The text beside calls is empty rather than null, which some servers' templates
/// cannot read.
fn assistant(name: &Arc<str>, text: &str, calls: &[ToolRequest], thinking: &[Thinking]) -> Option<Value> {
    if text.trim().is_empty() && calls.is_empty() {
        return None;
    }
    let mut turn = json!({"role": "assistant", "content": text});
    if !calls.is_empty() {
        let calls = calls.iter().map(|call| {
            let arguments = match &call.arguments {
                Value::String(text) => text.clone(),
                arguments => arguments.to_string(),
            };
            json!({"id": wire_id(&call.id), "type": "function", "function": {"name": call.name, "arguments": arguments}})
        });
        turn["tool_calls"] = calls.collect::<Vec<_>>().into();
    }
    for part in thinking.iter().filter(|part| part.by == *name) {
        for (key, value) in REASONING.into_iter().filter_map(|key| Some((key, part.block.get(key)?))) {
            turn[key] = value.clone();
        }
    }
    Some(turn)
}
