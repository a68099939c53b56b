//! Dissent of a stand-in: it keeps the figures of the assessment.

use crate::ModelAnswer;
use protocol::model::{Message, ModelRequest};
use serde_json::{Value, json};

/// Returns whether the request asks for a dissent.
pub(super) fn is_asked(request: &ModelRequest) -> bool {
    request.output_schema.as_ref().is_some_and(|shape| shape.schema["properties"].get("deception").is_some())
}

pub(super) fn answer(request: &ModelRequest) -> ModelAnswer {
    let opening = match request.messages.first() {
        Some(Message::User { text }) => text,
        _ => return ModelAnswer::default(),
    };
    let lines = opening.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let figures = lines.filter(|line| line["hypothesis"].is_string());
    let figures = figures.map(|line| json!({"hypothesis": line["hypothesis"], "probability": line["probability"]}));
    let dissent = json!({
        "paragraph": "A stand-in for a model found nothing against it.",
        "probabilities": figures.collect::<Vec<_>>(),
        "deception": [],
        "citations": [],
    });
    ModelAnswer { text: dissent.to_string(), ..ModelAnswer::default() }
}
