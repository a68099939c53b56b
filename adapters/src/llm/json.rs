//! Answers and arguments in JSON: fenced, surrounded by words, or as text within JSON.

use protocol::json;
use serde_json::{Map, Value};

/// Finds the answer that `schema` asks for: the whole text, or the last object in it with every required field.
pub(super) fn object_in(text: &str, schema: &Value) -> Option<Value> {
    let as_object = |text: &str| json::read(text.trim()).ok().filter(Value::is_object);
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let fits = |value: &Value| required.iter().filter_map(Value::as_str).all(|key| value.get(key).is_some());
    let among_words =
        || json::objects(text).into_iter().map(|found| found.value).rfind(|value| !required.is_empty() && fits(value));
    let braces = || text.find('{').zip(text.rfind('}')).and_then(|(start, end)| as_object(text.get(start..=end)?));
    as_object(text).or_else(among_words).or_else(braces)
}

/// Parses the arguments of a tool call: an object, or text that holds one. Other text is kept, so that the validation can report its
/// problem.
pub(super) fn arguments(raw: Value) -> Value {
    match raw {
        Value::Null => Value::Object(Map::new()),
        Value::String(text) if text.trim().is_empty() => Value::Object(Map::new()),
        Value::String(text) => match json::read(&text) {
            // Some servers write the text twice.
            Ok(Value::String(inner)) => json::read(&inner).unwrap_or(Value::String(inner)),
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
    fn an_object_is_found_in_surrounding_text() {
        let schema = json!({"type": "object", "required": ["a"]});
        for text in [
            r#"{"a":1}"#,
            "```json\n{\"a\":1}\n```",
            "```\n{\"a\":1}```",
            "Here it is:\n{\"a\":1}\nI hope this helps.",
            "Sure!\n```json\n{\"a\":1,}\n```\nDone.",
            r#"Perhaps {"a":0}? No: {"a":1}. Unlike {"b":2} it fits."#,
        ] {
            assert_eq!(object_in(text, &schema), Some(json!({"a": 1})), "{text}");
        }
        for text in ["", "none", "[1]", r#"{"a":"#, r#"{"a":[{"b":1}"#] {
            assert_eq!(object_in(text, &schema), None, "{text}");
        }
        assert_eq!(object_in("It is {\"b\": 1}.", &json!({})), Some(json!({"b": 1})));
    }

    #[test]
    fn arguments_are_parsed_in_every_form_and_kept_if_unreadable() {
        assert_eq!(arguments(json!({"a": 1})), json!({"a": 1}));
        assert_eq!(arguments(json!("{\"a\":1}")), json!({"a": 1}));
        assert_eq!(arguments(json!("\"{\\\"a\\\":1}\"")), json!({"a": 1}));
        assert_eq!(arguments(json!("{\"a\":[1,],}")), json!({"a": [1]}));
        assert_eq!(arguments(Value::Null), json!({}));
        assert_eq!(arguments(json!("{\"a\":")), json!("{\"a\":"));
        assert_eq!(as_object(&json!("x")), json!({"malformed": "x"}));
    }
}
