//! What a capable model does when `autosint doctor --probe` tries it out.

use crate::{Answer, Asked};
use engine::models::{Message, ToolRequest};
use serde_json::{Map, Value, json};

/// Stands in the system prompt of the probe.
pub(super) const MARK: &str = "You are being tested";

pub(super) fn answer(asked: &Asked) -> Answer {
    let request = &asked.request;
    if let Some(schema) = &request.output_schema {
        return says(&instance(&schema.schema).to_string());
    }
    match (request.tools.first(), request.messages.last()) {
        (Some(tool), Some(Message::User { .. })) => {
            let call = ToolRequest { id: String::new(), name: tool.name.clone(), arguments: instance(&tool.input_schema) };
            Answer { calls: vec![call], ..Answer::default() }
        }
        (Some(_), _) => says("done"),
        (None, _) => says("one two three four five six seven eight nine ten, and so on to sixty"),
    }
}

fn says(text: &str) -> Answer {
    Answer { text: text.to_owned(), ..Answer::default() }
}

/// A value that fits the schema.
fn instance(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            Value::Object(properties.map(|(key, value)| (key.clone(), instance(value))).collect::<Map<_, _>>())
        }
        Some("array") => json!([instance(&schema["items"])]),
        Some("integer" | "number") => json!(5),
        Some("boolean") => json!(true),
        _ => json!("Paris"),
    }
}
