//! A recording file: the prompts and schemas that were given to the model, hashes of its requests, and its replies.

use super::{
    as_object,
    canonical::{Canonical, hash_of_last, kind},
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

const FORMAT: &str = "autosint.recording.v2";

/// The model calls of one investigation, with requests as hashes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    format: String,
    /// The question of the investigation.
    pub question: String,
    /// The model that was recorded, as shown to readers.
    pub model: String,
    /// Lines of each system prompt, by `kind`.
    prompts: BTreeMap<String, Vec<String>>,
    /// Each offered tool (`{description, arguments}`) and answer schema, by `ROLE NAME`.
    schemas: BTreeMap<String, Value>,
    /// Hex SHA-256 of each document given for extraction, by outlet and title.
    pub(super) documents: BTreeMap<String, String>,
    calls: Vec<RecordedCall>,
}

/// One call: its kind, the hash of its request, and the reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedCall {
    pub(super) kind: String,
    /// Hex SHA-256 of the canonical request; empty in a script, whose replies were given to no request and are played in order.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) request: String,
    /// Hex SHA-256 of its last message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
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

    /// Carries over what the replies of `origin` were given to: the calls of this recording are those of a run that replayed it.
    pub fn with_prompts_of(self, origin: &Self) -> Self {
        Self { model: origin.model.clone(), prompts: origin.prompts.clone(), schemas: origin.schemas.clone(), ..self }
    }

    /// Returns the hex SHA-256 of each system prompt, by `kind`.
    pub(super) fn prompt_hashes(&self) -> BTreeMap<String, String> {
        let prompts = self.prompts.iter();
        prompts.map(|(kind, lines)| (kind.clone(), sha256_hex(lines.join("\n").as_bytes()))).collect()
    }

    pub(super) fn find(&self, kind: &str, request: &str) -> Option<&RecordedCall> {
        self.of_kind(kind).find(|call| call.request == request)
    }

    /// Returns the recorded dissent for the first request for one. The program makes this request from an assessment that this
    /// recording gave, so another layout changes no reply.
    pub(super) fn find_dissent(&self, kind: &str, request: &ModelRequest) -> Option<&RecordedCall> {
        let is_first = request.role == AgentRole::Dissenter && request.messages.len() == 1;
        self.of_kind(kind).next().filter(|_| is_first)
    }

    /// Returns the calls of one kind, in their recorded order.
    pub(super) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &RecordedCall> {
        self.calls.iter().filter(move |call| call.kind == kind)
    }

    /// Returns whether it has a call of a role.
    pub(super) fn has_role(&self, role: AgentRole) -> bool {
        self.calls.iter().any(|call| call.kind.split(' ').next() == Some(role.as_str()))
    }

    pub(super) fn has_last_message(&self, request: &ModelRequest) -> bool {
        let (kind, hash) = (kind(request), hash_of_last(request));
        self.of_kind(&kind).any(|call| call.last_message == hash)
    }

    fn add(&mut self, request: &ModelRequest, reply: &ModelReply) {
        self.prompts.insert(kind(request), request.system.split('\n').map(str::to_owned).collect());
        self.schemas.extend(schemas(request));
        self.documents.extend(documents(request));
        let asked = Canonical::new(request);
        let answer = as_object(&reply.text).map(|answer| asked.replace(&answer));
        let text = if answer.is_some() { String::new() } else { asked.replace_text(&reply.text) };
        let calls = reply.tool_calls.iter();
        let tool_calls =
            calls.map(|call| RecordedToolCall { name: call.name.clone(), arguments: asked.replace(&call.arguments) });
        self.calls.push(RecordedCall {
            kind: kind(request),
            request: asked.hash(),
            last_message: hash_of_last(request),
            text,
            answer,
            tool_calls: tool_calls.collect(),
        });
    }
}

/// Returns a request's tools and answer schema, by `ROLE NAME`.
fn schemas(request: &ModelRequest) -> Vec<(String, Value)> {
    let key = |name: &str| format!("{} {name}", request.role.as_str());
    let tools = request.tools.iter();
    let tools = tools.map(|tool| (key(&tool.name), json!({"description": tool.description, "arguments": tool.input_schema})));
    let shape = request.output_schema.iter().map(|shape| (key(&shape.name), shape.schema.clone()));
    tools.chain(shape).collect()
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
