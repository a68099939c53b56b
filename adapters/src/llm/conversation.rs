//! Helpers shared by both APIs: call ids, empty turns, tool calls written as text, and usage estimates.

use super::json;
use protocol::model::{Message, ModelRequest, OutputSchema, ToolRequest, ToolSchema, Usage};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// Characters per token for estimates: below the average of most languages, so that a budget errs on the safe side.
const CHARS_PER_TOKEN: u64 = 3;

/// Placeholder for an empty text where an API refuses one.
pub(super) const EMPTY_TEXT: &str = "(nothing)";

/// Returns an id in a form that every provider accepts, because a conversation may switch providers.
pub(super) fn wire_id(id: &str) -> String {
    id.chars().map(|char| if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') { char } else { '_' }).collect()
}

/// Assigns ids to calls without one or with a duplicate.
pub(super) fn give_ids(request: &ModelRequest, calls: &mut [ToolRequest]) {
    let earlier = request.messages.iter().flat_map(|message| match message {
        Message::Assistant { tool_calls, .. } => tool_calls.as_slice(),
        _ => &[],
    });
    let mut used: BTreeSet<String> = earlier.map(|call| call.id.clone()).collect();
    for (n, call) in calls.iter_mut().enumerate() {
        if call.id.is_empty() || used.contains(&call.id) {
            let turn = request.messages.len();
            let free = (n..).map(|n| format!("call_{turn}_{n}")).find(|id| !used.contains(id));
            call.id = free.unwrap_or_default();
        }
        used.insert(call.id.clone());
    }
}

/// Returns the instruction for a model without structured output.
pub(super) fn json_instruction(schema: &OutputSchema) -> String {
    format!("Answer with one JSON object and nothing else. It must fit this JSON schema:\n{}", schema.schema)
}

/// Extracts the JSON answer from surrounding text; text without JSON stays unchanged.
pub(super) fn json_answer(text: &str) -> String {
    json::object_in(text).map_or_else(|| text.to_owned(), |value| value.to_string())
}

/// Strips the thoughts that a local model wrote before its answer.
pub(super) fn without_thoughts(text: &str) -> &str {
    match text.split_once("</think>") {
        Some((thoughts, answer)) if thoughts.trim_start().starts_with("<think>") || !thoughts.contains('<') => {
            answer.trim_start()
        }
        _ => text,
    }
}

/// Parses tool calls that a model wrote as text, if the whole text consists of calls of offered tools.
pub(super) fn calls_in_text(text: &str, tools: &[ToolSchema]) -> Option<Vec<ToolRequest>> {
    #[derive(Deserialize)]
    struct TextCall {
        name: String,
        #[serde(alias = "parameters", default)]
        arguments: Value,
    }
    let text = text.trim();
    let bare = text.trim_start_matches("[TOOL_CALLS]").trim_start_matches("<|python_tag|>").trim();
    let bodies: Vec<&str> = if text.starts_with("<tool_call>") {
        text.split("<tool_call>").skip(1).map(|part| part.split("</tool_call>").next().unwrap_or(part)).collect()
    } else {
        let fenced = bare.strip_prefix("```json").or_else(|| bare.strip_prefix("```"));
        vec![fenced.and_then(|inner| inner.strip_suffix("```")).unwrap_or(bare)]
    };
    let mut calls = vec![];
    for body in bodies {
        let body: Value = serde_json::from_str(body.trim()).ok()?;
        let list = if let Value::Array(list) = body { list } else { vec![body] };
        for written in list {
            let written: TextCall = serde_json::from_value(written).ok()?;
            tools.iter().find(|tool| tool.name == written.name)?;
            let arguments = json::arguments(written.arguments);
            calls.push(ToolRequest { id: String::new(), name: written.name, arguments });
        }
    }
    (!calls.is_empty()).then_some(calls)
}

/// Estimates the usage of a call from text lengths.
pub(super) fn guess_usage(sent: &Value, text: &str, calls: &[ToolRequest]) -> Usage {
    let written = text.chars().count() + calls.iter().map(|call| call.arguments.to_string().chars().count()).sum::<usize>();
    let tokens = |chars: usize| (chars as u64).div_ceil(CHARS_PER_TOKEN);
    Usage { tokens_in: tokens(sent.to_string().chars().count()), tokens_out: tokens(written), ..Usage::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tools() -> Vec<ToolSchema> {
        vec![ToolSchema { name: "look".into(), description: String::new(), input_schema: json!({}) }]
    }

    #[test]
    fn calls_written_as_words_are_calls() {
        for text in [
            r#"<tool_call>{"name":"look","arguments":{"at":1}}</tool_call>"#,
            "<tool_call>\n{\"name\": \"look\", \"arguments\": \"{\\\"at\\\":1}\"}\n</tool_call>",
            r#"{"name":"look","parameters":{"at":1}}"#,
            "```json\n{\"name\":\"look\",\"arguments\":{\"at\":1}}\n```",
            r#"[TOOL_CALLS] [{"name":"look","arguments":{"at":1}}]"#,
            r#"<|python_tag|>{"name":"look","parameters":{"at":1}}"#,
        ] {
            let calls = calls_in_text(text, &tools()).unwrap_or_default();
            assert_eq!(calls.len(), 1, "{text}");
            assert_eq!((calls[0].name.as_str(), &calls[0].arguments), ("look", &json!({"at": 1})), "{text}");
        }
    }

    #[test]
    fn words_about_calls_and_calls_of_tools_not_on_offer_are_words() {
        for text in [
            r#"I would call {"name":"look","arguments":{}}"#,
            r#"{"name":"rm","arguments":{}}"#,
            r#"{"name":"look""#,
            "look",
            "[]",
        ] {
            assert_eq!(calls_in_text(text, &tools()), None, "{text}");
        }
    }

    #[test]
    fn thoughts_are_no_part_of_the_answer() {
        assert_eq!(without_thoughts("<think>hm</think>\n\nYes."), "Yes.");
        assert_eq!(without_thoughts("hm, so\n</think>\nYes."), "Yes.");
        assert_eq!(without_thoughts("No thoughts."), "No thoughts.");
        assert_eq!(without_thoughts("The tag <b> and </think> here"), "The tag <b> and </think> here");
    }

    #[test]
    fn an_id_is_fit_for_every_wire() {
        assert_eq!(wire_id("functions.look:0"), "functions_look_0");
        assert_eq!(wire_id("call-1-0"), "call-1-0");
    }
}
