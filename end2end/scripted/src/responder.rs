//! Responder: produces the answers behind both protocols.

mod brief;
mod dissent;
mod probe;

use crate::{AnswerStop, ModelAnswer, ParsedRequest, stand_in};
use domain::agent::AgentRole;
use engine::config_files::ConfigFiles;
use extractive::Extractive;
use protocol::model::{Message, ModelRequest, ToolRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::VecDeque, sync::Mutex};

/// Tools offered only to Analysts.
const OF_THE_ANALYST: [&str; 4] =
    ["produce_assessment", "create_work_order", "get_investigation_history", "search_assessments"];

/// Transcript: replies in order, each used for the first matching request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Transcript {
    pub replies: Vec<Reply>,
    pub then: Fallback,
}

/// Scripted reply.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reply {
    pub when: ReplyCondition,
    pub text: String,
    pub calls: Vec<Call>,
    pub thinking: Option<String>,
}

/// Condition on the request; all given fields must match.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReplyCondition {
    pub role: Option<String>,
    /// Text that occurs in the conversation.
    pub text: Option<String>,
}

/// Tool call of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    pub name: String,
    pub arguments: Value,
}

/// Fallback if no reply matches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    #[default]
    Extractive,
    /// Minimal answers, without delay.
    Brief,
    Empty,
}

/// Responder for all requests.
pub struct Responder {
    extractive: Extractive,
    transcript: Mutex<(VecDeque<Reply>, Fallback)>,
}

impl Responder {
    /// Creates a responder that uses the built-in provider after the transcript.
    pub fn new(transcript: Transcript) -> anyhow::Result<Self> {
        let transcript = Mutex::new((transcript.replies.into(), transcript.then));
        let files = ConfigFiles::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../config"))?;
        Ok(Self { extractive: Extractive::new(|path| files.get(path))?, transcript })
    }

    pub(crate) fn follow(&self, transcript: Transcript) {
        *lock(&self.transcript) = (transcript.replies.into(), transcript.then);
    }

    pub(crate) async fn answer(&self, parsed: &ParsedRequest) -> ModelAnswer {
        let (played, then) = {
            let mut transcript = lock(&self.transcript);
            let fit = transcript.0.iter().position(|reply| reply.when.fits(&parsed.request));
            (fit.and_then(|n| transcript.0.remove(n)), transcript.1)
        };
        let thought = || parsed.thinks.then(|| format!("There are {} messages so far.", parsed.request.messages.len()));
        if let Some(reply) = played {
            let calls = reply.calls.into_iter().map(|call| ToolRequest {
                id: String::new(),
                name: call.name,
                arguments: call.arguments,
            });
            return ModelAnswer {
                text: reply.text,
                thinking: reply.thinking.or_else(thought),
                calls: calls.collect(),
                stop: None,
            };
        }
        if then == Fallback::Empty {
            return ModelAnswer::default();
        }
        if parsed.request.system.contains(probe::MARK) {
            return probe::answer(parsed);
        }
        if dissent::is_asked(&parsed.request) {
            return ModelAnswer { thinking: thought(), ..dissent::answer(&parsed.request) };
        }
        if then == Fallback::Brief {
            return ModelAnswer { thinking: thought(), ..brief::answer(&parsed.request) };
        }
        match stand_in::reply(&self.extractive, &parsed.request).await {
            Ok(reply) => ModelAnswer { text: reply.text.to_string(), thinking: thought(), calls: reply.tool_calls, stop: None },
            // The provider reads only our conversations.
            Err(error) => ModelAnswer { text: error.to_string(), stop: Some(AnswerStop::Refused), ..ModelAnswer::default() },
        }
    }
}

impl ReplyCondition {
    fn fits(&self, request: &ModelRequest) -> bool {
        let is_role = self.role.as_deref().is_none_or(|role| role == request.role.as_str());
        is_role && self.text.as_deref().is_none_or(|text| says(request, text))
    }
}

fn says(request: &ModelRequest, text: &str) -> bool {
    request.system.contains(text)
        || request.messages.iter().any(|message| match message {
            Message::User { text: content } | Message::Assistant { text: content, .. } => content.contains(text),
            Message::Tools { results } => results.iter().any(|result| result.content.contains(text)),
        })
}

/// Infers the role from the offered tools, because the protocols do not carry it.
pub(crate) fn role_of<'a>(mut tools: impl Iterator<Item = &'a str>) -> AgentRole {
    if tools.any(|tool| OF_THE_ANALYST.contains(&tool)) { AgentRole::Analyst } else { AgentRole::Processor }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
