//! Schema rules of Anthropic's tools and structured outputs.

use super::{SchemaPath, children, draft_problem, has_type};
use crate::is_name;
use serde_json::Value;

const INVALID: &str = "JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). \
    Learn more about tool use at https://docs.claude.com/en/docs/tool-use.";

/// Limits on optional properties and union types over all strict schemas of a request.
const MAX_OPTIONAL: usize = 24;
const MAX_UNIONS: usize = 16;
const MAX_KEY_CHARS: usize = 64;

/// Keywords allowed in strict mode, besides `minItems` of 0 and 1.
const KNOWN: [&str; 17] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "allOf",
    "enum",
    "const",
    "default",
    "description",
    "title",
    "format",
    "pattern",
    "$defs",
    "definitions",
    "$ref",
];
const FORMATS: [&str; 9] = ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "uuid"];

/// Returns the problem with the schema of a tool or an answer, if any.
pub(crate) fn problem(schema: &Value, is_strict: bool) -> Option<String> {
    if draft_problem(schema).is_some() {
        return Some(INVALID.to_owned());
    }
    if ["anyOf", "oneOf", "allOf"].iter().any(|key| schema.get(key).is_some()) {
        return Some("input_schema does not support oneOf, allOf, or anyOf at the top level".to_owned());
    }
    if schema["type"] != "object" {
        return Some("type: Input should be 'object'".to_owned());
    }
    let mut keys = schema["properties"].as_object().into_iter().flatten();
    if keys.any(|(key, _)| !is_name(&key.replace('.', "_"), MAX_KEY_CHARS)) {
        return Some("properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".to_owned());
    }
    is_strict.then(|| strict_problem(schema).or_else(|| size_problem(schema)))?
}

fn strict_problem(schema: &Value) -> Option<String> {
    let Some(object) = schema.as_object() else { return Some("a schema must be an object".to_owned()) };
    let kind = match &schema["type"] {
        Value::Null => "any".to_owned(),
        kind => kind.as_str().map_or_else(|| kind.to_string(), str::to_owned),
    };
    let is_known = |key: &str, value: &Value| match key {
        "minItems" => value.as_u64().is_some_and(|least| least <= 1),
        "format" => value.as_str().is_some_and(|format| FORMATS.contains(&format)),
        key => KNOWN.contains(&key),
    };
    if let Some((key, _)) = object.iter().find(|(key, value)| !is_known(key, value)) {
        return Some(format!("For '{kind}' type, property '{key}' is not supported"));
    }
    if has_type(object, "object") && object.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Some("For 'object' type, 'additionalProperties' must be explicitly set to false".to_owned());
    }
    let properties = object.get("properties").and_then(Value::as_object);
    let unknown = object.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut unknown = unknown.filter(|name| properties.is_none_or(|properties| !properties.contains_key(*name)));
    if let Some(name) = unknown.next() {
        return Some(format!("For 'object' type, required property '{name}' is not defined in properties"));
    }
    children(schema, &SchemaPath::default()).into_iter().find_map(|(inner, _)| strict_problem(inner))
}

fn size_problem(schema: &Value) -> Option<String> {
    let (optional, unions) = counted(schema);
    if optional > MAX_OPTIONAL {
        return Some(format!("Schemas contains too many optional parameters ({optional}), limit: {MAX_OPTIONAL}"));
    }
    (unions > MAX_UNIONS).then(|| {
        format!("Schemas contains too many parameters with union types ({unions} parameters with type arrays or anyOf), limit: {MAX_UNIONS}")
    })
}

/// Counts optional properties and union types.
fn counted(schema: &Value) -> (usize, usize) {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let names = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    let optional = names.filter(|name| !required.contains(name)).count();
    let is_union = schema["type"].is_array() || schema.get("anyOf").is_some();
    let inner = children(schema, &SchemaPath::default()).into_iter().map(|(inner, _)| counted(inner));
    inner.fold((optional, usize::from(is_union)), |(a, b), (c, d)| (a + c, b + d))
}
