//! JSON schemas of input types.

use protocol::schema::{Violation, violations};
use schemars::JsonSchema;
use serde_json::Value;

/// Maximum number and length of reported argument problems; they quote parts of the arguments.
pub(super) const MAX_PROBLEMS: usize = 20;
const MAX_PROBLEM_CHARS: usize = 400;

/// Returns where arguments do not fit their schema.
pub(super) fn unfit_arguments(schema: &Value, arguments: &Value) -> impl Iterator<Item = String> {
    let found = violations(schema, arguments).into_iter().map(|Violation { path, problem }| format!("'{path}': {problem}"));
    found.map(|text| text.chars().take(MAX_PROBLEM_CHARS).collect::<String>())
}

/// Returns the JSON schema of an input type, inlined because some providers do not follow references.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        object.remove("title");
        object.entry("properties").or_insert_with(|| Value::Object(serde_json::Map::new()));
    }
    schema
}

/// Removes id formats: ids may be short references (`protocol::refs`), which are no UUIDs.
pub(super) fn without_id_formats(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("format").is_some_and(|format| format == "uuid") {
                fields.remove("format");
            }
            fields.values_mut().for_each(without_id_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(without_id_formats),
        _ => {}
    }
}

/// Returns the property at a dotted path, through lists and optional values.
pub(super) fn find_property<'a>(schema: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    path.split('.').try_fold(schema, |place, name| {
        let mut place = place;
        while place.get("properties").is_none() {
            place = if place.get("items").is_some() { place.get_mut("items")? } else { place.get_mut("anyOf")?.get_mut(0)? };
        }
        place.get_mut("properties")?.get_mut(name)
    })
}
