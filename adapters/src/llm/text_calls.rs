//! Tool calls that a model wrote as text: in tags or fences, alone, or after other words.
//!
//! A call of an offered tool is found wherever it ends a line. Another name counts as a call only where it is marked as one, so that the
//! session can be told the right name.

use super::json;
use protocol::{
    json::{FoundObject, objects},
    model::{ToolRequest, ToolSchema},
};
use serde_json::{Map, Value};

/// Marks right before a call.
const MARKS: [&str; 4] = ["<tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "<function_call>"];
/// Keys for the name and the arguments of a call.
const NAMES: [&str; 4] = ["name", "tool", "tool_name", "function"];
const ARGUMENTS: [&str; 6] = ["arguments", "parameters", "args", "input", "tool_input", "action_input"];
/// Tags around calls in XML, with what ends the name and the call.
const TAGS: [(&str, char, &str); 2] = [("<function=", '>', "</function>"), ("<invoke name=\"", '"', "</invoke>")];

/// Finds the calls in a text, in order; none without any.
pub(super) fn calls_in_text(text: &str, tools: &[ToolSchema]) -> Option<Vec<ToolRequest>> {
    if tools.is_empty() {
        return None;
    }
    let is_offered = |name: &str| tools.iter().any(|tool| tool.name == name);
    let mut calls: Vec<(usize, ToolRequest)> = tagged_calls(text);
    let mut last_end = 0;
    for found in objects(text) {
        let before = text[..found.start].trim_end();
        let call = written_call(&found.value);
        let is_marked = is_marked(before, &text[last_end..found.start]);
        let named = match call {
            Some((name, arguments)) if is_offered(&name) && (is_marked || ends_its_line(text, &found)) => {
                Some((name, arguments.unwrap_or_default()))
            }
            Some((name, Some(arguments))) if is_marked => Some((name, arguments)),
            Some(_) => None,
            None => name_before(before).filter(|name| is_offered(name)).map(|name| (name.to_owned(), found.value.clone())),
        };
        if let Some((name, arguments)) = named {
            last_end = found.end;
            calls.push((found.start, request(name, arguments)));
        }
    }
    calls.sort_by_key(|(at, _)| *at);
    (!calls.is_empty()).then(|| calls.into_iter().map(|(_, call)| call).collect())
}

fn request(name: String, arguments: Value) -> ToolRequest {
    ToolRequest { id: String::new(), name, arguments: json::arguments(arguments) }
}

/// Returns name and arguments of an object that is a call.
fn written_call(value: &Value) -> Option<(String, Option<Value>)> {
    let call = value.get("function").filter(|function| function.is_object()).unwrap_or(value);
    let name = NAMES.iter().find_map(|key| call.get(*key)?.as_str())?;
    let arguments = ARGUMENTS.iter().find_map(|key| call.get(*key)).cloned();
    Some((name.trim().to_owned(), arguments))
}

/// Returns whether an object stands where calls stand: after a mark or the line of a fence, or with nothing but other calls before it.
fn is_marked(before: &str, gap: &str) -> bool {
    let before = before.trim_end_matches('[').trim_end();
    let is_alone = gap.chars().all(|char| char.is_whitespace() || matches!(char, '[' | ']' | ',' | ';'));
    let in_fence = before.lines().last().is_some_and(|line| line.trim_start().starts_with("```"));
    is_alone || in_fence || MARKS.iter().any(|mark| before.ends_with(mark))
}

fn ends_its_line(text: &str, found: &FoundObject) -> bool {
    let rest = text[found.end..].lines().next().unwrap_or_default();
    rest.chars().all(|char| !char.is_alphanumeric())
}

/// Returns the name right before arguments, as in `name({…})`, `name[ARGS]{…}` and `<function=name>{…}`.
fn name_before(before: &str) -> Option<&str> {
    let before = before.trim_end_matches("```json").trim_end_matches("```").trim_end().trim_end_matches("[ARGS]");
    let before = before.trim_end_matches(['(', ':', '`', '*', '>', ' ']);
    let start = before
        .rfind(|char: char| !(char.is_alphanumeric() || char == '_'))
        .map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
    Some(&before[start..]).filter(|name| !name.is_empty())
}

/// Finds calls in XML whose arguments are parameters. Their values stay text: the schema of the tool says what they are.
fn tagged_calls(text: &str) -> Vec<(usize, ToolRequest)> {
    let mut calls = vec![];
    for (opening, name_end, closing) in TAGS {
        for (at, _) in text.match_indices(opening) {
            let rest = &text[at + opening.len()..];
            let Some((name, rest)) = rest.split_once(name_end) else { continue };
            let body = rest.split(closing).next().unwrap_or(rest);
            let parameters: Map<String, Value> = body.split("<parameter").skip(1).filter_map(parameter).collect();
            if !parameters.is_empty() {
                calls.push((at, request(name.trim().to_owned(), parameters.into())));
            }
        }
    }
    calls
}

/// Reads `=key>value</parameter>` and ` name="key">value</parameter>`.
fn parameter(text: &str) -> Option<(String, Value)> {
    let (head, rest) = text.split_once('>')?;
    let key = head.trim().trim_start_matches("name").trim_start_matches('=').trim_matches('"');
    let value = rest.split("</parameter>").next().unwrap_or(rest).trim();
    Some((key.to_owned(), value.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(text: &str) -> Option<Vec<(String, Value)>> {
        let tools = [ToolSchema { name: "look".into(), description: String::new(), input_schema: json!({}) }];
        let calls = calls_in_text(text, &tools)?;
        Some(calls.into_iter().map(|call| (call.name, call.arguments)).collect())
    }

    #[test]
    fn calls_written_as_text_are_parsed() {
        for text in [
            r#"<tool_call>{"name":"look","arguments":{"at":1}}</tool_call>"#,
            "<tool_call>\n{\"name\": \"look\", \"arguments\": \"{\\\"at\\\":1}\"}\n</tool_call>",
            "I look first.\n<tool_call>\n{\"name\": \"look\", \"arguments\": {\"at\": 1,}}\n</tool_call>\nThen I write.",
            r#"{"name":"look","parameters":{"at":1}}"#,
            "```json\n{\"name\":\"look\",\"arguments\":{\"at\":1}}\n```",
            "I will look at one:\n\n```json\n{\"name\":\"look\",\"arguments\":{\"at\":1}}\n```\nThat is all.",
            "```tool_call\n{\"tool\":\"look\",\"args\":{\"at\":1}}\n```",
            r#"[TOOL_CALLS] [{"name":"look","arguments":{"at":1}}]"#,
            r#"[TOOL_CALLS]look[ARGS]{"at":1}"#,
            r#"<|python_tag|>{"name":"look","parameters":{"at":1}}"#,
            r#"So I call {"name":"look","arguments":{"at":1}}."#,
            r#"{"type":"function","function":{"name":"look","arguments":"{\"at\":1}"}}"#,
            r#"{"function":"look","arguments":{"at":1}}"#,
            r#"First look({"at": 1})"#,
            "I use `look`:\n```json\n{\"at\": 1}\n```",
            r#"<function=look>{"at":1}</function>"#,
        ] {
            assert_eq!(found(text), Some(vec![("look".into(), json!({"at": 1}))]), "{text}");
        }
        for text in [
            "Well.\n<tool_call>\n<function=look>\n<parameter=at>\n1\n</parameter>\n</function>\n</tool_call>",
            "<invoke name=\"look\"><parameter name=\"at\">1</parameter></invoke>",
        ] {
            assert_eq!(found(text), Some(vec![("look".into(), json!({"at": "1"}))]), "{text}");
        }
    }

    #[test]
    fn several_calls_are_found_in_their_order_and_wrong_names_where_they_are_marked() {
        let two = |first: &str| Some(vec![(first.to_owned(), json!({"at": 1})), ("look".to_owned(), json!({}))]);
        for name in ["look", "seek"] {
            for text in [
                r#"<tool_call>{"name":"NAME","arguments":{"at":1}}</tool_call> and <tool_call>{"name":"look"}</tool_call>"#,
                r#"[{"name":"NAME","arguments":{"at":1}}, {"name":"look","arguments":{}}]"#,
                "Two:\n```json\n[{\"name\":\"NAME\",\"arguments\":{\"at\":1}},\n{\"name\":\"look\",\"arguments\":{}}]\n```",
            ] {
                assert_eq!(found(&text.replace("NAME", name)), two(name), "{text}");
            }
        }
    }

    #[test]
    fn text_about_calls_and_unrelated_objects_are_no_calls() {
        for text in [
            r#"I would not call {"name":"look","arguments":{}} now."#,
            r#"The answer is {"name":"rm","arguments":{}}"#,
            r#"{"name":"Ada","age":7}"#,
            "```json\n{\"content\": {\"title\": \"Look\"}, \"claim_refs\": []}\n```",
            r#"{"name":"look""#,
            "look",
            "[]",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
