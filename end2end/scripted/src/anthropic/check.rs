//! Validation of Messages requests, with the service's error messages.

use crate::{FaultPlan, InvalidRequest, Quirk, as_text, is_name, issued::IssuedBlocks, schema};
use serde_json::Value;
use std::collections::BTreeSet;

const KNOWN: [&str; 15] = [
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "thinking",
    "output_config",
    "metadata",
    "temperature",
    "stop_sequences",
    "top_p",
    "top_k",
    "service_tier",
];

/// Maximum number of cache breakpoints.
const MAX_MARKS: usize = 4;

pub(super) fn all(body: &Value, issued: &IssuedBlocks, plan: &FaultPlan) -> Result<(), InvalidRequest> {
    let object = body.as_object().ok_or_else(|| invalid("the body is no object"))?;
    if let Some(key) = object.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Err(invalid(&format!("{key}: Extra inputs are not permitted")));
    }
    ensure(!as_text(&body["model"]).is_empty(), "model: Field required")?;
    ensure(body["max_tokens"].as_u64().is_some_and(|limit| limit > 0), "max_tokens: must be at least 1")?;
    ensure(marks(body) <= MAX_MARKS, "A maximum of 4 blocks with cache_control may be provided")?;
    if let Some(blocks) = body["system"].as_array() {
        ensure(
            blocks.iter().all(|block| !as_text(&block["text"]).is_empty()),
            "system: text content blocks must be non-empty",
        )?;
    }
    quirks(body, plan)?;
    tools(body)?;
    format(body)?;
    thinking(body)?;
    let messages = body["messages"].as_array().ok_or_else(|| invalid("messages: Field required"))?;
    roles(messages, issued)?;
    let last_turn = messages.iter().rposition(|message| message["role"] == "assistant");
    for (n, message) in messages.iter().enumerate() {
        let blocks = blocks(message, n)?;
        if message["role"] == "assistant" {
            let is_last = Some(n) == last_turn && body.get("thinking").is_some();
            issued.problem(blocks, is_last).map_or(Ok(()), |problem| Err(invalid(&format!("messages.{n}: {problem}"))))?;
        }
    }
    pairs(messages)
}

/// Refuses what compatible servers and older models do not support.
fn quirks(body: &Value, plan: &FaultPlan) -> Result<(), InvalidRequest> {
    let has_format = plan.has(Quirk::NoJsonSchema) && body.get("output_config").is_some();
    ensure(!has_format, "output_config: Extra inputs are not permitted")?;
    let is_forced_tool = plan.has(Quirk::NoForcedTool) && body["tool_choice"]["type"] == "tool";
    ensure(!is_forced_tool, "tool_choice.type: this model supports 'auto' only")
}

/// Checks the structured output format, whose schema is always strict.
fn format(body: &Value) -> Result<(), InvalidRequest> {
    let format = &body["output_config"]["format"];
    if format.is_null() {
        return Ok(());
    }
    ensure(format["type"] == "json_schema", "output_config.format.type: Input should be 'json_schema'")?;
    let problem = schema::anthropic::problem(&format["schema"], true);
    problem.map_or(Ok(()), |problem| Err(invalid(&format!("output_config.format.schema: {problem}"))))
}

fn tools(body: &Value) -> Result<(), InvalidRequest> {
    let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut names = BTreeSet::new();
    for (n, tool) in tools.iter().enumerate() {
        let name = as_text(&tool["name"]);
        ensure(is_name(name, 128), &format!("tools.{n}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"))?;
        ensure(names.insert(name), "tools: Tool names must be unique.")?;
        if let Some(problem) = schema::anthropic::problem(&tool["input_schema"], tool["strict"] == true) {
            return Err(invalid(&format!("tools.{n}.custom.input_schema: {problem}")));
        }
    }
    match body["tool_choice"]["type"].as_str() {
        Some("tool") => {
            ensure(body.get("thinking").is_none(), "Thinking may not be enabled when tool_choice forces tool use.")?;
            ensure(names.contains(as_text(&body["tool_choice"]["name"])), "tool_choice: Tool not found in provided tools")
        }
        Some("any") => ensure(body.get("thinking").is_none(), "Thinking may not be enabled when tool_choice forces tool use."),
        _ => Ok(()),
    }
}

fn thinking(body: &Value) -> Result<(), InvalidRequest> {
    let Some(thinking) = body.get("thinking") else { return Ok(()) };
    match thinking["type"].as_str() {
        Some("adaptive" | "disabled") => Ok(()),
        Some("enabled") => {
            let budget = thinking["budget_tokens"].as_u64().unwrap_or(0);
            ensure(budget >= 1024, "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")?;
            ensure(body["max_tokens"].as_u64() > Some(budget), "`max_tokens` must be greater than `thinking.budget_tokens`.")
        }
        _ => Err(invalid("thinking: Input tag does not match any of the expected tags")),
    }
}

/// Checks that the user begins and ends, and that turns alternate.
fn roles(messages: &[Value], issued: &IssuedBlocks) -> Result<(), InvalidRequest> {
    ensure(!messages.is_empty(), "messages: at least one message is required")?;
    ensure(messages[0]["role"] == "user", "messages: first message must use the \"user\" role")?;
    let alternate = messages.windows(2).all(|pair| pair[0]["role"] != pair[1]["role"]);
    ensure(alternate, "messages: roles must alternate between \"user\" and \"assistant\"")?;
    let known = messages.iter().all(|message| matches!(as_text(&message["role"]), "user" | "assistant"));
    ensure(known, "messages: Unexpected role")?;
    let ends_well = messages.last().is_some_and(|message| message["role"] == "user" || issued.is_paused(message));
    ensure(ends_well, "This model does not support assistant message prefill. The conversation must end with a user message.")
}

fn blocks(message: &Value, n: usize) -> Result<&[Value], InvalidRequest> {
    let blocks = match &message["content"] {
        Value::String(text) if !text.trim().is_empty() => return Ok(&[]),
        Value::Array(blocks) if !blocks.is_empty() => blocks,
        _ => return Err(invalid(&format!("messages.{n}: all messages must have non-empty content"))),
    };
    let is_user = message["role"] == "user";
    for block in blocks {
        let is_right = match as_text(&block["type"]) {
            "text" => !as_text(&block["text"]).trim().is_empty(),
            "tool_result" => is_user && is_name(as_text(&block["tool_use_id"]), 256),
            "tool_use" => {
                !is_user
                    && is_name(as_text(&block["id"]), 256)
                    && block["input"].is_object()
                    && is_name(as_text(&block["name"]), 128)
            }
            "thinking" | "redacted_thinking" => !is_user && block.get("cache_control").is_none(),
            _ => false,
        };
        ensure(is_right, &format!("messages.{n}.content: a block of type '{}' is not valid here", as_text(&block["type"])))?;
    }
    Ok(blocks)
}

/// Checks that the next turn starts with exactly one result per call.
fn pairs(messages: &[Value]) -> Result<(), InvalidRequest> {
    let ids = |message: &Value, kind: &str, key: &str| -> Vec<String> {
        let blocks = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        blocks.iter().filter(|block| block["type"] == kind).map(|block| as_text(&block[key]).to_owned()).collect()
    };
    let (mut open, mut seen): (Vec<String>, BTreeSet<String>) = (vec![], BTreeSet::new());
    for (n, message) in messages.iter().enumerate() {
        if message["role"] == "assistant" {
            open = ids(message, "tool_use", "id");
            let unique = open.iter().all(|id| seen.insert(id.clone()));
            ensure(unique, &format!("messages.{n}: `tool_use` ids must be unique"))?;
            continue;
        }
        let results = ids(message, "tool_result", "tool_use_id");
        let missing = open.iter().find(|id| !results.contains(id));
        if let Some(id) = missing {
            return Err(invalid(&format!(
                "messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after: {id}"
            )));
        }
        if let Some(id) = results.iter().find(|id| !open.contains(id)) {
            return Err(invalid(&format!("messages.{n}: unexpected `tool_use_id` found in `tool_result` blocks: {id}")));
        }
        let content = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let first = content.iter().take(results.len()).all(|block| block["type"] == "tool_result");
        ensure(first, &format!("messages.{n}: tool_result blocks must come first"))?;
        open.clear();
    }
    Ok(())
}

fn marks(value: &Value) -> usize {
    match value {
        Value::Object(object) => object.iter().map(|(key, value)| usize::from(key == "cache_control") + marks(value)).sum(),
        Value::Array(values) => values.iter().map(marks).sum(),
        _ => 0,
    }
}

fn ensure(holds: bool, otherwise: &str) -> Result<(), InvalidRequest> {
    if holds { Ok(()) } else { Err(invalid(otherwise)) }
}

fn invalid(message: &str) -> InvalidRequest {
    InvalidRequest(message.to_owned())
}
