//! A recording file: hashes of its inputs, and the replies.

use super::{
    as_object,
    canonical::{Canonical, hash_of, hash_of_last},
    text,
};
use domain::agent::AgentRole;
use engine::evidence::sha256_hex;
use protocol::{
    model::{Message, ModelReply, ModelRequest},
    pack::Pack,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const FORMAT: &str = "autosint.recording.v1";

/// The model calls of one investigation, with requests as hashes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    format: String,
    /// The question of the investigation.
    pub question: String,
    /// The model that was recorded, as shown to readers.
    pub model: String,
    /// Hex SHA-256 of each system prompt, by `kind`.
    pub(super) prompts: BTreeMap<String, String>,
    /// Hex SHA-256 of each offered tool and answer schema, by `ROLE NAME`.
    pub(super) schemas: BTreeMap<String, String>,
    /// Hex SHA-256 of each document given for extraction, by outlet and title.
    pub(super) documents: BTreeMap<String, String>,
    calls: Vec<RecordedCall>,
}

/// One call: the hash of its request, and the reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedCall {
    pub(super) role: AgentRole,
    /// Hex SHA-256 of the canonical request.
    pub(super) request: String,
    /// Hex SHA-256 of its last message.
    pub(super) last_message: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) text: String,
    /// The text, if it is a JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_calls: Vec<RecordedToolCall>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordedToolCall {
    pub(super) name: String,
    pub(super) arguments: Value,
}

/// An invalid recording file.
#[derive(Debug, thiserror::Error)]
pub enum BadRecording {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("its format is '{0}', and this program reads {FORMAT}")]
    Format(String),
}

impl Recording {
    /// Creates a recording from the calls of one investigation, in order.
    pub fn new<'a>(question: &str, model: &str, calls: impl IntoIterator<Item = (&'a ModelRequest, &'a ModelReply)>) -> Self {
        let mut recording = Self {
            format: FORMAT.into(),
            question: question.into(),
            model: model.into(),
            prompts: BTreeMap::new(),
            schemas: BTreeMap::new(),
            documents: BTreeMap::new(),
            calls: vec![],
        };
        for (request, reply) in calls {
            recording.add(request, reply);
        }
        recording
    }

    pub fn read(text: &str) -> Result<Self, BadRecording> {
        let recording: Self = serde_json::from_str(text)?;
        if recording.format == FORMAT { Ok(recording) } else { Err(BadRecording::Format(recording.format)) }
    }

    /// Serialises the recording as JSON with short lines, so that people can review it.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        Ok(text::object(&[
            ("format", self.format.as_str().into()),
            ("question", self.question.as_str().into()),
            ("model", self.model.as_str().into()),
            ("prompts", serde_json::to_value(&self.prompts)?),
            ("schemas", serde_json::to_value(&self.schemas)?),
            ("documents", serde_json::to_value(&self.documents)?),
            ("calls", serde_json::to_value(&self.calls)?),
        ]))
    }

    pub(super) fn find(&self, role: AgentRole, request: &str) -> Option<&RecordedCall> {
        self.calls.iter().find(|call| call.role == role && call.request == request)
    }

    /// Returns whether a tool was offered when this was recorded. Tools that came later change no recorded request: the model could not use
    /// them, and its replies stand.
    pub(super) fn knows_tool(&self, role: AgentRole, name: &str) -> bool {
        self.schemas.contains_key(&schema_key(role, name))
    }

    pub(super) fn has_last_message(&self, request: &ModelRequest) -> bool {
        let hash = hash_of_last(request);
        self.calls.iter().any(|call| call.role == request.role && call.last_message == hash)
    }

    fn add(&mut self, request: &ModelRequest, reply: &ModelReply) {
        self.prompts.insert(kind(request), sha256_hex(request.system.as_bytes()));
        self.schemas.extend(schemas(request));
        self.documents.extend(documents(request));
        let asked = Canonical::new(request, |_| true);
        let answer = as_object(&reply.text).map(|answer| asked.replace(&answer));
        let text = if answer.is_some() { String::new() } else { asked.replace_text(&reply.text) };
        let calls = reply.tool_calls.iter();
        let tool_calls =
            calls.map(|call| RecordedToolCall { name: call.name.clone(), arguments: asked.replace(&call.arguments) });
        self.calls.push(RecordedCall {
            role: request.role,
            request: asked.hash(),
            last_message: hash_of_last(request),
            text,
            answer,
            tool_calls: tool_calls.collect(),
        });
    }
}

/// Returns the purpose of a call: its role, and its answer schema if it has one.
pub(super) fn kind(request: &ModelRequest) -> String {
    let role = request.role.as_str();
    request.output_schema.as_ref().map_or_else(|| role.to_owned(), |shape| format!("{role} {}", shape.name))
}

/// Returns the hashes of a request's tools and answer schema, by `ROLE NAME`.
pub(super) fn schemas(request: &ModelRequest) -> Vec<(String, String)> {
    let key = |name: &str| schema_key(request.role, name);
    let tools = request.tools.iter();
    let tools = tools.map(|tool| (key(&tool.name), hash_of(&json!([tool.name, tool.description, tool.input_schema]))));
    let shape = request.output_schema.iter().map(|shape| (key(&shape.name), hash_of(&shape.schema)));
    tools.chain(shape).collect()
}

fn schema_key(role: AgentRole, name: &str) -> String {
    format!("{} {name}", role.as_str())
}

/// Returns the hashes of a request's documents, by outlet and title.
pub(super) fn documents(request: &ModelRequest) -> Vec<(String, String)> {
    let Some(Message::User { text }) = request.messages.first() else { return vec![] };
    let packed = Pack::read(text).into_iter().map(|packed| {
        let about = serde_json::to_string(&packed.header).unwrap_or_default();
        let outlet = packed.header.outlet.map_or_else(String::new, |outlet| format!("{outlet}: "));
        (format!("{outlet}{}", packed.header.title), sha256_hex(format!("{about}\n{}", packed.text).as_bytes()))
    });
    packed.collect()
}
