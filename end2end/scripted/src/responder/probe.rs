//! Answers of a capable model to `autosint doctor --probe`.

use crate::{ModelAnswer, ParsedRequest};
use protocol::model::{Message, ToolRequest, ToolSchema};
use serde_json::{Map, Value, json};

/// Marker in the system prompt of a probe.
pub(super) const MARK: &str = "You are being tested";

/// Fixed text and id of all answers.
const TEXT: &str = "Ada Karlsen";
const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

pub(super) fn answer(parsed: &ParsedRequest) -> ModelAnswer {
    let request = &parsed.request;
    if let Some(schema) =
        request.output_schema.as_ref().map(|shape| shape.schema.clone()).or_else(|| described(&request.system))
    {
        return says(&instance("", &schema).to_string());
    }
    match request.messages.last() {
        Some(Message::User { text }) if !request.tools.is_empty() => {
            let calls = find_tool(&request.tools, text).map(|tool| ToolRequest {
                id: String::new(),
                name: tool.name.clone(),
                arguments: instance("", &tool.input_schema),
            });
            ModelAnswer { calls: calls.into_iter().collect(), ..ModelAnswer::default() }
        }
        Some(Message::Tools { .. }) => says("done"),
        _ => says("one two three four five six seven eight nine ten, and so on to sixty"),
    }
}

/// Returns the output schema described in the prompt, if any.
fn described(system: &str) -> Option<Value> {
    let (_, schema) = system.split_once("JSON schema:\n")?;
    serde_json::from_str(schema.trim()).ok()
}

/// Returns the tool named in the question, else the first.
fn find_tool<'a>(tools: &'a [ToolSchema], question: &str) -> Option<&'a ToolSchema> {
    tools.iter().find(|tool| question.contains(&format!("`{}`", tool.name))).or(tools.first())
}

fn says(text: &str) -> ModelAnswer {
    ModelAnswer { text: text.to_owned(), ..ModelAnswer::default() }
}

/// Returns an instance of a schema: null if allowed, lists of one item, the first enum value.
fn instance(name: &str, schema: &Value) -> Value {
    if let Some(word) = schema.get("const").or_else(|| schema["enum"].get(0)) {
        return word.clone();
    }
    let choice = ["anyOf", "oneOf"].iter().find_map(|key| schema[*key].as_array());
    if let Some(branches) = choice {
        let null = branches.iter().find(|branch| branch["type"] == "null");
        return null.or(branches.first()).map_or(Value::Null, |branch| instance(name, branch));
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) if kinds.iter().any(|kind| kind == "null") => "null",
        Value::Array(kinds) => kinds.first().and_then(Value::as_str).unwrap_or("null"),
        kind => kind.as_str().unwrap_or("string"),
    };
    match kind {
        "object" => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            Value::Object(properties.map(|(key, value)| (key.clone(), instance(key, value))).collect::<Map<_, _>>())
        }
        "array" => json!([instance(name, &schema["items"])]),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(1)),
        "boolean" => json!(true),
        "null" => Value::Null,
        _ => text(name, schema["format"].as_str()),
    }
}

fn text(name: &str, format: Option<&str>) -> Value {
    match format {
        Some("date-time") => json!("2031-05-03T09:00:00Z"),
        Some("date") => json!("2031-05-03"),
        Some("uuid") => json!(ID),
        _ if name.ends_with("_id") || name.ends_with("_ids") => json!(ID),
        _ => json!(TEXT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{agent::AgentRole, assessment::AssessmentKind, investigation::WebAccess};
    use engine::{
        agents::{ToolOffer, shapes::Shapes, tools},
        config_files::ConfigFiles,
    };
    use protocol::tools::{BatchExtract, ResearchPlan};

    fn assert_fits(name: &str, schema: &Value) -> Value {
        let value = instance("", schema);
        let problem = jsonschema::validate(schema, &value).err().map(|error| error.to_string());
        assert_eq!(problem, None, "{name}: {value}");
        value
    }

    #[test]
    fn every_shape_and_tool_has_an_instance() {
        let shapes = Shapes::default();
        for shape in shapes.all() {
            assert_fits(&shape.name, &shape.schema);
        }
        let registry =
            tools::registry(&ConfigFiles::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../config")).unwrap()).unwrap();
        for role in [AgentRole::Analyst, AgentRole::Processor] {
            for tool in registry.schemas(role, ToolOffer::All, AssessmentKind::Assessment, WebAccess::On).iter() {
                assert_fits(&tool.name, &tool.input_schema);
            }
        }
        let extract: BatchExtract = serde_json::from_value(assert_fits("extract", &shapes.extract.schema)).unwrap();
        assert_eq!(extract.documents[0].claims.len(), 1);
        serde_json::from_value::<ResearchPlan>(assert_fits("plan", &shapes.plan.schema)).unwrap();
    }

    #[test]
    fn choices_are_resolved() {
        let schema = json!({"type": "object", "properties": {
            "a": {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "string"}]},
            "b": {"anyOf": [{"type": "object", "properties": {}}, {"type": "null"}]},
            "c": {"type": ["string", "null"]}, "d": {"enum": ["x", "y"]}, "e": {"const": 7},
            "f": {"type": "array", "items": {"type": "boolean"}}, "document_id": {"type": "string"},
        }});
        let expected = json!({"a": 3, "b": null, "c": null, "d": "x", "e": 7, "f": [true], "document_id": ID});
        assert_eq!(assert_fits("choice", &schema), expected);
    }
}
