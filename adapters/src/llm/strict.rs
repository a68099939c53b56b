//! Strict mode: schemas that OpenAI, Azure and Anthropic can all enforce.
//!
//! Invariant: a schema is marked strict only where every provider accepts it.

use serde_json::Value;

/// Keywords that all providers accept in strict mode.
const KNOWN: [&str; 9] =
    ["type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "description"];

/// Maximum number of unions in all strict schemas of a request to Anthropic.
const ANTHROPIC_MAX_UNIONS: usize = 16;

/// Whether every object is closed and requires all its properties, and every keyword is accepted everywhere.
pub(super) fn is_strict(schema: &Value) -> bool {
    schema["type"] == "object" && schema.get("anyOf").is_none() && is_strict_inside(schema)
}

/// Whether it is strict with few enough unions for Anthropic.
pub(super) fn is_strict_for_anthropic(schema: &Value) -> bool {
    is_strict(schema) && unions(schema) <= ANTHROPIC_MAX_UNIONS
}

fn is_strict_inside(schema: &Value) -> bool {
    let Some(object) = schema.as_object() else { return false };
    let says_what = ["type", "anyOf", "enum", "const"].iter().any(|key| object.contains_key(*key));
    if !says_what || object.keys().any(|key| !KNOWN.contains(&key.as_str())) {
        return false;
    }
    let branches = schema["anyOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    // Several objects would have to be told apart by their first key.
    let objects = branches.iter().filter(|branch| is_of(branch, "object")).count();
    let has_items = !is_of(schema, "array") || is_strict_inside(&schema["items"]);
    let is_closed = !is_of(schema, "object") || is_closed(schema);
    objects <= 1 && has_items && is_closed && branches.iter().all(is_strict_inside)
}

fn is_closed(schema: &Value) -> bool {
    let Some(properties) = schema["properties"].as_object() else { return false };
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    schema["additionalProperties"] == false
        && required.len() == properties.len()
        && properties.keys().all(|key| required.contains(&key.as_str()))
        && properties.values().all(is_strict_inside)
}

/// Whether `kind` is the type, or one of several.
fn is_of(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        one => one == kind,
    }
}

fn unions(schema: &Value) -> usize {
    let inner = schema["properties"].as_object().into_iter().flat_map(|properties| properties.values());
    let branches = schema["anyOf"].as_array().into_iter().flatten();
    let inner = inner.chain(branches).chain(schema.get("items"));
    usize::from(schema["type"].is_array() || schema.get("anyOf").is_some()) + inner.map(unions).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(properties: Value) -> Value {
        let required: Vec<String> = properties.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    }

    #[test]
    fn a_schema_is_strict_only_when_all_of_it_is() {
        let inner = object(json!({"b": {"type": ["string", "null"]}}));
        let outer = |inner: &Value| object(json!({"a": {"type": "array", "items": inner}}));
        assert!(is_strict(&outer(&inner)));
        let changes: [(&str, Value); 5] = [
            ("additionalProperties", json!(true)),
            ("required", json!([])),
            ("required", json!(["b", "c"])),
            ("default", json!({})),
            ("minProperties", json!(1)),
        ];
        for (key, value) in changes {
            let mut changed = inner.clone();
            changed[key] = value;
            assert!(!is_strict(&outer(&changed)), "{changed}");
        }
        for other in [json!({"type": "object"}), json!({}), json!(true), json!({"type": "string", "format": "uuid"})] {
            assert!(!is_strict(&outer(&other)), "{other}");
        }
        assert!(!is_strict(&json!({"type": "array", "items": inner})), "the root is an object");
        let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
        assert!(!is_strict(&object(json!({"a": map}))), "a map cannot be closed");
    }

    #[test]
    fn many_unions_are_too_many_for_anthropic_alone() {
        let with = |count: usize| {
            let properties = (0..count).map(|n| (format!("p{n}"), json!({"type": ["string", "null"]})));
            object(Value::Object(properties.collect()))
        };
        assert!(is_strict_for_anthropic(&with(16)));
        assert!(is_strict(&with(17)) && !is_strict_for_anthropic(&with(17)));
    }
}
