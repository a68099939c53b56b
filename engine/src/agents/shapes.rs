//! The shapes of answers that are not tool calls, made of the input types and kept short: they go with every call.

use super::{
    machine::Phase,
    registry::schema_of,
    tools::wire::{BatchExtract, EntityVerdicts, Reflected, ResearchPlan},
};
use crate::models::OutputSchema;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// By phase; a phase without one is a conversation with tools.
pub struct Shapes {
    plan: Arc<OutputSchema>,
    extract: Arc<OutputSchema>,
    judge: Arc<OutputSchema>,
    /// Of the verdict on a tool result, which belongs to no phase.
    pub reflection: Arc<OutputSchema>,
}

impl Default for Shapes {
    fn default() -> Self {
        let shape = |name: &str, mut schema| {
            shorten(&mut schema);
            Arc::new(OutputSchema { name: name.into(), schema })
        };
        Self {
            plan: shape("research_plan", schema_of::<ResearchPlan>()),
            extract: shape("batch_extract", schema_of::<BatchExtract>()),
            judge: shape("entity_verdicts", schema_of::<EntityVerdicts>()),
            reflection: shape("reflection", schema_of::<Reflected>()),
        }
    }
}

impl Shapes {
    pub fn of(&self, phase: Phase) -> Option<Arc<OutputSchema>> {
        match phase {
            Phase::Plan => Some(self.plan.clone()),
            Phase::Extract => Some(self.extract.clone()),
            Phase::Judge => Some(self.judge.clone()),
            Phase::Analyse | Phase::Research => None,
        }
    }
}

/// Leaves only what says which answers fit: the prompt explains them.
fn shorten(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(object) => {
            if let Some(words) = constants(object) {
                *object = Map::from_iter([("type".to_owned(), json!("string")), ("enum".to_owned(), words)]);
                return;
            }
            for key in ["description", "default", "format", "minimum", "maximum"] {
                // A property may have such a name; then it is a schema, an object.
                if object.get(key).is_some_and(|value| !value.is_object()) {
                    object.remove(key);
                }
            }
            object.values_mut().for_each(shorten);
            // What may be left out is null or empty instead: some providers hold themselves only to shapes without choice.
            let names = object.get("properties").and_then(Value::as_object);
            if let Some(names) = names.map(|names| names.keys().cloned().map(Value::String).collect()) {
                object.insert("required".to_owned(), Value::Array(names));
            }
        }
        _ => {}
    }
}

/// The words of a schema that is one of several constants.
fn constants(object: &Map<String, Value>) -> Option<Value> {
    let words: Option<Vec<Value>> = object.get("oneOf")?.as_array()?.iter().map(|one| one.get("const").cloned()).collect();
    words.map(Value::Array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_of_an_extract_is_short_and_says_what_fits() {
        let shapes = Shapes::default();
        let schema = &shapes.extract.schema;
        assert!(schema.to_string().len() < 4_000, "{} characters", schema.to_string().len());
        let claim = &schema["properties"]["documents"]["items"]["properties"]["claims"]["items"]["properties"];
        assert_eq!(claim["attribution"]["enum"], json!(["primary", "secondhand", "unattributed", "indirect"]));
        assert!(claim["quote"].get("description").is_none());
        let verdict = &shapes.judge.schema["properties"]["verdicts"]["items"]["properties"]["verdict"];
        assert_eq!(verdict["enum"], json!(["same", "different", "unsure"]));
        assert_eq!(schema["properties"]["documents"]["items"]["required"].as_array().map(Vec::len), Some(6));
    }
}
