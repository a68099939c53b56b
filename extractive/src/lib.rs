//! The built-in provider: evidence briefs made of quotations that rules select, without a model, a network or a key.
//!
//! Invariant: it sees what a model sees (messages, tool schemas, tool results) and nothing else, keeps nothing between calls, and
//! reaches the graph only by asking for tools.
//! Invariant: it states nothing that no sentence states, and gives no likelihoods.

mod actors;
mod analyst;
mod answers;
mod brief;
mod conversation;
mod corpus;
mod evidence;
mod figures;
mod keyed;
mod processor;
mod question;
mod question_actors;
mod quotations;
mod rules;
mod select;
mod text;
mod words;

pub use rules::BadRules;
use rules::Rules;

use async_trait::async_trait;
use conversation::Conversation;
use domain::{agent::AgentRole, assessment::AssessmentKind};
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, StopReason, ToolRequest, Usage};
use serde::Serialize;
use std::sync::Arc;

/// The built-in provider.
pub struct Extractive {
    rules: Arc<Rules>,
}

impl Extractive {
    /// Reads word lists and limits with `file`, which gives the text of a file by its path under `config/`.
    pub fn new<'a>(file: impl Fn(&str) -> Option<&'a str>) -> Result<Self, BadRules> {
        Ok(Self { rules: Arc::new(Rules::read(file)?) })
    }
}

#[async_trait]
impl Model for Extractive {
    fn provider(&self) -> &'static str {
        "extractive"
    }

    /// The version of its rules: another number may give other briefs of the same documents.
    fn model(&self) -> &'static str {
        "extractive-5"
    }

    /// Searches on its behalf use words alone: which vectors exist depends on timing. It has passages compared on demand.
    fn wants_vectors(&self) -> bool {
        false
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    /// The program compares names by rules.
    fn can_judge(&self) -> bool {
        false
    }

    fn product(&self) -> AssessmentKind {
        AssessmentKind::EvidenceBrief
    }

    /// Reads on a thread for blocking work: heartbeats and pages go on meanwhile.
    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let (rules, request) = (self.rules.clone(), request.clone());
        let work = tokio::task::spawn_blocking(move || reply(&rules, &request));
        work.await.map_err(|error| ModelError::Malformed(error.to_string()))?
    }
}

fn reply(rules: &Rules, request: &ModelRequest) -> Result<ModelReply, ModelError> {
    if matches!(request.role, AgentRole::Dissenter | AgentRole::Feature(_)) {
        let role = request.role.as_str();
        let why = format!("the built-in provider does not play the role {role}: choose a model for it");
        return Err(ModelError::Rejected(why));
    }
    let conversation = Conversation::read(&request.messages)
        .ok_or_else(|| ModelError::Malformed("the conversation does not begin with a task".into()))?;
    let turn = match request.role {
        AgentRole::Processor => processor::turn(rules, &conversation, request),
        AgentRole::Analyst | AgentRole::Dissenter | AgentRole::Feature(_) => {
            let offered = |name: &str| request.tools.iter().any(|tool| tool.name == name);
            analyst::turn(rules, &conversation, &offered)
        }
    };
    Ok(turn.reply(conversation.rounds.len()))
}

/// The next step: a text that ends the turn, or calls of tools.
enum Turn {
    Say(String),
    Call(Vec<(&'static str, serde_json::Value)>),
}

impl Turn {
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

/// One call; arguments that cannot be written as JSON do not exist among our types.
fn call(tool: &'static str, arguments: &impl Serialize) -> (&'static str, serde_json::Value) {
    (tool, serde_json::to_value(arguments).unwrap_or_default())
}
