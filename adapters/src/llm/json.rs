//! Lenient JSON of models: fenced, surrounded by words, or as text within JSON.

use serde_json::{Map, Value};

/// Finds the JSON object in an answer.
pub(super) fn object_in(text: &str) -> Option<Value> {
    let text = text.trim();
    let fenced = text.find("```").and_then(|start| {
        let rest = &text[start + 3..];
        let inner = rest.strip_prefix("json").unwrap_or(rest);
        inner.rfind("```").map(|end| &inner[..end])
    });
    let braces = text.find('{').zip(text.rfind('}')).and_then(|(start, end)| text.get(start..=end));
    let candidates = [Some(text), fenced, braces];
    candidates.into_iter().flatten().find_map(|candidate| serde_json::from_str(candidate.trim()).ok().filter(Value::is_object))
}

/// Parses the arguments of a tool call: an object, or text that holds one. Other text is kept, so that the validation can report its
/// problem.
pub(super) fn arguments(raw: Value) -> Value {
    match raw {
        Value::Null => Value::Object(Map::new()),
        Value::String(text) if text.trim().is_empty() => Value::Object(Map::new()),
        Value::String(text) => match serde_json::from_str(&text) {
            // Some servers write the text twice.
            Ok(Value::String(inner)) => serde_json::from_str(&inner).unwrap_or(Value::String(inner)),
            Ok(value) => value,
            Err(_) => Value::String(text),
        },
        value => value,
    }
}

/// Returns arguments for an API that accepts only objects.
pub(super) fn as_object(arguments: &Value) -> Value {
    match arguments {
        Value::Object(_) => arguments.clone(),
        other => Value::Object(Map::from_iter([("malformed".to_owned(), other.clone())])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_is_found_in_whatever_stands_around_it() {
        for text in [
            r#"{"a":1}"#,
            "```json\n{\"a\":1}\n```",
            "```\n{\"a\":1}```",
            "Here it is:\n{\"a\":1}\nI hope this helps.",
            "Sure!\n```json\n{\"a\":1}\n```\nDone.",
        ] {
            assert_eq!(object_in(text), Some(json!({"a": 1})), "{text}");
        }
        for text in ["", "none", "[1]", r#"{"a":"#] {
            assert_eq!(object_in(text), None, "{text}");
        }
    }

    #[test]
    fn arguments_are_read_in_every_form_and_kept_when_they_cannot_be() {
        assert_eq!(arguments(json!({"a": 1})), json!({"a": 1}));
        assert_eq!(arguments(json!("{\"a\":1}")), json!({"a": 1}));
        assert_eq!(arguments(json!("\"{\\\"a\\\":1}\"")), json!({"a": 1}));
        assert_eq!(arguments(Value::Null), json!({}));
        assert_eq!(arguments(json!("{\"a\":")), json!("{\"a\":"));
        assert_eq!(as_object(&json!("x")), json!({"malformed": "x"}));
    }
}
