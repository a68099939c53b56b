//! What the service refuses in a request.

use crate::{Plan, Quirk, Wrong, is_name, issued::Issued, schema, text_of};
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

/// Marks of what may be kept that one request may have.
const MAX_MARKS: usize = 4;

pub(super) fn all(body: &Value, issued: &Issued, plan: &Plan) -> Result<(), Wrong> {
    let object = body.as_object().ok_or_else(|| wrong("the body is no object"))?;
    if let Some(key) = object.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Err(wrong(&format!("{key}: Extra inputs are not permitted")));
    }
    ensure(!text_of(&body["model"]).is_empty(), "model: Field required")?;
    ensure(body["max_tokens"].as_u64().is_some_and(|limit| limit > 0), "max_tokens: must be at least 1")?;
    ensure(marks(body) <= MAX_MARKS, "A maximum of 4 blocks with cache_control may be provided")?;
    if let Some(blocks) = body["system"].as_array() {
        ensure(
            blocks.iter().all(|block| !text_of(&block["text"]).is_empty()),
            "system: text content blocks must be non-empty",
        )?;
    }
    quirks(body, plan)?;
    tools(body)?;
    format(body)?;
    thinking(body)?;
    let messages = body["messages"].as_array().ok_or_else(|| wrong("messages: Field required"))?;
    roles(messages, issued)?;
    let last_turn = messages.iter().rposition(|message| message["role"] == "assistant");
    for (n, message) in messages.iter().enumerate() {
        let blocks = blocks(message, n)?;
        if message["role"] == "assistant" {
            let is_last = Some(n) == last_turn && body.get("thinking").is_some();
            issued.problem(blocks, is_last).map_or(Ok(()), |problem| Err(wrong(&format!("messages.{n}: {problem}"))))?;
        }
    }
    pairs(messages)
}

/// What compatible servers and older models do not know.
fn quirks(body: &Value, plan: &Plan) -> Result<(), Wrong> {
    let has_format = plan.has(Quirk::NoJsonSchema) && body.get("output_config").is_some();
    ensure(!has_format, "output_config: Extra inputs are not permitted")?;
    let is_forced = plan.has(Quirk::NoForcedTool) && body["tool_choice"]["type"] == "tool";
    ensure(!is_forced, "tool_choice.type: this model supports 'auto' only")
}

/// An answer of a given shape: such a schema is always strict.
fn format(body: &Value) -> Result<(), Wrong> {
    let format = &body["output_config"]["format"];
    if format.is_null() {
        return Ok(());
    }
    ensure(format["type"] == "json_schema", "output_config.format.type: Input should be 'json_schema'")?;
    let problem = schema::anthropic::problem(&format["schema"], true);
    problem.map_or(Ok(()), |problem| Err(wrong(&format!("output_config.format.schema: {problem}"))))
}

fn tools(body: &Value) -> Result<(), Wrong> {
    let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut names = BTreeSet::new();
    for (n, tool) in tools.iter().enumerate() {
        let name = text_of(&tool["name"]);
        ensure(is_name(name, 128), &format!("tools.{n}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"))?;
        ensure(names.insert(name), "tools: Tool names must be unique.")?;
        if let Some(problem) = schema::anthropic::problem(&tool["input_schema"], tool["strict"] == true) {
            return Err(wrong(&format!("tools.{n}.custom.input_schema: {problem}")));
        }
    }
    match body["tool_choice"]["type"].as_str() {
        Some("tool") => {
            ensure(body.get("thinking").is_none(), "Thinking may not be enabled when tool_choice forces tool use.")?;
            ensure(names.contains(text_of(&body["tool_choice"]["name"])), "tool_choice: Tool not found in provided tools")
        }
        Some("any") => ensure(body.get("thinking").is_none(), "Thinking may not be enabled when tool_choice forces tool use."),
        _ => Ok(()),
    }
}

fn thinking(body: &Value) -> Result<(), Wrong> {
    let Some(thinking) = body.get("thinking") else { return Ok(()) };
    match thinking["type"].as_str() {
        Some("adaptive" | "disabled") => Ok(()),
        Some("enabled") => {
            let budget = thinking["budget_tokens"].as_u64().unwrap_or(0);
            ensure(budget >= 1024, "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")?;
            ensure(body["max_tokens"].as_u64() > Some(budget), "`max_tokens` must be greater than `thinking.budget_tokens`.")
        }
        _ => Err(wrong("thinking: Input tag does not match any of the expected tags")),
    }
}

/// The user begins and ends, and turns alternate.
fn roles(messages: &[Value], issued: &Issued) -> Result<(), Wrong> {
    ensure(!messages.is_empty(), "messages: at least one message is required")?;
    ensure(messages[0]["role"] == "user", "messages: first message must use the \"user\" role")?;
    let alternate = messages.windows(2).all(|pair| pair[0]["role"] != pair[1]["role"]);
    ensure(alternate, "messages: roles must alternate between \"user\" and \"assistant\"")?;
    let known = messages.iter().all(|message| matches!(text_of(&message["role"]), "user" | "assistant"));
    ensure(known, "messages: Unexpected role")?;
    let ends_well = messages.last().is_some_and(|message| message["role"] == "user" || issued.is_paused(message));
    ensure(ends_well, "This model does not support assistant message prefill. The conversation must end with a user message.")
}

fn blocks(message: &Value, n: usize) -> Result<&[Value], Wrong> {
    let blocks = match &message["content"] {
        Value::String(text) if !text.trim().is_empty() => return Ok(&[]),
        Value::Array(blocks) if !blocks.is_empty() => blocks,
        _ => return Err(wrong(&format!("messages.{n}: all messages must have non-empty content"))),
    };
    let is_user = message["role"] == "user";
    for block in blocks {
        let is_right = match text_of(&block["type"]) {
            "text" => !text_of(&block["text"]).trim().is_empty(),
            "tool_result" => is_user && is_name(text_of(&block["tool_use_id"]), 256),
            "tool_use" => {
                !is_user
                    && is_name(text_of(&block["id"]), 256)
                    && block["input"].is_object()
                    && is_name(text_of(&block["name"]), 128)
            }
            "thinking" | "redacted_thinking" => !is_user && block.get("cache_control").is_none(),
            _ => false,
        };
        ensure(is_right, &format!("messages.{n}.content: a block of type '{}' is not valid here", text_of(&block["type"])))?;
    }
    Ok(blocks)
}

/// Every call is answered in the next turn, first of all, and nothing else is.
fn pairs(messages: &[Value]) -> Result<(), Wrong> {
    let ids = |message: &Value, kind: &str, key: &str| -> Vec<String> {
        let blocks = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        blocks.iter().filter(|block| block["type"] == kind).map(|block| text_of(&block[key]).to_owned()).collect()
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
            return Err(wrong(&format!(
                "messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after: {id}"
            )));
        }
        if let Some(id) = results.iter().find(|id| !open.contains(id)) {
            return Err(wrong(&format!("messages.{n}: unexpected `tool_use_id` found in `tool_result` blocks: {id}")));
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

fn ensure(holds: bool, otherwise: &str) -> Result<(), Wrong> {
    if holds { Ok(()) } else { Err(wrong(otherwise)) }
}

fn wrong(message: &str) -> Wrong {
    Wrong(message.to_owned())
}
