//! Validation of chat completion requests, with the service's error messages.

use crate::{FaultPlan, InvalidRequest, Quirk, as_text, is_name, schema};
use serde_json::Value;

const KNOWN: [&str; 17] = [
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "response_format",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "seed",
    "stop",
    "reasoning_effort",
    "metadata",
    "user",
];

pub(super) fn all(body: &Value, plan: &FaultPlan) -> Result<(), InvalidRequest> {
    let object = body.as_object().ok_or_else(|| invalid("We could not parse the JSON body of your request."))?;
    if let Some(key) = object.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Err(invalid(&format!("Unrecognized request argument supplied: {key}")));
    }
    ensure(!as_text(&body["model"]).is_empty(), "you must provide a model parameter")?;
    quirks(body, plan)?;
    let both = body.get("max_tokens").is_some() && body.get("max_completion_tokens").is_some();
    ensure(!both, "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")?;
    let options = body.get("stream_options").is_none() || body["stream"] == true;
    ensure(options, "The 'stream_options' parameter is only allowed when 'stream' is enabled.")?;
    tools(body)?;
    format(body)?;
    let messages = body["messages"].as_array().filter(|messages| !messages.is_empty());
    let messages = messages.ok_or_else(|| invalid("[] is too short - 'messages'"))?;
    for (n, message) in messages.iter().enumerate() {
        one(message, n)?;
    }
    pairs(messages)
}

/// Refuses what compatible servers do not support.
fn quirks(body: &Value, plan: &FaultPlan) -> Result<(), InvalidRequest> {
    let kind = as_text(&body["response_format"]["type"]);
    let refused = [
        (Quirk::NoJsonSchema, kind == "json_schema", "response_format of type json_schema is not supported"),
        (Quirk::NoJsonObject, kind == "json_object", "response_format json_object is not supported by this server"),
        (
            Quirk::NoForcedTool,
            body["tool_choice"].is_object(),
            "Invalid value: 'tool_choice'. This server supports 'auto' and 'none' only",
        ),
        (
            Quirk::OldMaxTokens,
            body.get("max_completion_tokens").is_some(),
            "Unrecognized request argument supplied: max_completion_tokens",
        ),
        (
            Quirk::NewMaxTokens,
            body.get("max_tokens").is_some(),
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ),
        (
            Quirk::NoStreamOptions,
            body.get("stream_options").is_some(),
            "Unrecognized request argument supplied: stream_options",
        ),
    ];
    let limit = body["max_tokens"].as_u64().or_else(|| body["max_completion_tokens"].as_u64()).unwrap_or(0);
    if plan.has(Quirk::SmallWindow) && limit > 2048 {
        let requested =
            format!("However, you requested {} tokens (100 in the messages, {limit} in the completion).", limit + 100);
        return Err(invalid(&format!("This model's maximum context length is 4096 tokens. {requested}")));
    }
    let met = refused.into_iter().find(|(quirk, is_sent, _)| plan.has(*quirk) && *is_sent);
    met.map_or(Ok(()), |(_, _, message)| Err(invalid(message)))
}

fn tools(body: &Value) -> Result<(), InvalidRequest> {
    let Some(tools) = body.get("tools") else {
        return ensure(body.get("tool_choice").is_none(), "'tool_choice' is only allowed when 'tools' are specified.");
    };
    let tools = tools.as_array().filter(|tools| !tools.is_empty()).ok_or_else(|| invalid("[] is too short - 'tools'"))?;
    for (n, tool) in tools.iter().enumerate() {
        let function = &tool["function"];
        ensure(tool["type"] == "function", &format!("Missing required parameter: 'tools[{n}].type'."))?;
        let named = is_name(as_text(&function["name"]), 64);
        ensure(named, &format!("Invalid 'tools[{n}].function.name': string does not match pattern."))?;
        // `parameters` may be omitted.
        let problem = function.get("parameters").and_then(|schema| schema::openai::problem(schema, function["strict"] == true));
        if let Some(problem) = problem {
            return Err(invalid(&format!("Invalid schema for function '{}': {problem}", as_text(&function["name"]))));
        }
    }
    Ok(())
}

fn format(body: &Value) -> Result<(), InvalidRequest> {
    let format = &body["response_format"];
    match as_text(&format["type"]) {
        "json_schema" => {
            let named = &format["json_schema"];
            ensure(is_name(as_text(&named["name"]), 64), "Invalid 'response_format.json_schema.name'")?;
            let problem = schema::openai::problem(&named["schema"], named["strict"] == true);
            problem.map_or(Ok(()), |problem| {
                Err(invalid(&format!("Invalid schema for response_format '{}': {problem}", as_text(&named["name"]))))
            })
        }
        "json_object" => {
            let says = body["messages"].to_string().to_lowercase().contains("json");
            ensure(
                says,
                "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
            )
        }
        _ => Ok(()),
    }
}

fn one(message: &Value, n: usize) -> Result<(), InvalidRequest> {
    let has_text = message["content"].as_str().is_some_and(|text| !text.is_empty()) || message["content"].is_array();
    match as_text(&message["role"]) {
        "system" | "developer" | "user" => {
            ensure(has_text, &format!("Invalid value for 'content' of messages[{n}]: expected a string, got null."))
        }
        "tool" => {
            ensure(
                !as_text(&message["tool_call_id"]).is_empty(),
                &format!("Missing parameter 'tool_call_id' of messages[{n}]."),
            )?;
            ensure(message["content"].is_string(), &format!("Invalid value for 'content' of messages[{n}]."))
        }
        "assistant" => {
            let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
            ensure(
                has_text || !calls.is_empty(),
                &format!("Invalid value for 'content' of messages[{n}]: expected a string, got null."),
            )?;
            let right = calls.iter().all(|call| {
                let function = &call["function"];
                call["type"] == "function"
                    && !as_text(&call["id"]).is_empty()
                    && !as_text(&function["name"]).is_empty()
                    && function["arguments"].is_string()
            });
            ensure(right, &format!("Invalid 'messages[{n}].tool_calls'."))
        }
        role => Err(invalid(&format!(
            "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'tool', and 'developer'."
        ))),
    }
}

/// Checks that the following messages answer every call exactly once.
fn pairs(messages: &[Value]) -> Result<(), InvalidRequest> {
    let mut open: Vec<&str> = vec![];
    for (n, message) in messages.iter().enumerate() {
        if message["role"] == "tool" {
            let id = as_text(&message["tool_call_id"]);
            let known = open.iter().position(|call| *call == id);
            let known = known.ok_or_else(|| invalid(&format!("Invalid parameter: messages[{n}] with role 'tool' must be a response to a preceding message with 'tool_calls'.")))?;
            open.remove(known);
            continue;
        }
        require_answers(&open)?;
        open = message["tool_calls"].as_array().into_iter().flatten().map(|call| as_text(&call["id"])).collect();
    }
    require_answers(&open)
}

fn require_answers(open: &[&str]) -> Result<(), InvalidRequest> {
    let message = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    ensure(open.is_empty(), message)
}

fn ensure(holds: bool, otherwise: &str) -> Result<(), InvalidRequest> {
    if holds { Ok(()) } else { Err(invalid(otherwise)) }
}

fn invalid(message: &str) -> InvalidRequest {
    InvalidRequest(message.to_owned())
}
