//! Schema shortening: removes explanations and closes objects, so that a provider can enforce the schema.
//!
//! Invariant: the walk follows the schema structure; keys under `properties` are names, never keywords.

use serde_json::{Map, Value, json};

/// Kept keywords that constrain values. Bounds and formats are checked by the reader of the answer, because some providers refuse
/// them.
const KEPT: [&str; 4] = ["type", "enum", "const", "$ref"];

/// Returns the schema reduced to structural keywords, with every property required and every object closed.
pub(super) fn shortened(schema: &Value) -> Value {
    let Value::Object(object) = schema else { return schema.clone() };
    if let Some(words) = words(object) {
        return json!({"type": "string", "enum": words});
    }
    let mut short: Map<String, Value> =
        KEPT.iter().filter_map(|key| Some(((*key).to_owned(), object.get(*key)?.clone()))).collect();
    let each = |key: &str| object.get(key).and_then(Value::as_array).map(|list| list.iter().map(shortened).collect::<Vec<_>>());
    let by_name = |key: &str| {
        let schemas = object.get(key)?.as_object()?;
        Some(schemas.iter().map(|(name, schema)| (name.clone(), shortened(schema))).collect::<Map<_, _>>())
    };
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = object.get(key) {
            short.insert(key.to_owned(), shortened(inner));
        }
    }
    // Providers know `anyOf` only; an answer that fits exactly one fits any.
    for (key, kept_as) in [("anyOf", "anyOf"), ("oneOf", "anyOf"), ("allOf", "allOf"), ("prefixItems", "prefixItems")] {
        if let Some(schemas) = each(key) {
            let schemas = if kept_as == "anyOf" { flattened(schemas) } else { schemas };
            short.insert(kept_as.to_owned(), schemas.into());
        }
    }
    if let Some(definitions) = by_name("$defs") {
        short.insert("$defs".to_owned(), definitions.into());
    }
    if let Some(properties) = by_name("properties") {
        // Optional values become null or empty: some providers enforce only schemas without choice.
        short.insert("required".to_owned(), properties.keys().cloned().collect());
        short.entry("additionalProperties").or_insert(Value::Bool(false));
        short.insert("properties".to_owned(), properties.into());
    }
    Value::Object(short)
}

/// Flattens nested choices: providers allow few of them.
fn flattened(branches: Vec<Value>) -> Vec<Value> {
    let inner = |branch: Value| match branch {
        Value::Object(mut object) if object.len() == 1 => match object.remove("anyOf") {
            Some(Value::Array(inner)) => inner,
            Some(other) => vec![json!({ "anyOf": other })],
            None => vec![Value::Object(object)],
        },
        other => vec![other],
    };
    branches.into_iter().flat_map(inner).collect()
}

/// Returns the constants of a schema that is a choice of constants.
fn words(object: &Map<String, Value>) -> Option<Vec<Value>> {
    let mut words = vec![];
    for one in object.get("oneOf")?.as_array()? {
        match (one.get("const"), one.get("enum").and_then(Value::as_array)) {
            (Some(word), _) => words.push(word.clone()),
            (None, Some(several)) => words.extend(several.iter().cloned()),
            (None, None) => return None,
        }
    }
    words.iter().all(Value::is_string).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::schema::schema_of;
    use domain::entity::PropertyValue;
    use schemars::JsonSchema;
    use std::collections::BTreeMap;

    #[test]
    fn a_property_may_be_called_as_a_keyword_is() {
        let text = json!({"type": "string", "description": "words"});
        let names = ["properties", "required", "default", "format", "items", "type", "enum", "oneOf", "additionalProperties"];
        let properties: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), text.clone())).collect();
        let short = shortened(&json!({"type": "object", "properties": properties, "default": {"type": "x"}}));
        let expected: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
        assert_eq!(short["properties"], Value::Object(expected));
        assert_eq!(short["required"].as_array().map(Vec::len), Some(names.len()));
        assert!(short.get("default").is_none(), "a default that is an object goes too");
        assert!(jsonschema::draft202012::meta::is_valid(&short), "{short}");
    }

    #[test]
    fn schemas_are_found_wherever_a_schema_may_stand() {
        let deep = json!({"type": "integer", "format": "uint32", "minimum": 0});
        let short = shortened(&json!({
            "type": "array", "uniqueItems": true,
            "items": {"anyOf": [deep, {"oneOf": [{"type": "object", "properties": {"a": deep}}, {"type": "null"}]}]},
        }));
        let object = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false});
        let expected = json!({
            "type": "array", "items": {"anyOf": [{"type": "integer"}, object, {"type": "null"}]},
        });
        assert_eq!(short, expected);
    }

    #[test]
    fn constants_and_words_make_one_choice() {
        let choice = json!({"oneOf": [{"type": "string", "enum": ["a", "b"]}, {"const": "c", "description": "why"}]});
        assert_eq!(shortened(&choice), json!({"type": "string", "enum": ["a", "b", "c"]}));
        let numbers = json!({"oneOf": [{"const": 1}, {"const": 2}]});
        assert_eq!(shortened(&numbers), json!({"anyOf": [{"const": 1}, {"const": 2}]}));
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Odd {
        /// Values by name.
        named: BTreeMap<String, PropertyValue>,
        count: Option<u64>,
    }

    #[test]
    fn a_map_stays_a_valid_schema() {
        let short = shortened(&schema_of::<Odd>());
        assert!(jsonschema::draft202012::meta::is_valid(&short), "{short}");
        let value = &short["properties"]["named"]["additionalProperties"]["anyOf"];
        assert_eq!(value[0], json!({"type": "boolean"}));
        assert_eq!(value[1], json!({"type": "integer"}), "without the format int64");
        assert_eq!(value.as_array().map(Vec::len), Some(8));
        assert_eq!(short["properties"]["count"], json!({"type": ["integer", "null"]}));
        assert!(short["properties"]["named"].get("properties").is_none());
    }
}
