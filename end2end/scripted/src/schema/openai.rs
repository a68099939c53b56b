//! Schema rules of OpenAI's structured outputs and functions, or Azure's if stricter.

use super::{SchemaPath, children, draft_problem, has_type, required_problem};
use serde_json::{Map, Value};

const MAX_LEVELS: usize = 10;
const MAX_PROPERTIES: usize = 5_000;
/// Total characters of all names and enum values.
const MAX_CHARS: usize = 120_000;
const MAX_WORDS: usize = 1_000;
/// Characters of the enum values of one property with more than `LONG_CHOICE` values.
const MAX_CHOICE_CHARS: usize = 15_000;
const LONG_CHOICE: usize = 250;

/// Keywords allowed in strict mode.
const KNOWN: [&str; 12] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "enum",
    "const",
    "description",
    "title",
    "$defs",
    "$ref",
];

/// Returns the problem with the schema of an answer or a function, if any.
pub(crate) fn problem(schema: &Value, is_strict: bool) -> Option<String> {
    let root = schema.as_object();
    if root.and_then(|root| root.get("type")).is_none_or(|kind| kind != "object") {
        let kind = schema["type"].as_str().unwrap_or("None");
        return Some(format!("schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."));
    }
    if let Some((why, place)) = draft_problem(schema) {
        return Some(in_context(&place, &format!("{why}.")));
    }
    // Checked above.
    let root = root?;
    if ["anyOf", "oneOf", "allOf", "enum", "not"].iter().any(|key| root.contains_key(*key)) {
        let why = "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
        return Some(why.to_owned());
    }
    without_items(schema, &SchemaPath::default())
        .or_else(|| is_strict.then(|| strict_problem(schema, &SchemaPath::default()).or_else(|| size_problem(schema)))?)
}

fn without_items(schema: &Value, place: &SchemaPath) -> Option<String> {
    let object = schema.as_object()?;
    if has_type(object, "array") && !object.contains_key("items") && !object.contains_key("prefixItems") {
        return Some(in_context(place, "array schema missing items."));
    }
    children(schema, place).into_iter().find_map(|(inner, place)| without_items(inner, &place))
}

fn strict_problem(schema: &Value, place: &SchemaPath) -> Option<String> {
    let Some(object) = schema.as_object() else { return Some(in_context(place, "schema must have a 'type' key.")) };
    if let Some(key) = object.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Some(in_context(place, &format!("'{key}' is not permitted.")));
    }
    let says_what = ["type", "anyOf", "enum", "const", "$ref"].iter().any(|key| object.contains_key(*key));
    if !says_what {
        return Some(in_context(place, "schema must have a 'type' key."));
    }
    if has_type(object, "object") {
        if object.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Some(in_context(place, "'additionalProperties' is required to be supplied and to be false."));
        }
        if let Some(why) = required_problem(object) {
            let rule = "'required' is required to be supplied and to be an array including every key in properties.";
            return Some(in_context(place, &format!("{rule}{why}")));
        }
    }
    if shares_first_keys(object) {
        return Some("Objects provided via 'anyOf' must not share identical first keys.".to_owned());
    }
    children(schema, place).into_iter().find_map(|(inner, place)| strict_problem(inner, &place))
}

/// Returns whether two branches of a choice begin with the same key.
fn shares_first_keys(object: &Map<String, Value>) -> bool {
    let branches = object.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let mut first: Vec<&String> = branches.filter_map(|branch| branch["properties"].as_object()?.keys().next()).collect();
    let count = first.len();
    first.sort_unstable();
    first.dedup();
    first.len() < count
}

#[derive(Default)]
struct SchemaSize {
    levels: usize,
    properties: usize,
    chars: usize,
    words: usize,
    has_long_choice: bool,
}

fn size_problem(schema: &Value) -> Option<String> {
    let mut size = SchemaSize::default();
    measure(schema, 0, &mut size);
    let over =
        |what: &str, count: usize, limit: usize| (count > limit).then(|| format!("{count} {what} exceeds limit of {limit}."));
    over("levels of nesting", size.levels, MAX_LEVELS)
        .or_else(|| over("object properties", size.properties, MAX_PROPERTIES))
        .or_else(|| over("characters of names and words", size.chars, MAX_CHARS))
        .or_else(|| over("enum values", size.words, MAX_WORDS))
        .or_else(|| size.has_long_choice.then(|| format!("an enum exceeds limit of {MAX_CHOICE_CHARS} characters.")))
}

fn measure(schema: &Value, above: usize, size: &mut SchemaSize) {
    let is_container = schema.as_object().is_some_and(|object| has_type(object, "object") || has_type(object, "array"));
    let levels = above + usize::from(is_container);
    size.levels = size.levels.max(levels);
    let names = schema["properties"].as_object().into_iter().flatten();
    for (name, _) in names {
        size.properties += 1;
        size.chars += name.chars().count();
    }
    let words: Vec<&str> = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let chars: usize = words.iter().map(|word| word.chars().count()).sum();
    size.words += words.len();
    size.chars += chars;
    size.has_long_choice |= words.len() > LONG_CHOICE && chars > MAX_CHOICE_CHARS;
    children(schema, &SchemaPath::default()).into_iter().for_each(|(inner, _)| measure(inner, levels, size));
}

/// Adds the path in the service's format: `In context=('properties', 'a'), …`.
fn in_context(place: &SchemaPath, why: &str) -> String {
    let steps: Vec<String> = place.0.iter().map(|step| format!("'{step}'")).collect();
    let comma = if steps.len() == 1 { "," } else { "" };
    format!("In context=({}{comma}), {why}", steps.join(", "))
}
