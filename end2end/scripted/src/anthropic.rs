//! Anthropic Messages protocol.

mod check;

use crate::{
    AnswerStop, FaultPlan, InvalidRequest, ModelAnswer, ParsedRequest, as_text,
    issued::{self, IssuedBlocks},
    prefix::{self, PrefixCache},
    responder, sse, tokens,
};
use axum::{Json, http::StatusCode, response::IntoResponse, response::Response};
use protocol::model::{Message, ModelRequest, OutputSchema, ToolRequest, ToolResult, ToolSchema};
use serde_json::{Value, json};
use std::{fmt::Write, sync::Arc};

/// Parses a request as strictly as the service, with the quirks of the plan.
pub(crate) fn read(
    body: &Value,
    issued: &IssuedBlocks,
    plan: &FaultPlan,
    cache: &mut PrefixCache,
) -> Result<ParsedRequest, InvalidRequest> {
    check::all(body, issued, plan)?;
    let messages = body["messages"].as_array().into_iter().flatten().flat_map(message).collect();
    let mut tools: Vec<ToolSchema> = body["tools"].as_array().into_iter().flatten().map(tool).collect();
    let forced = body["tool_choice"]["name"].as_str().and_then(|name| tools.iter().position(|tool| tool.name == name));
    let output_schema = match forced {
        Some(n) => {
            let tool = tools.remove(n);
            tools.clear();
            Some(OutputSchema { name: tool.name, schema: tool.input_schema })
        }
        None => body["output_config"]["format"]
            .get("schema")
            .map(|schema| OutputSchema { name: "answer".into(), schema: schema.clone() }),
    };
    let system = concat_text(&body["system"]);
    let role = responder::role_of(tools.iter().map(|tool| tool.name.as_str()));
    Ok(ParsedRequest {
        request: ModelRequest {
            role,
            system: system.into(),
            messages,
            tools: tools.into(),
            max_output_tokens: body["max_tokens"].as_u64().and_then(|limit| u32::try_from(limit).ok()).unwrap_or(u32::MAX),
            output_schema: output_schema.map(Arc::new),
            progress: None,
        },
        model: as_text(&body["model"]).to_owned(),
        is_streamed: body["stream"] == true,
        is_forced_tool: forced.is_some(),
        thinks: body.get("thinking").is_some(),
        wants_usage: true,
        tokens: tokens(body.to_string().chars().count()),
        cached: cache.take_messages(body),
    })
}

fn tool(tool: &Value) -> ToolSchema {
    let text = |key: &str| as_text(&tool[key]).to_owned();
    ToolSchema { name: text("name"), description: text("description"), input_schema: tool["input_schema"].clone() }
}

/// Converts one turn: tool results come before the user's text.
fn message(message: &Value) -> Vec<Message> {
    let content = &message["content"];
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    if message["role"] == "assistant" {
        let calls = blocks.iter().filter(|block| block["type"] == "tool_use").map(|block| ToolRequest {
            id: as_text(&block["id"]).to_owned(),
            name: as_text(&block["name"]).to_owned(),
            arguments: block["input"].clone(),
        });
        return vec![Message::Assistant { text: concat_text(content).into(), tool_calls: calls.collect(), thinking: vec![] }];
    }
    let results = blocks.iter().filter(|block| block["type"] == "tool_result").map(|block| ToolResult {
        id: as_text(&block["tool_use_id"]).to_owned(),
        content: concat_text(&block["content"]).into(),
        is_error: block["is_error"] == true,
    });
    let (results, text) = (results.collect::<Vec<_>>(), concat_text(content));
    let results_message = (!results.is_empty()).then_some(Message::Tools { results });
    let text_message = (!text.is_empty()).then(|| Message::User { text: text.into() });
    results_message.into_iter().chain(text_message).collect()
}

/// Returns a text, or the joined texts of a list of blocks.
fn concat_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        content => content.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str()).collect(),
    }
}

/// Writes the answer whole or as events.
pub(crate) fn write(parsed: &ParsedRequest, answer: &ModelAnswer, stream_fault: sse::StreamFault) -> Response {
    let message = body(parsed, answer);
    if parsed.is_streamed {
        return sse::stream(events(&message), stream_fault);
    }
    Json(message).into_response()
}

/// Returns the whole message.
pub(crate) fn body(parsed: &ParsedRequest, answer: &ModelAnswer) -> Value {
    let mut content = vec![];
    if let Some(thought) = &answer.thinking {
        content.push(issued::block(thought));
    }
    let (text, calls) = parsed.as_forced_call(answer);
    if !text.is_empty() {
        content.push(json!({"type": "text", "text": text}));
    }
    content.extend(
        calls.iter().map(|call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments})),
    );
    let reason = match answer.stop {
        Some(AnswerStop::MaxTokens) => "max_tokens",
        Some(AnswerStop::Refused) => "refusal",
        Some(AnswerStop::Paused) => "pause_turn",
        Some(AnswerStop::WindowFull) => "model_context_window_exceeded",
        None if calls.is_empty() => "end_turn",
        None => "tool_use",
    };
    let written = tokens(Value::from(content.clone()).to_string().chars().count());
    let prefix::CacheUsage { read, written: put } = parsed.cached;
    json!({
        "id": "msg_scripted", "type": "message", "role": "assistant", "model": parsed.model, "content": content,
        "stop_reason": reason, "stop_sequence": null,
        "usage": {
            "input_tokens": parsed.tokens.saturating_sub(read + put), "output_tokens": written,
            "cache_read_input_tokens": read, "cache_creation_input_tokens": put,
        },
    })
}

fn event(data: &Value) -> String {
    let mut event = String::new();
    // Writing into a String cannot fail.
    let _ = write!(event, "event: {}\ndata: {data}\n\n", as_text(&data["type"]));
    event
}

fn events(message: &Value) -> Vec<String> {
    let mut start = message.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    start["usage"]["output_tokens"] = 1.into();
    let mut events = vec![event(&json!({"type": "message_start", "message": start})), event(&json!({"type": "ping"}))];
    for (index, block) in message["content"].as_array().into_iter().flatten().enumerate() {
        let (empty, deltas) = parts(block);
        events.push(event(&json!({"type": "content_block_start", "index": index, "content_block": empty})));
        events
            .extend(deltas.iter().map(|delta| event(&json!({"type": "content_block_delta", "index": index, "delta": delta}))));
        events.push(event(&json!({"type": "content_block_stop", "index": index})));
    }
    let delta = json!({"stop_reason": message["stop_reason"], "stop_sequence": null});
    let usage = json!({"output_tokens": message["usage"]["output_tokens"]});
    events.push(event(&json!({"type": "message_delta", "delta": delta, "usage": usage})));
    events.push(event(&json!({"type": "message_stop"})));
    events
}

/// Returns the empty start of a block, and its deltas.
fn parts(block: &Value) -> (Value, Vec<Value>) {
    match as_text(&block["type"]) {
        "thinking" => {
            let mut deltas: Vec<Value> = sse::pieces(as_text(&block["thinking"]))
                .into_iter()
                .map(|piece| json!({"type": "thinking_delta", "thinking": piece}))
                .collect();
            deltas.push(json!({"type": "signature_delta", "signature": block["signature"]}));
            (json!({"type": "thinking", "thinking": "", "signature": ""}), deltas)
        }
        "tool_use" => {
            let arguments = sse::pieces(&block["input"].to_string());
            let deltas = arguments.into_iter().map(|piece| json!({"type": "input_json_delta", "partial_json": piece}));
            (json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}}), deltas.collect())
        }
        _ => {
            let deltas =
                sse::pieces(as_text(&block["text"])).into_iter().map(|piece| json!({"type": "text_delta", "text": piece}));
            (json!({"type": "text", "text": ""}), deltas.collect())
        }
    }
}

/// Returns an error in the service's format.
pub(crate) fn error(status: StatusCode, message: &str) -> Value {
    let kind = match status.as_u16() {
        401 => "authentication_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_scripted"})
}

/// Returns the events of a stream that ends with an error.
pub(crate) fn aborted_stream() -> Vec<String> {
    let error = error(StatusCode::from_u16(529).unwrap_or_default(), "Overloaded");
    vec![event(&json!({"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 1}}})), event(&error)]
}

/// Returns the message for an overlong conversation.
pub(crate) fn too_long_message(tokens: u64, limit: u64) -> String {
    format!("prompt is too long: {tokens} tokens > {limit} maximum")
}
