//! Who thinks behind the wire.

mod brief;
mod exam;

use crate::{Answer, Asked, Stop, judged};
use domain::agent::AgentRole;
use engine::config_files::ConfigFiles;
use extractive::Extractive;
use protocol::model::{Message, ModelRequest, ToolRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::VecDeque, sync::Mutex};

/// Tools that only an Analyst is offered.
const OF_THE_ANALYST: [&str; 4] =
    ["produce_assessment", "create_work_order", "get_investigation_history", "search_assessments"];

/// Replies that are played in order, each at the first request that it fits.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Transcript {
    pub replies: Vec<Reply>,
    pub then: Then,
}

/// One reply.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reply {
    pub when: When,
    pub text: String,
    pub calls: Vec<Call>,
    pub thinking: Option<String>,
}

/// Which request a reply fits: all that is named.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct When {
    pub role: Option<String>,
    /// Stands somewhere in the conversation.
    pub text: Option<String>,
}

/// A tool that is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    pub name: String,
    pub arguments: Value,
}

/// What comes when no reply fits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    #[default]
    Extractive,
    /// The least that is asked for, at once.
    Brief,
    Empty,
}

/// Answers requests.
pub struct Mind {
    extractive: Extractive,
    transcript: Mutex<(VecDeque<Reply>, Then)>,
}

impl Mind {
    /// Thinks with the built-in provider once the transcript is over.
    pub fn new(transcript: Transcript) -> anyhow::Result<Self> {
        let transcript = Mutex::new((transcript.replies.into(), transcript.then));
        let files = ConfigFiles::embedded();
        Ok(Self { extractive: Extractive::new(|path| files.get(path))?, transcript })
    }

    pub(crate) fn follow(&self, transcript: Transcript) {
        *lock(&self.transcript) = (transcript.replies.into(), transcript.then);
    }

    pub(crate) async fn answer(&self, asked: &Asked) -> Answer {
        let (played, then) = {
            let mut transcript = lock(&self.transcript);
            let fit = transcript.0.iter().position(|reply| reply.when.fits(&asked.request));
            (fit.and_then(|n| transcript.0.remove(n)), transcript.1)
        };
        let thought = || asked.thinks.then(|| format!("There are {} messages so far.", asked.request.messages.len()));
        if let Some(reply) = played {
            let calls = reply.calls.into_iter().map(|call| ToolRequest {
                id: String::new(),
                name: call.name,
                arguments: call.arguments,
            });
            return Answer { text: reply.text, thinking: reply.thinking.or_else(thought), calls: calls.collect(), stop: None };
        }
        if then == Then::Empty {
            return Answer::default();
        }
        if asked.request.system.contains(exam::MARK) {
            return exam::answer(asked);
        }
        if then == Then::Brief {
            return Answer { thinking: thought(), ..brief::answer(&asked.request) };
        }
        match judged::reply(&self.extractive, &asked.request).await {
            Ok(reply) => Answer { text: reply.text.to_string(), thinking: thought(), calls: reply.tool_calls, stop: None },
            // It reads only conversations of ours.
            Err(error) => Answer { text: error.to_string(), stop: Some(Stop::Refused), ..Answer::default() },
        }
    }
}

impl When {
    fn fits(&self, request: &ModelRequest) -> bool {
        let is_role = self.role.as_deref().is_none_or(|role| role == request.role.as_str());
        is_role && self.text.as_deref().is_none_or(|text| says(request, text))
    }
}

fn says(request: &ModelRequest, text: &str) -> bool {
    request.system.contains(text)
        || request.messages.iter().any(|message| match message {
            Message::User { text: said } | Message::Assistant { text: said, .. } => said.contains(text),
            Message::Tools { results } => results.iter().any(|result| result.content.contains(text)),
        })
}

/// A wire does not name the role; the tools on offer do.
pub(crate) fn role_of<'a>(mut tools: impl Iterator<Item = &'a str>) -> AgentRole {
    if tools.any(|tool| OF_THE_ANALYST.contains(&tool)) { AgentRole::Analyst } else { AgentRole::Processor }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
