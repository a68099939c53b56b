//! Output schemas of answers that are not tool calls, derived from input types and kept short because every request carries them.
//!
//! Invariant: every schema sent is valid and closed (`additionalProperties: false`).

mod shorten;

use super::{
    added_field::AddedField,
    spec::{AgentSpec, AnswerShape, PhaseKind},
};
use protocol::{model::OutputSchema, tools::ReflectionAnswer};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// Shape of the verdict on a tool result.
const REFLECTION: AnswerShape = AnswerShape::new::<ReflectionAnswer>("reflection");

/// Output schemas of the phases that are one answer.
pub struct Shapes {
    pub plan: Arc<OutputSchema>,
    pub extract: Arc<OutputSchema>,
    /// Output schema of the verdict on a tool result, which belongs to no phase.
    pub reflection: Arc<OutputSchema>,
    by_name: BTreeMap<&'static str, Arc<OutputSchema>>,
}

/// Error of two types under one name.
#[derive(Debug, thiserror::Error)]
#[error("two shapes of answers are named '{0}'")]
pub struct AmbiguousShape(&'static str);

impl Default for Shapes {
    fn default() -> Self {
        let mut by_name = BTreeMap::new();
        let (verdicts, question, dissent) = (AnswerShape::VERDICTS, AnswerShape::QUESTION, AnswerShape::DISSENT);
        for shape in [AnswerShape::PLAN, AnswerShape::EXTRACT, verdicts, question, dissent, REFLECTION] {
            by_name.insert(shape.name, output_schema(&shape));
        }
        let [plan, extract, reflection] =
            [AnswerShape::PLAN, AnswerShape::EXTRACT, REFLECTION].map(|shape| output_schema(&shape));
        Self { plan, extract, reflection, by_name }
    }
}

impl Shapes {
    /// Adds the shapes of roles.
    pub fn with(mut self, added: &[&'static AgentSpec]) -> Result<Self, AmbiguousShape> {
        for phase in added.iter().flat_map(|spec| spec.phases) {
            let PhaseKind::Once(shape) = phase.kind else { continue };
            let schema = output_schema(&shape);
            if self.by_name.get(shape.name).is_some_and(|known| known.schema != schema.schema) {
                return Err(AmbiguousShape(shape.name));
            }
            self.by_name.insert(shape.name, schema);
        }
        Ok(self)
    }

    /// Adds fields to the entries of an extract.
    pub fn with_fields(mut self, fields: &[AddedField]) -> Self {
        if fields.is_empty() {
            return self;
        }
        let list = |field: &AddedField| json!({"type": "array", "items": shorten::shortened(&(field.schema)())});
        let lists: Map<String, Value> = fields.iter().map(|field| (field.name.to_owned(), list(field))).collect();
        let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
        let mut schema = self.extract.schema.clone();
        if let Some(entry) = schema.pointer_mut("/properties/documents/items") {
            entry["properties"]["added"] =
                json!({"type": "object", "properties": lists, "required": names, "additionalProperties": false});
            if let Some(required) = entry["required"].as_array_mut() {
                required.push("added".into());
            }
        }
        self.extract = Arc::new(OutputSchema { name: self.extract.name.clone(), schema });
        self.by_name.insert(AnswerShape::EXTRACT.name, self.extract.clone());
        self
    }

    /// Returns the output schema of an answer.
    pub fn get(&self, shape: &AnswerShape) -> Arc<OutputSchema> {
        self.by_name.get(shape.name).cloned().unwrap_or_else(|| output_schema(shape))
    }

    /// Returns every output schema.
    pub fn all(&self) -> impl Iterator<Item = &Arc<OutputSchema>> {
        self.by_name.values()
    }
}

fn output_schema(shape: &AnswerShape) -> Arc<OutputSchema> {
    Arc::new(OutputSchema { name: shape.name.into(), schema: shorten::shortened(&(shape.schema)()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_an_extract_is_short_and_complete() {
        let shapes = Shapes::default();
        let schema = &shapes.extract.schema;
        assert!(schema.to_string().len() < 4_000, "{} characters", schema.to_string().len());
        let document = &schema["properties"]["documents"]["items"];
        let claim = &document["properties"]["claims"]["items"]["properties"];
        assert_eq!(claim["attribution"]["enum"], json!(["primary", "secondhand", "unattributed", "indirect"]));
        assert!(claim["quote"].get("description").is_none());
        let judge = shapes.get(&AnswerShape::VERDICTS);
        let verdict = &judge.schema["properties"]["verdicts"]["items"]["properties"]["verdict"];
        assert_eq!(verdict["enum"], json!(["same", "different", "unsure"]));
        assert_eq!(document["required"].as_array().map(Vec::len), document["properties"].as_object().map(serde_json::Map::len));
    }

    #[test]
    fn every_shape_is_a_json_schema_that_is_closed_everywhere() {
        for shape in Shapes::default().all() {
            let problem = jsonschema::draft202012::meta::validate(&shape.schema).err().map(|error| error.to_string());
            assert_eq!(problem, None, "{}", shape.name);
            assert_closed(&shape.schema, &shape.name);
        }
    }

    /// Asserts that every object requires all its properties and allows no others.
    fn assert_closed(schema: &Value, place: &str) {
        if let Some(properties) = schema["properties"].as_object() {
            assert_eq!(schema["additionalProperties"], false, "{place}");
            assert_eq!(schema["required"].as_array().map(Vec::len), Some(properties.len()), "{place}");
            properties.iter().for_each(|(name, property)| assert_closed(property, &format!("{place}.{name}")));
        }
        assert_ne!(schema["type"].as_str().filter(|_| schema.get("properties").is_none()), Some("object"), "{place}");
        if schema.get("items").is_some() {
            assert_closed(&schema["items"], &format!("{place}[]"));
        }
        schema["anyOf"].as_array().into_iter().flatten().for_each(|one| assert_closed(one, place));
    }
}
