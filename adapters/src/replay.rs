//! The `replay` provider: recorded model calls, returned for equal requests.
//!
//! Invariant: a reply is found by the kind and the conversation of its request alone (`canonical`), never by its position. A request
//! missing from the recording is refused with the differences (`change`). Replies in order are for writing a recording again, and for scripts.
//! A dissent is found by its kind: its request is a form of the assessment, which comes from replies found by their requests.

mod canonical;
mod change;
mod recording;
mod text;

pub use recording::{BadRecording, RecordedCall, Recording};

use async_trait::async_trait;
use canonical::Canonical;
use domain::agent::AgentRole;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, StopReason, ToolRequest, Usage};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// Name of the provider in configuration and assessments.
pub const PROVIDER: &str = domain::assessment::Producer::REPLAY;

/// A model that replays a recording.
pub struct Replay {
    recording: Recording,
    /// Number of replies given of each kind, where requests are answered in recorded order; `None` by content alone.
    given: Option<Mutex<BTreeMap<String, usize>>>,
}

impl Replay {
    pub fn new(recording: Recording) -> Self {
        Self { recording, given: None }
    }

    /// Creates a model that gives the recorded replies of each kind in their order and ignores the conversation. For scripts,
    /// and for writing a recording again after its tools or inputs have changed.
    pub fn in_order(recording: Recording) -> Self {
        Self { recording, given: Some(Mutex::default()) }
    }

    fn find(&self, request: &ModelRequest, asked: &Canonical) -> Option<&RecordedCall> {
        let kind = canonical::kind(request);
        let Some(given) = &self.given else {
            let found = self.recording.find(&kind, &asked.hash());
            return found.or_else(|| self.recording.find_dissent(&kind, request));
        };
        let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
        let count = given.entry(kind.clone()).or_default();
        *count += 1;
        self.recording.of_kind(&kind).nth(*count - 1)
    }
}

#[async_trait]
impl Model for Replay {
    fn provider(&self) -> &str {
        PROVIDER
    }

    /// Returns the model that was recorded.
    fn model(&self) -> &str {
        &self.recording.model
    }

    fn wants_vectors(&self) -> bool {
        false
    }

    fn is_deterministic(&self) -> bool {
        self.given.is_none()
    }

    fn prompt_hashes(&self) -> Option<BTreeMap<String, String>> {
        Some(self.recording.prompt_hashes())
    }

    /// Whether it can judge names: recordings have no such calls, because the pairs depend on the embedder.
    fn can_judge(&self) -> bool {
        false
    }

    /// Whether it can argue against an assessment: only if the recording has such a call.
    fn can_dissent(&self) -> bool {
        self.recording.has_role(AgentRole::Dissenter)
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let asked = Canonical::new(request);
        let Some(call) = self.find(request, &asked) else {
            return Err(ModelError::Rejected(change::explain(&self.recording, request)));
        };
        let text = match &call.answer {
            Some(answer) => asked.restore(answer).to_string(),
            None => asked.restore_text(&call.text),
        };
        let turn = request.messages.len();
        let calls = call.tool_calls.iter().enumerate().map(|(n, recorded)| ToolRequest {
            id: format!("replay_{turn}_{n}"),
            name: recorded.name.clone(),
            arguments: asked.restore(&recorded.arguments),
        });
        let tool_calls: Vec<ToolRequest> = calls.collect();
        let stop = if tool_calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
        Ok(ModelReply { text: text.into(), tool_calls, stop, usage: Usage::default(), thinking: vec![] })
    }
}

/// Parses a text as a JSON object.
fn as_object(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().filter(Value::is_object)
}

#[cfg(test)]
mod tests;
