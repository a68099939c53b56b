//! Validation of JSON schemas by the documented rules of the services, with their error messages.
//!
//! Invariant: shares no code with the program under test, which has its own notion of strictness.

pub(crate) mod anthropic;
pub(crate) mod openai;

use serde_json::{Map, Value};

/// Returns why a schema is not a JSON Schema of draft 2020-12, with the location.
fn draft_problem(schema: &Value) -> Option<(String, SchemaPath)> {
    let error = jsonschema::draft202012::meta::validate(schema).err()?;
    let place = error.instance_path().to_string();
    let steps = place.split('/').filter(|step| !step.is_empty()).map(str::to_owned).collect();
    Some((error.to_string(), SchemaPath(steps)))
}

/// Path in a schema: the keys from its root.
#[derive(Debug, Clone, Default, PartialEq)]
struct SchemaPath(Vec<String>);

impl SchemaPath {
    fn to(&self, keys: &[&str]) -> Self {
        Self(self.0.iter().cloned().chain(keys.iter().map(|key| (*key).to_owned())).collect())
    }
}

/// Returns the subschemas of a schema with their paths.
fn children<'a>(schema: &'a Value, place: &SchemaPath) -> Vec<(&'a Value, SchemaPath)> {
    let mut found = vec![];
    for key in ["properties", "$defs", "patternProperties", "dependentSchemas"] {
        let named = schema[key].as_object().into_iter().flatten();
        found.extend(named.map(|(name, inner)| (inner, place.to(&[key, name]))));
    }
    for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        let listed = schema[key].as_array().into_iter().flatten().enumerate();
        found.extend(listed.map(|(n, inner)| (inner, place.to(&[key, &n.to_string()]))));
    }
    for key in ["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"] {
        found.extend(schema.get(key).filter(|inner| inner.is_object()).map(|inner| (inner, place.to(&[key]))));
    }
    found
}

/// Returns whether the type, or one of several, is `kind`.
fn has_type(schema: &Map<String, Value>, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        Some(one) => one == kind,
        None => false,
    }
}

/// Returns the problem with `required` if every property must be listed.
fn required_problem(object: &Map<String, Value>) -> Option<String> {
    let properties = object.get("properties").and_then(Value::as_object);
    let names: Vec<&str> = properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let required: Vec<&str> = match object.get("required") {
        Some(Value::Array(required)) => required.iter().filter_map(Value::as_str).collect(),
        _ if names.is_empty() => vec![],
        _ => return Some(String::new()),
    };
    if let Some(missing) = names.iter().find(|name| !required.contains(name)) {
        return Some(format!(" Missing '{missing}'."));
    }
    required.iter().find(|name| !names.contains(name)).map(|extra| format!(" Extra required key '{extra}' supplied."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{agent::AgentRole, assessment::AssessmentKind, investigation::WebAccess};
    use engine::agents::{ToolOffer, shapes::Shapes, tools};
    use engine::config_files::ConfigFiles;
    use protocol::model::ToolSchema;
    use serde_json::json;

    fn good() -> Value {
        json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "enum": ["a", "b"]},
                "parts": {"type": "array", "items": {
                    "type": "object", "properties": {"size": {"type": ["integer", "null"]}},
                    "required": ["size"], "additionalProperties": false,
                }},
            },
            "required": ["name", "parts"], "additionalProperties": false,
        })
    }

    /// Returns the good schema with one value replaced.
    fn with(pointer: &str, key: &str, value: Value) -> Value {
        let mut schema = good();
        schema.pointer_mut(pointer).unwrap()[key] = value;
        schema
    }

    fn without(pointer: &str, key: &str) -> Value {
        let mut schema = good();
        schema.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key);
        schema
    }

    #[test]
    fn a_good_schema_passes_everywhere() {
        for is_strict in [false, true] {
            assert_eq!(openai::problem(&good(), is_strict), None);
            assert_eq!(anthropic::problem(&good(), is_strict), None);
        }
    }

    #[test]
    fn both_services_refuse_invalid_schemas() {
        let property_that_is_a_list = with("/properties", "required", json!(["name"]));
        for schema in [
            property_that_is_a_list,
            with("", "required", json!("name")),
            with("/properties/name", "type", json!("text")),
            with("/properties/parts/items", "required", json!({"size": true})),
            with("/properties/name", "enum", json!("a")),
            with("", "type", json!("array")),
            with("", "properties", json!([])),
            json!(["object"]),
        ] {
            for is_strict in [false, true] {
                assert!(openai::problem(&schema, is_strict).is_some(), "{schema}");
                assert!(anthropic::problem(&schema, is_strict).is_some(), "{schema}");
            }
        }
    }

    #[test]
    fn strict_rules_apply_in_strict_mode_only() {
        let item = "/properties/parts/items";
        for schema in [
            without(item, "additionalProperties"),
            with(item, "additionalProperties", json!({"type": "string"})),
            with(item, "required", json!(["size", "colour"])),
            with("/properties/name", "oneOf", json!([{"type": "string"}])),
            with("/properties/parts/items/properties/size", "minimum", json!(0)),
            with("/properties/name", "maxLength", json!(9)),
            with("/properties/parts", "maxItems", json!(9)),
        ] {
            assert!(openai::problem(&schema, true).is_some() && anthropic::problem(&schema, true).is_some(), "{schema}");
            assert_eq!((openai::problem(&schema, false), anthropic::problem(&schema, false)), (None, None), "{schema}");
        }
        // Rules that only one service has.
        for schema in [
            with(item, "default", json!({})),
            with(item, "required", json!([])),
            without(item, "required"),
            with("/properties/name", "format", json!("uuid")),
            with("/properties/name", "pattern", json!("^a")),
        ] {
            assert!(openai::problem(&schema, true).is_some(), "{schema}");
            assert_eq!((openai::problem(&schema, false), anthropic::problem(&schema, true)), (None, None), "{schema}");
        }
    }

    #[test]
    fn messages_match_the_services() {
        let results_message = |schema: &Value| openai::problem(schema, true).unwrap();
        assert_eq!(
            results_message(&without("/properties/parts/items", "additionalProperties")),
            "In context=('properties', 'parts', 'items'), 'additionalProperties' is required to be supplied and to be false."
        );
        assert_eq!(
            results_message(&with("", "required", json!(["name"]))),
            "In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'parts'."
        );
        assert_eq!(
            results_message(&with("/properties/name", "default", json!("a"))),
            "In context=('properties', 'name'), 'default' is not permitted."
        );
        let results_message = anthropic::problem(&with("/properties", "required", json!(["name"])), false).unwrap();
        assert!(
            results_message.starts_with("JSON schema is invalid. It must match JSON Schema draft 2020-12"),
            "{results_message}"
        );
    }

    #[test]
    fn schemas_have_size_limits() {
        let mut deep = json!({"type": "string"});
        for _ in 0..11 {
            deep = json!({"type": "object", "properties": {"a": deep}, "required": ["a"], "additionalProperties": false});
        }
        assert_eq!(openai::problem(&deep, true).unwrap(), "11 levels of nesting exceeds limit of 10.");
        let words: Vec<String> = (0..1_001).map(|n| format!("w{n}")).collect();
        assert!(openai::problem(&with("/properties/name", "enum", json!(words)), true).unwrap().contains("enum values"));
        let many: Map<String, Value> = (0..17).map(|n| (format!("p{n}"), json!({"type": ["string", "null"]}))).collect();
        let names: Vec<&String> = many.keys().collect();
        let unions = json!({"type": "object", "properties": many, "required": names, "additionalProperties": false});
        assert!(anthropic::problem(&unions, true).unwrap().contains("union types"));
        assert_eq!(openai::problem(&unions, true), None);
    }

    #[test]
    fn every_tool_and_every_shape_of_the_program_passes() {
        let registry =
            tools::registry(&ConfigFiles::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../config")).unwrap()).unwrap();
        for role in [AgentRole::Analyst, AgentRole::Processor] {
            let schemas = registry.schemas(role, ToolOffer::All, AssessmentKind::Assessment, WebAccess::On);
            assert!(schemas.len() > 5, "{role:?}");
            for ToolSchema { name, input_schema, .. } in schemas.iter() {
                assert_eq!(draft_problem(input_schema), None, "{name}");
                assert_eq!(openai::problem(input_schema, false), None, "{name}");
                assert_eq!(anthropic::problem(input_schema, false), None, "{name}");
            }
        }
        for shape in Shapes::default().all() {
            assert_eq!(draft_problem(&shape.schema), None, "{}", shape.name);
            for is_strict in [false, true] {
                assert_eq!(openai::problem(&shape.schema, is_strict), None, "{}", shape.name);
                assert_eq!(anthropic::problem(&shape.schema, is_strict), None, "{}", shape.name);
            }
        }
    }
}
