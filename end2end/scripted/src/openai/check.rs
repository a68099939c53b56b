//! What the service refuses in a request.

use crate::{Plan, Quirk, Wrong, is_name, schema, text_of};
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

pub(super) fn all(body: &Value, plan: &Plan) -> Result<(), Wrong> {
    let object = body.as_object().ok_or_else(|| wrong("We could not parse the JSON body of your request."))?;
    if let Some(key) = object.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Err(wrong(&format!("Unrecognized request argument supplied: {key}")));
    }
    ensure(!text_of(&body["model"]).is_empty(), "you must provide a model parameter")?;
    quirks(body, plan)?;
    let both = body.get("max_tokens").is_some() && body.get("max_completion_tokens").is_some();
    ensure(!both, "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")?;
    let options = body.get("stream_options").is_none() || body["stream"] == true;
    ensure(options, "The 'stream_options' parameter is only allowed when 'stream' is enabled.")?;
    tools(body)?;
    format(body)?;
    let messages = body["messages"].as_array().filter(|messages| !messages.is_empty());
    let messages = messages.ok_or_else(|| wrong("[] is too short - 'messages'"))?;
    for (n, message) in messages.iter().enumerate() {
        one(message, n)?;
    }
    pairs(messages)
}

/// What compatible servers do not know.
fn quirks(body: &Value, plan: &Plan) -> Result<(), Wrong> {
    let kind = text_of(&body["response_format"]["type"]);
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
        let asked = format!("However, you requested {} tokens (100 in the messages, {limit} in the completion).", limit + 100);
        return Err(wrong(&format!("This model's maximum context length is 4096 tokens. {asked}")));
    }
    let met = refused.into_iter().find(|(quirk, is_sent, _)| plan.has(*quirk) && *is_sent);
    met.map_or(Ok(()), |(_, _, message)| Err(wrong(message)))
}

fn tools(body: &Value) -> Result<(), Wrong> {
    let Some(tools) = body.get("tools") else {
        return ensure(body.get("tool_choice").is_none(), "'tool_choice' is only allowed when 'tools' are specified.");
    };
    let tools = tools.as_array().filter(|tools| !tools.is_empty()).ok_or_else(|| wrong("[] is too short - 'tools'"))?;
    for (n, tool) in tools.iter().enumerate() {
        let function = &tool["function"];
        ensure(tool["type"] == "function", &format!("Missing required parameter: 'tools[{n}].type'."))?;
        let named = is_name(text_of(&function["name"]), 64);
        ensure(named, &format!("Invalid 'tools[{n}].function.name': string does not match pattern."))?;
        // A function without parameters has none.
        let problem = function.get("parameters").and_then(|schema| schema::openai::problem(schema, function["strict"] == true));
        if let Some(problem) = problem {
            return Err(wrong(&format!("Invalid schema for function '{}': {problem}", text_of(&function["name"]))));
        }
    }
    Ok(())
}

fn format(body: &Value) -> Result<(), Wrong> {
    let format = &body["response_format"];
    match text_of(&format["type"]) {
        "json_schema" => {
            let named = &format["json_schema"];
            ensure(is_name(text_of(&named["name"]), 64), "Invalid 'response_format.json_schema.name'")?;
            let problem = schema::openai::problem(&named["schema"], named["strict"] == true);
            problem.map_or(Ok(()), |problem| {
                Err(wrong(&format!("Invalid schema for response_format '{}': {problem}", text_of(&named["name"]))))
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

fn one(message: &Value, n: usize) -> Result<(), Wrong> {
    let has_text = message["content"].as_str().is_some_and(|text| !text.is_empty()) || message["content"].is_array();
    match text_of(&message["role"]) {
        "system" | "developer" | "user" => {
            ensure(has_text, &format!("Invalid value for 'content' of messages[{n}]: expected a string, got null."))
        }
        "tool" => {
            ensure(
                !text_of(&message["tool_call_id"]).is_empty(),
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
                    && !text_of(&call["id"]).is_empty()
                    && !text_of(&function["name"]).is_empty()
                    && function["arguments"].is_string()
            });
            ensure(right, &format!("Invalid 'messages[{n}].tool_calls'."))
        }
        role => Err(wrong(&format!(
            "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'tool', and 'developer'."
        ))),
    }
}

/// Every call is answered by the messages behind it, and nothing else is.
fn pairs(messages: &[Value]) -> Result<(), Wrong> {
    let mut open: Vec<&str> = vec![];
    for (n, message) in messages.iter().enumerate() {
        if message["role"] == "tool" {
            let id = text_of(&message["tool_call_id"]);
            let known = open.iter().position(|call| *call == id);
            let known = known.ok_or_else(|| wrong(&format!("Invalid parameter: messages[{n}] with role 'tool' must be a response to a preceding message with 'tool_calls'.")))?;
            open.remove(known);
            continue;
        }
        answered(&open)?;
        open = message["tool_calls"].as_array().into_iter().flatten().map(|call| text_of(&call["id"])).collect();
    }
    answered(&open)
}

fn answered(open: &[&str]) -> Result<(), Wrong> {
    let message = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    ensure(open.is_empty(), message)
}

fn ensure(holds: bool, otherwise: &str) -> Result<(), Wrong> {
    if holds { Ok(()) } else { Err(wrong(otherwise)) }
}

fn wrong(message: &str) -> Wrong {
    Wrong(message.to_owned())
}
