//! Check of JSON values against the schemas of tools and answers, which reports every violation with its place.
//!
//! Invariant: keywords that our schemas do not use are ignored. The type that a value is read into checks it again.

use serde_json::{Map, Value};

/// Violation of a schema by a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON pointer of the value.
    pub path: String,
    /// Problem, which may quote the value.
    pub problem: String,
}

/// Returns every violation of a schema by a value.
pub fn violations(schema: &Value, value: &Value) -> Vec<Violation> {
    let mut found = vec![];
    check(schema, value, "", &mut found);
    found
}

fn check(schema: &Value, value: &Value, path: &str, found: &mut Vec<Violation>) {
    if let Some(problem) = own_problem(schema, value) {
        found.push(Violation { path: path.to_owned(), problem });
        return;
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(key).and_then(Value::as_array) {
            found.extend(check_branches(schema, branches, value, path));
        }
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        check(part, value, path, found);
    }
    match value {
        Value::Array(items) => {
            if let Some(of_item) = schema.get("items") {
                for (n, item) in items.iter().enumerate() {
                    check(of_item, item, &format!("{path}/{n}"), found);
                }
            }
        }
        Value::Object(fields) => check_fields(schema, fields, path, found),
        _ => {}
    }
}

/// Returns the violations of the alternative that the value comes nearest to; none where it fits one.
fn check_branches(schema: &Value, branches: &[Value], value: &Value, path: &str) -> Vec<Violation> {
    let near = branches.iter().filter(|branch| is_alike(branch, value)).map(|branch| {
        let mut found = vec![];
        check(branch, value, path, &mut found);
        found
    });
    let unlike = || vec![Violation { path: path.to_owned(), problem: unexpected(&expected(schema), value) }];
    near.min_by_key(Vec::len).unwrap_or_else(unlike)
}

fn check_fields(schema: &Value, fields: &Map<String, Value>, path: &str, found: &mut Vec<Violation>) {
    let violation = |problem: String| Violation { path: path.to_owned(), problem };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let missing = required.filter(|name| !fields.contains_key(*name));
    found.extend(missing.map(|name| violation(format!("'{name}' is missing"))));
    let properties = schema.get("properties").and_then(Value::as_object);
    // The schema of a map has at most one pattern; the type of its keys checks them.
    let of_map = schema.get("patternProperties").and_then(Value::as_object).and_then(|patterns| patterns.values().next());
    let of_others = of_map.or_else(|| schema.get("additionalProperties"));
    for (name, field) in fields {
        match properties.and_then(|properties| properties.get(name)).or(of_others) {
            Some(Value::Bool(false)) => {
                let known: Vec<&str> = properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
                found.push(violation(format!("'{name}' is not known; there are: {}", known.join(", "))));
            }
            Some(of_field) => {
                let name = name.replace('~', "~0").replace('/', "~1");
                check(of_field, field, &format!("{path}/{name}"), found);
            }
            None => {}
        }
    }
}

/// Returns the problem with a value apart from its parts and the alternatives: its type, range or length.
fn own_problem(schema: &Value, value: &Value) -> Option<String> {
    if !is_alike(schema, value) {
        return Some(unexpected(&expected(schema), value));
    }
    let (size, unit, least, most) = match value {
        Value::Number(number) => (number.as_f64()?, "", "minimum", "maximum"),
        Value::String(text) => (text.chars().count() as f64, " characters", "minLength", "maxLength"),
        Value::Array(items) => (items.len() as f64, " items", "minItems", "maxItems"),
        _ => return None,
    };
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let too_small = bound(least).filter(|least| size < *least).map(|least| format!("at least {least}"));
    let outside = too_small.or_else(|| bound(most).filter(|most| size > *most).map(|most| format!("at most {most}")))?;
    Some(format!("expected {outside}{unit}, found {size}"))
}

/// Returns whether a value is one of those that a schema permits, and of its types.
fn is_alike(schema: &Value, value: &Value) -> bool {
    let (permitted, types) = (permitted(schema), types(schema));
    let is_permitted = permitted.is_empty() || permitted.contains(&value);
    is_permitted && (types.is_empty() || types.iter().any(|name| is_of_type(value, name)))
}

fn permitted(schema: &Value) -> Vec<&Value> {
    let named = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    named.chain(schema.get("const")).collect()
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        Some(one) => one.as_str().into_iter().collect(),
        None => vec![],
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

/// Returns the permitted values of a schema and of its alternatives, or else their types.
fn expected(schema: &Value) -> Vec<String> {
    let values: Vec<String> = permitted(schema).into_iter().map(Value::to_string).collect();
    let own = if values.is_empty() { types(schema).into_iter().map(str::to_owned).collect() } else { values };
    let branches = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    let mut all = own;
    for name in branches.flat_map(expected) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// Words the problem with an unexpected value. The value comes last because long ones are cut.
fn unexpected(expected: &[String], value: &Value) -> String {
    format!("expected {}, found {value}", expected.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lines(schema: &Value, value: &Value) -> Vec<String> {
        violations(schema, value).into_iter().map(|one| format!("{}: {}", one.path, one.problem)).collect()
    }

    fn search() -> Value {
        let sort = json!({"oneOf": [{"const": "newest", "type": "string"}, {"type": "string", "enum": ["oldest", "longest"]}]});
        json!({"type": "object", "required": ["query"], "additionalProperties": false, "properties": {
            "query": {"type": "string", "minLength": 2, "maxLength": 5},
            "limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 9},
            "rows": {"type": "array", "maxItems": 2, "items": {"type": "object", "properties": {"n": {"type": "number"}}}},
            "filter": {"anyOf": [
                {"type": "object", "properties": {"sort": {"anyOf": [sort, {"type": "null"}]}}, "required": ["sort"]},
                {"type": "null"}]},
            "labels": {"type": "object", "additionalProperties": false, "patternProperties": {"^[a-z]+$": {"type": "string"}}}}})
    }

    #[test]
    fn every_violation_is_reported_with_its_place() {
        let found = lines(
            &search(),
            &json!({"limit": 10, "rows": [{"n": "x"}], "filter": {"sort": "best"}, "labels": {"a": 1}, "other": 1}),
        );
        let expected = [
            ": 'query' is missing",
            "/filter/sort: expected \"newest\" or \"oldest\" or \"longest\", found \"best\"",
            "/labels/a: expected string, found 1",
            "/limit: expected at most 9, found 10",
            ": 'other' is not known; there are: filter, labels, limit, query, rows",
            "/rows/0/n: expected number, found \"x\"",
        ];
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        assert_eq!(sorted(found), sorted(expected.map(str::to_owned).to_vec()));
        let nullable = lines(&search(), &json!({"query": "fire", "filter": 7}));
        assert_eq!(nullable, ["/filter: expected object or null, found 7"]);
        assert_eq!(
            lines(&json!({"properties": {"a/b": {"type": "null"}}}), &json!({"a/b": 1})),
            ["/a~1b: expected null, found 1"]
        );
    }

    #[test]
    fn a_value_fits_exactly_where_it_fits_for_a_validator_of_the_standard() {
        let values = [
            json!({"query": "fire"}),
            json!({"query": "f"}),
            json!({"query": "fires!"}),
            json!({"query": "äöüß€"}),
            json!({"query": null}),
            json!({}),
            json!([]),
            json!({"query": "fire", "limit": null}),
            json!({"query": "fire", "limit": 0}),
            json!({"query": "fire", "limit": 9.0}),
            json!({"query": "fire", "limit": 2.5}),
            json!({"query": "fire", "limit": true}),
            json!({"query": "fire", "rows": [{}, {"n": 1}]}),
            json!({"query": "fire", "rows": [{}, {}, {}]}),
            json!({"query": "fire", "rows": [1]}),
            json!({"query": "fire", "filter": null}),
            json!({"query": "fire", "filter": {}}),
            json!({"query": "fire", "filter": {"sort": "newest"}}),
            json!({"query": "fire", "filter": {"sort": null}}),
            json!({"query": "fire", "filter": {"sort": "NEWEST"}}),
            json!({"query": "fire", "labels": {"a": "b"}}),
            json!({"query": "fire", "labels": {"a": null}}),
            json!({"query": "fire", "unknown": 1}),
        ];
        for value in values {
            assert_eq!(violations(&search(), &value).is_empty(), jsonschema::is_valid(&search(), &value), "{value}");
        }
    }
}
