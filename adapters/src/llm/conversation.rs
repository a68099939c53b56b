//! Helpers shared by both APIs: call ids, empty turns, thoughts, and usage.

use super::json;
use protocol::model::{Message, ModelRequest, OutputSchema, ToolRequest, Usage};
use serde_json::Value;
use std::collections::BTreeSet;

/// Characters per token for estimates: below the average of most languages, so that a budget errs on the safe side.
const CHARS_PER_TOKEN: u64 = 3;

/// Maximum token count of one call that is believed.
const MAX_TOKENS: f64 = 1e9;

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
pub(super) fn json_answer(text: &str, schema: &OutputSchema) -> String {
    json::object_in(text, &schema.schema).map_or_else(|| text.to_owned(), |value| value.to_string())
}

/// Returns the answer given as arguments of a forced tool; one that was cut is text.
pub(super) fn forced_answer(calls: &[ToolRequest], schema: &OutputSchema) -> Option<String> {
    let call = calls.iter().find(|call| call.name == schema.name)?;
    Some(match &call.arguments {
        Value::String(text) => text.clone(),
        arguments => arguments.to_string(),
    })
}

/// Strips the thoughts that a local model wrote before its answer.
pub(super) fn without_thoughts(text: &str) -> &str {
    let mut answer = text;
    while let Some((thoughts, rest)) = answer.split_once("</think>") {
        if !thoughts.trim_start().starts_with("<think>") && thoughts.contains('<') {
            break;
        }
        answer = rest.trim_start();
    }
    answer
}

/// Returns the answer among the thoughts of a reply without any other text: some servers take a whole reply for thoughts. The thoughts of
/// a cut reply hold an answer only where they begin with it.
pub(super) fn answer_in_thoughts(text: &str, thoughts: Option<&str>, is_cut: bool) -> Option<String> {
    let thoughts = without_thoughts(thoughts?).trim();
    let is_answer = !is_cut || thoughts.starts_with('{');
    (text.trim().is_empty() && is_answer && !thoughts.is_empty()).then(|| thoughts.to_owned())
}

/// Reads a token count: a number, also as a fraction or as text. None for what cannot be one.
pub(super) fn token_count(value: &Value) -> Option<u64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    (0.0..=MAX_TOKENS).contains(&number).then(|| number.ceil() as u64)
}

/// Fills in what a server did not count; a prompt, or a reply with text, is never of no tokens.
pub(super) fn with_estimates(counted: Usage, sent: &Value, text: &str, calls: &[ToolRequest]) -> Usage {
    let guess = guess_usage(sent, text, calls);
    let counted_or = |counted: u64, guess: u64| if counted == 0 { guess } else { counted };
    Usage {
        tokens_in: counted_or(counted.tokens_in, guess.tokens_in),
        tokens_out: counted_or(counted.tokens_out, guess.tokens_out),
        ..counted
    }
}

/// Estimates the usage of a call from text lengths.
fn guess_usage(sent: &Value, text: &str, calls: &[ToolRequest]) -> Usage {
    let written = text.chars().count() + calls.iter().map(|call| call.arguments.to_string().chars().count()).sum::<usize>();
    let tokens = |chars: usize| (chars as u64).div_ceil(CHARS_PER_TOKEN);
    Usage { tokens_in: tokens(sent.to_string().chars().count()), tokens_out: tokens(written), ..Usage::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn thoughts_are_no_part_of_the_answer() {
        assert_eq!(without_thoughts("<think>hm</think>\n\nYes."), "Yes.");
        assert_eq!(without_thoughts("hm, so\n</think>\nYes."), "Yes.");
        assert_eq!(without_thoughts("No thoughts."), "No thoughts.");
        assert_eq!(without_thoughts("<think>hm</think>\n<think>again</think>Yes."), "Yes.");
        assert_eq!(without_thoughts("The tag <b> and </think> here"), "The tag <b> and </think> here");
    }

    #[test]
    fn an_answer_among_thoughts_is_taken_where_there_is_no_other() {
        let found = |text: &str, thoughts: &str, is_cut| answer_in_thoughts(text, Some(thoughts), is_cut);
        assert_eq!(found("\n", "Hm. {\"a\":1}", false).as_deref(), Some("Hm. {\"a\":1}"));
        assert_eq!(found("", "<think>Hm.</think>{\"a\":1}", false).as_deref(), Some("{\"a\":1}"));
        assert_eq!(found("", "{\"a\":1", true).as_deref(), Some("{\"a\":1"));
        for (text, thoughts, is_cut) in [("Yes.", "Hm.", false), ("", "Hm. {", true), ("", " ", false)] {
            assert_eq!(found(text, thoughts, is_cut), None, "{text} {thoughts}");
        }
    }

    #[test]
    fn counts_are_read_in_every_form_and_estimated_where_there_are_none() {
        for (value, count) in [
            (json!(900), Some(900)),
            (json!(900.0), Some(900)),
            (json!("900"), Some(900)),
            (json!(" 900.5 "), Some(901)),
            (json!(null), None),
            (json!(-3), None),
            (json!("many"), None),
            (json!("NaN"), None),
            (json!(1e30), None),
            (json!([900]), None),
        ] {
            assert_eq!(token_count(&value), count, "{value}");
        }
        let sent = json!({"messages": "what is asked"});
        let usage = |tokens_in, tokens_out| Usage { tokens_in, tokens_out, ..Usage::default() };
        assert_eq!(with_estimates(usage(7, 2), &sent, "a reply", &[]), usage(7, 2));
        assert_eq!(with_estimates(usage(0, 0), &sent, "a reply", &[]), usage(10, 3));
        assert_eq!(with_estimates(usage(7, 0), &sent, "", &[]), usage(7, 0), "an empty reply");
    }

    #[test]
    fn an_id_is_fit_for_every_wire() {
        assert_eq!(wire_id("functions.look:0"), "functions_look_0");
        assert_eq!(wire_id("call-1-0"), "call-1-0");
    }
}
