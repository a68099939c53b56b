//! Output schemas of answers that are not tool calls, derived from input types and kept short because every request carries them.
//!
//! Invariant: every schema sent is valid and closed (`additionalProperties: false`).

mod shorten;

use super::{schema::schema_of, spec::AnswerShape};
use protocol::{
    model::OutputSchema,
    tools::{BatchExtract, EntityVerdicts, ReflectionAnswer, ResearchPlan},
};
use schemars::JsonSchema;
use std::sync::Arc;

/// Output schemas of the phases that are one answer.
pub struct Shapes {
    pub plan: Arc<OutputSchema>,
    pub extract: Arc<OutputSchema>,
    judge: Arc<OutputSchema>,
    /// Output schema of the verdict on a tool result, which belongs to no phase.
    pub reflection: Arc<OutputSchema>,
}

impl Default for Shapes {
    fn default() -> Self {
        Self {
            plan: shape::<ResearchPlan>("research_plan"),
            extract: shape::<BatchExtract>("batch_extract"),
            judge: shape::<EntityVerdicts>("entity_verdicts"),
            reflection: shape::<ReflectionAnswer>("reflection"),
        }
    }
}

impl Shapes {
    /// Returns the output schema of an answer.
    pub fn get(&self, shape: AnswerShape) -> Arc<OutputSchema> {
        let schema = match shape {
            AnswerShape::Plan => &self.plan,
            AnswerShape::Extract => &self.extract,
            AnswerShape::Verdicts => &self.judge,
        };
        schema.clone()
    }

    /// Returns every output schema.
    pub fn all(&self) -> [&Arc<OutputSchema>; 4] {
        [&self.plan, &self.extract, &self.judge, &self.reflection]
    }
}

fn shape<T: JsonSchema>(name: &str) -> Arc<OutputSchema> {
    Arc::new(OutputSchema { name: name.into(), schema: shorten::shortened(&schema_of::<T>()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn the_shape_of_an_extract_is_short_and_says_what_fits() {
        let shapes = Shapes::default();
        let schema = &shapes.extract.schema;
        assert!(schema.to_string().len() < 4_000, "{} characters", schema.to_string().len());
        let document = &schema["properties"]["documents"]["items"];
        let claim = &document["properties"]["claims"]["items"]["properties"];
        assert_eq!(claim["attribution"]["enum"], json!(["primary", "secondhand", "unattributed", "indirect"]));
        assert!(claim["quote"].get("description").is_none());
        let verdict = &shapes.judge.schema["properties"]["verdicts"]["items"]["properties"]["verdict"];
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
