//! Chat completions protocol, as spoken by OpenAI and compatible servers.

mod check;

use crate::{
    AnswerStop, FaultPlan, InvalidRequest, ModelAnswer, ParsedRequest, Quirk, as_text, prefix::PrefixCache, responder, sse,
    tokens,
};
use axum::{Json, http::StatusCode, response::IntoResponse, response::Response};
use protocol::model::{Message, ModelRequest, OutputSchema, ToolRequest, ToolResult, ToolSchema};
use serde_json::{Value, json};
use std::sync::Arc;

/// Prefix of a failed tool result, by convention of clients.
const ERROR_MARK: &str = "Error: ";

/// Parses a request as strictly as the service, with the quirks of the plan.
pub(crate) fn read(body: &Value, plan: &FaultPlan, cache: &mut PrefixCache) -> Result<ParsedRequest, InvalidRequest> {
    check::all(body, plan)?;
    let mut tools: Vec<ToolSchema> = body["tools"].as_array().into_iter().flatten().map(tool).collect();
    let format = &body["response_format"];
    let forced =
        body["tool_choice"]["function"]["name"].as_str().and_then(|name| tools.iter().position(|tool| tool.name == name));
    let output_schema = match (forced, as_text(&format["type"])) {
        (Some(n), _) => {
            let tool = tools.remove(n);
            tools.clear();
            Some(OutputSchema { name: tool.name, schema: tool.input_schema })
        }
        (None, "json_schema") => {
            let named = &format["json_schema"];
            Some(OutputSchema { name: as_text(&named["name"]).to_owned(), schema: named["schema"].clone() })
        }
        _ => None,
    };
    let (system, messages) = conversation(body);
    let role = responder::role_of(tools.iter().map(|tool| tool.name.as_str()));
    let limit = body["max_completion_tokens"].as_u64().or_else(|| body["max_tokens"].as_u64());
    Ok(ParsedRequest {
        request: ModelRequest {
            role,
            system: system.into(),
            messages,
            tools: tools.into(),
            max_output_tokens: limit.and_then(|limit| u32::try_from(limit).ok()).unwrap_or(u32::MAX),
            output_schema: output_schema.map(Arc::new),
            progress: None,
        },
        model: as_text(&body["model"]).to_owned(),
        is_streamed: body["stream"] == true,
        is_forced_tool: forced.is_some(),
        thinks: false,
        wants_usage: body["stream"] != true || body["stream_options"]["include_usage"] == true,
        tokens: tokens(body.to_string().chars().count()),
        cached: cache.take_completions(body),
    })
}

fn tool(tool: &Value) -> ToolSchema {
    let function = &tool["function"];
    let text = |key: &str| as_text(&function[key]).to_owned();
    ToolSchema { name: text("name"), description: text("description"), input_schema: function["parameters"].clone() }
}

fn conversation(body: &Value) -> (String, Vec<Message>) {
    let (mut system, mut messages) = (String::new(), vec![]);
    for message in body["messages"].as_array().into_iter().flatten() {
        let text = as_text(&message["content"]);
        match as_text(&message["role"]) {
            "system" | "developer" => system += text,
            "assistant" => {
                let calls = message["tool_calls"].as_array().into_iter().flatten().map(call);
                messages.push(Message::Assistant { text: text.into(), tool_calls: calls.collect(), thinking: vec![] });
            }
            "tool" => {
                let (content, is_error) = text.strip_prefix(ERROR_MARK).map_or((text, false), |rest| (rest, true));
                let result = ToolResult { id: as_text(&message["tool_call_id"]).to_owned(), content: content.into(), is_error };
                match messages.last_mut() {
                    Some(Message::Tools { results }) => results.push(result),
                    _ => messages.push(Message::Tools { results: vec![result] }),
                }
            }
            _ => messages.push(Message::User { text: text.into() }),
        }
    }
    (system, messages)
}

fn call(call: &Value) -> ToolRequest {
    let arguments = as_text(&call["function"]["arguments"]);
    ToolRequest {
        id: as_text(&call["id"]).to_owned(),
        name: as_text(&call["function"]["name"]).to_owned(),
        arguments: serde_json::from_str(arguments).unwrap_or_else(|_| arguments.into()),
    }
}

/// Writes the answer whole or as chunks.
pub(crate) fn write(
    parsed: &ParsedRequest,
    answer: &ModelAnswer,
    plan: &FaultPlan,
    stream_fault: sse::StreamFault,
) -> Response {
    let whole = body(parsed, answer, plan);
    if parsed.is_streamed {
        return sse::stream(chunks(parsed, &whole, plan), stream_fault);
    }
    Json(whole).into_response()
}

/// Returns the whole completion.
pub(crate) fn body(parsed: &ParsedRequest, answer: &ModelAnswer, plan: &FaultPlan) -> Value {
    let (mut text, calls) = parsed.as_forced_call(answer);
    let mut calls = written(&calls, plan);
    if parsed.request.output_schema.is_some() && plan.has(Quirk::FencedJson) {
        text = format!("Here is the answer:\n```json\n{text}\n```");
    }
    if plan.has(Quirk::CallsAsText) {
        let tags = parsed
            .as_forced_call(answer)
            .1
            .into_iter()
            .map(|call| format!("<tool_call>\n{}\n</tool_call>", json!({"name": call.name, "arguments": call.arguments})));
        text += &tags.collect::<Vec<_>>().join("\n");
        calls.clear();
    }
    if plan.has(Quirk::ThinkTags) {
        text = format!("<think>\nLet me see.\n</think>\n\n{text}");
    }
    let finish = match answer.stop {
        Some(AnswerStop::Refused) => "content_filter",
        Some(_) => "length",
        None if calls.is_empty() || plan.has(Quirk::StopWithCalls) => "stop",
        None => "tool_calls",
    };
    let mut message = json!({"role": "assistant", "content": text, "refusal": null});
    if text.is_empty() && (!calls.is_empty() || plan.has(Quirk::NullContent)) {
        message["content"] = Value::Null;
    }
    let count = tokens(text.chars().count() + Value::from(calls.clone()).to_string().chars().count());
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let mut whole = json!({
        "id": "chatcmpl-scripted", "object": "chat.completion", "created": 0, "model": parsed.model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": parsed.tokens, "completion_tokens": count, "total_tokens": parsed.tokens + count,
            "prompt_tokens_details": {"cached_tokens": parsed.cached.read},
        },
    });
    if plan.has(Quirk::NoUsage)
        && let Some(object) = whole.as_object_mut()
    {
        object.remove("usage");
    }
    whole
}

fn written(calls: &[ToolRequest], plan: &FaultPlan) -> Vec<Value> {
    let written = calls.iter().map(|call| {
        let arguments = match &call.arguments {
            Value::String(text) => json!(text),
            arguments if plan.has(Quirk::ObjectArguments) => arguments.clone(),
            arguments => json!(arguments.to_string()),
        };
        let mut written = json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}});
        if plan.has(Quirk::SameIds) {
            written["id"] = "call_0".into();
        }
        if plan.has(Quirk::NoIds)
            && let Some(object) = written.as_object_mut()
        {
            object.remove("id");
        }
        written
    });
    written.collect()
}

fn chunks(parsed: &ParsedRequest, whole: &Value, plan: &FaultPlan) -> Vec<String> {
    let chunk = |choices: Value, usage: Value| {
        let mut chunk = json!({"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": parsed.model, "choices": choices});
        if parsed.wants_usage {
            chunk["usage"] = usage;
        }
        format!("data: {chunk}\n\n")
    };
    let delta = |delta: Value| chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), Value::Null);
    let (choice, mut sent) = (&whole["choices"][0], vec![delta(json!({"role": "assistant", "content": ""}))]);
    let text = as_text(&choice["message"]["content"]);
    sent.extend(sse::pieces(text).into_iter().map(|piece| delta(json!({"content": piece}))));
    for (index, call) in choice["message"]["tool_calls"].as_array().into_iter().flatten().enumerate() {
        let number = |mut part: Value| {
            if !plan.has(Quirk::NoIndex) {
                part["index"] = index.into();
            }
            delta(json!({"tool_calls": [part]}))
        };
        let arguments = &call["function"]["arguments"];
        let Some(arguments) = arguments.as_str().filter(|_| !plan.has(Quirk::NoIndex)) else {
            // Servers without indexes send a call in one piece.
            sent.push(number(call.clone()));
            continue;
        };
        let mut begun = call.clone();
        begun["function"]["arguments"] = "".into();
        sent.push(number(begun));
        sent.extend(sse::pieces(arguments).into_iter().map(|piece| number(json!({"function": {"arguments": piece}}))));
    }
    sent.push(chunk(json!([{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]), Value::Null));
    if parsed.wants_usage && whole.get("usage").is_some() {
        sent.push(chunk(json!([]), whole["usage"].clone()));
    }
    if !plan.has(Quirk::NoDone) {
        sent.push("data: [DONE]\n\n".to_owned());
    }
    sent
}

/// Returns an error in the service's format.
pub(crate) fn error(status: StatusCode, message: &str) -> Value {
    let (kind, code) = match status.as_u16() {
        401 => ("invalid_request_error", json!("invalid_api_key")),
        404 => ("invalid_request_error", json!("model_not_found")),
        429 => ("requests", json!("rate_limit_exceeded")),
        500.. => ("server_error", Value::Null),
        _ if message.contains("maximum context length") => ("invalid_request_error", json!("context_length_exceeded")),
        _ => ("invalid_request_error", Value::Null),
    };
    json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
}

/// Returns the chunks of a stream that ends with an error.
pub(crate) fn aborted_stream() -> Vec<String> {
    let begun = json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": "I"}, "finish_reason": null}]});
    let error = error(StatusCode::INTERNAL_SERVER_ERROR, "The server had an error while processing your request");
    vec![format!("data: {begun}\n\n"), format!("data: {error}\n\n")]
}

/// Returns the message for an overlong conversation.
pub(crate) fn too_long_message(tokens: u64, limit: u64) -> String {
    format!(
        "This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} tokens. Please reduce the length of the messages."
    )
}
