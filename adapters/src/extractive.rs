//! The `extractive` provider: deterministic analysis and answers without a model, a network or a key.
//!
//! Invariant: it sees what a model sees (messages, tool schemas, tool results) and nothing else, keeps nothing between calls,
//! and reaches the graph only by asking for tools.

mod analyst;
pub mod answer;
mod conversation;
mod processor;
mod settings;
mod stand_in;
pub mod text;

use async_trait::async_trait;
use conversation::Conversation;
use domain::agent::AgentRole;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, StopReason, ToolRequest, Usage};
use serde::Serialize;
pub use settings::{BadLocale, Settings};
use std::sync::Arc;

/// The built-in provider.
pub struct Extractive {
    settings: Arc<Settings>,
}

impl Extractive {
    /// With the word lists that the binary carries.
    pub fn new() -> Result<Self, BadLocale> {
        Ok(Self { settings: Arc::new(Settings::english()?) })
    }
}

#[async_trait]
impl Model for Extractive {
    fn provider(&self) -> &'static str {
        "extractive"
    }

    /// The version of its rules: another number may give other assessments of the same documents.
    fn model(&self) -> &'static str {
        "extractive-1"
    }

    /// Which vectors exist depends on timing, and its answers must not.
    fn wants_vectors(&self) -> bool {
        false
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    /// What two names have in common the program sees itself.
    fn can_judge(&self) -> bool {
        false
    }

    /// Reads on a thread for blocking work: heartbeats and pages go on meanwhile.
    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let (settings, request) = (self.settings.clone(), request.clone());
        let thinking = tokio::task::spawn_blocking(move || reply(&settings, &request));
        thinking.await.map_err(|error| ModelError::Malformed(error.to_string()))?
    }
}

fn reply(settings: &Settings, request: &ModelRequest) -> Result<ModelReply, ModelError> {
    let conversation = Conversation::read(&request.messages)
        .ok_or_else(|| ModelError::Malformed("the conversation does not begin with a task".into()))?;
    let turn = match request.role {
        AgentRole::Processor => processor::turn(settings, &conversation, request),
        AgentRole::Analyst => {
            let offered = |name: &str| request.tools.iter().any(|tool| tool.name == name);
            analyst::turn(settings, &conversation, &offered)
        }
    };
    Ok(turn.reply(conversation.rounds.len()))
}

/// What it does next: says something and ends its turn, or asks for tools.
enum Turn {
    Say(String),
    Call(Vec<(&'static str, serde_json::Value)>),
}

impl Turn {
    /// One call; arguments that cannot be written as JSON do not exist among our types.
    fn call(tool: &'static str, arguments: &impl Serialize) -> Self {
        Self::Call(vec![call(tool, arguments)])
    }

    /// An answer in JSON.
    fn answer(answer: &impl Serialize) -> Self {
        Self::Say(serde_json::to_string(answer).unwrap_or_default())
    }

    fn reply(self, round: usize) -> ModelReply {
        let (text, calls, stop) = match self {
            Self::Say(text) => (text, vec![], StopReason::EndTurn),
            Self::Call(calls) => (String::new(), calls, StopReason::ToolUse),
        };
        let tool_calls = (0..)
            .zip(calls)
            .map(|(n, (name, arguments))| ToolRequest { id: format!("call-{round}-{n}"), name: name.into(), arguments })
            .collect();
        ModelReply { text: text.into(), tool_calls, stop, usage: Usage::default(), thinking: vec![] }
    }
}

fn call(tool: &'static str, arguments: &impl Serialize) -> (&'static str, serde_json::Value) {
    let mut arguments = serde_json::to_value(arguments).unwrap_or_default();
    stand_in::restore(&mut arguments);
    (tool, arguments)
}
