//! Lenient coercion of tool arguments: a number in quotation marks costs no turn, nor does one item in the place of a list.

use serde_json::Value;

/// Converts numbers, booleans, lists and objects written as text, and single items, where `schema` expects them and nothing else.
pub fn coerce(schema: &Value, value: &mut Value) {
    if let Some(list) = as_list(schema, value) {
        *value = list;
    }
    match value {
        Value::String(text) => {
            if let Some(read) = read_as(schema, text) {
                *value = read;
                coerce(schema, value);
            }
        }
        Value::Array(items) => {
            if let Some(of_items) = part(schema, "items") {
                items.iter_mut().for_each(|item| coerce(of_items, item));
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                if let Some(of_field) = part(schema, "properties").and_then(|properties| properties.get(name)) {
                    coerce(of_field, field);
                }
            }
        }
        _ => {}
    }
}

/// Returns a keyword of a schema, searching its alternatives too (a nullable object is one of two).
fn part<'a>(schema: &'a Value, key: &str) -> Option<&'a Value> {
    let branches = ["anyOf", "oneOf"].into_iter().filter_map(|one| schema.get(one)?.as_array()).flatten();
    schema.get(key).or_else(|| branches.into_iter().find_map(|one| part(one, key)))
}

/// Returns a text or an object as a list of one, where only a list is expected; an empty text is no item.
fn as_list(schema: &Value, value: &Value) -> Option<Value> {
    let kind = match value {
        Value::String(text) if read_as(schema, text).is_none() => "string",
        Value::Object(_) => "object",
        _ => return None,
    };
    let is_item =
        allows(schema, "array") && !allows(schema, kind) && part(schema, "items").is_some_and(|items| allows(items, kind));
    let is_empty = value.as_str().is_some_and(|text| text.trim().is_empty());
    is_item.then(|| if is_empty { Value::Array(vec![]) } else { Value::Array(vec![value.clone()]) })
}

fn read_as(schema: &Value, text: &str) -> Option<Value> {
    if allows(schema, "string") || schema.get("enum").is_some() {
        return None;
    }
    let read = protocol::json::read(text.trim()).ok()?;
    let fits = match &read {
        Value::Number(number) => allows(schema, "number") || allows(schema, "integer") && !number.is_f64(),
        Value::Bool(_) => allows(schema, "boolean"),
        Value::Null => allows(schema, "null"),
        Value::Array(_) => allows(schema, "array"),
        Value::Object(_) => allows(schema, "object"),
        Value::String(_) => false,
    };
    fits.then_some(read)
}

fn allows(schema: &Value, kind: &str) -> bool {
    let of_type = match schema.get("type") {
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => false,
    };
    let any = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(*key)?.as_array()).flatten().any(|one| allows(one, kind));
    of_type || any || (kind == "string" && schema.get("const").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_written_as_text_are_converted_to_the_type_of_the_schema() {
        let schema = json!({"type": "object", "properties": {
            "limit": {"type": ["integer", "null"]}, "share": {"type": "number"}, "query": {"type": "string"},
            "inner": {"anyOf": [{"type": "object", "properties": {"on": {"type": "boolean"}}}, {"type": "null"}]},
            "ids": {"type": "array", "items": {"type": "string"}}}});
        let mut value = json!({"limit": "20", "share": "0.7", "query": "20", "inner": "{\"on\": \"true\"}", "ids": "[\"7\"]"});
        coerce(&schema, &mut value);
        assert_eq!(value, json!({"limit": 20, "share": 0.7, "query": "20", "inner": {"on": true}, "ids": ["7"]}));
        for (given, list) in [
            (json!({"ids": "documents unread"}), json!({"ids": ["documents unread"]})),
            (json!({"ids": ""}), json!({"ids": []})),
            (json!({"ids": "[\"a\", \"b\",]"}), json!({"ids": ["a", "b"]})),
        ] {
            let mut value = given;
            coerce(&schema, &mut value);
            assert_eq!(value, list);
        }
        let rows = json!({"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}});
        let mut row = json!({"n": "1"});
        coerce(&rows, &mut row);
        assert_eq!(row, json!([{"n": 1}]));
        let mut wrong = json!({"limit": "many"});
        coerce(&schema, &mut wrong);
        assert_eq!(wrong, json!({"limit": "many"}), "what cannot be read stays for the error message");
    }
}
