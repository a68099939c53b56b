//! The pages that show how agents worked: the sessions of an investigation, and one session step by step.

use crate::{
    InvestigationId, SessionId, Timestamp,
    agent::{AgentSession, InjectionFinding, Reflection, SessionTally, ToolLatency},
    budget::{ModelCall, Spend},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The sessions of one investigation, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionsView {
    pub investigation_id: InvestigationId,
    pub question: String,
    pub is_sample: bool,
    pub is_over: bool,
    pub lines: Vec<SessionLine>,
    pub total: u64,
    /// From 1.
    pub page: u64,
    pub per_page: u64,
    /// By all sessions, not only those of this page.
    pub spent: Spend,
    pub currency: String,
    /// The newest event when this was read.
    pub last_event: u64,
    pub now: Timestamp,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionLine {
    pub session: AgentSession,
    /// What its order asks for; none for an Analyst.
    pub objective: Option<String>,
    pub tally: SessionTally,
    /// By the ledger, also while it runs.
    pub spent: Spend,
    /// Calls of models that were answered.
    pub answers: u32,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionView {
    pub question: String,
    pub is_sample: bool,
    pub is_over: bool,
    pub line: SessionLine,
    pub currency: String,
    /// Texts that led it to ask for what its order does not allow, in the order of the calls.
    pub injections: Vec<InjectionFinding>,
    pub steps: Vec<StepView>,
    /// From 1.
    pub page: u64,
    pub last_page: u64,
    pub last_event: u64,
    pub now: Timestamp,
}

/// A step as a person reads it; what tools answered stands with the call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    pub number: u32,
    pub at: Timestamp,
    pub content: StepContent,
    /// The calls of models that it took, failed ones too.
    pub model_calls: Vec<ModelCall>,
}

/// What was fed into the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StepContent {
    /// What the agent was told.
    Prompt { text: Excerpt },
    /// What the model answered.
    Reply {
        text: Excerpt,
        thinking: Vec<Excerpt>,
        calls: Vec<ToolCallView>,
        tokens_in: u64,
        tokens_out: u64,
        /// What was wrong with the answer.
        flaw: Option<String>,
    },
    /// What the program called on its own, as a plan asks for it or an answer is recorded.
    ProgramCalls { calls: Vec<ToolCallView> },
    /// Something happened that the agent was told of.
    Note { text: String },
    /// Anything else, as it was logged.
    Log { text: Excerpt },
}

/// A tool call and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCallView {
    pub tool: String,
    pub arguments: Excerpt,
    /// None: it runs, or was never made.
    pub answer: Option<ToolResultView>,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResultView {
    pub result: Excerpt,
    pub is_error: bool,
    /// None for a call that was refused before it came to the tool.
    pub record: Option<CallRecord>,
}

/// What the gateway noted of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRecord {
    pub from_cache: bool,
    pub latency: ToolLatency,
    /// What the result is worth, where it was judged.
    pub reflection: Option<Reflection>,
}

/// The beginning of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    pub text: String,
    /// Length of the whole.
    pub chars: u64,
    pub is_cut: bool,
    /// Holds text from outside.
    pub is_outside: bool,
    /// Where the whole is found, when it is cut.
    pub whole: Option<String>,
}

/// A part of a stored step that can be read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepPart {
    Text,
    Thinking(usize),
    Arguments(usize),
    Result(usize),
    /// The step as it was logged.
    Log,
}

impl StepPart {
    /// Where it is read whole.
    pub fn address(self, session: SessionId, step: u32) -> String {
        format!("/sessions/{session}/steps/{step}/{self}")
    }
}

impl fmt::Display for StepPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("text"),
            Self::Thinking(at) => write!(f, "thinking-{at}"),
            Self::Arguments(at) => write!(f, "arguments-{at}"),
            Self::Result(at) => write!(f, "result-{at}"),
            Self::Log => f.write_str("log"),
        }
    }
}

/// The text names no part of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a step has the parts text, thinking-N, arguments-N, result-N and log")]
pub struct BadPart;

impl FromStr for StepPart {
    type Err = BadPart;

    fn from_str(text: &str) -> Result<Self, BadPart> {
        let (name, at) = match text.split_once('-') {
            Some((name, at)) => (name, Some(at.parse().map_err(|_| BadPart)?)),
            None => (text, None),
        };
        match (name, at) {
            ("text", None) => Ok(Self::Text),
            ("log", None) => Ok(Self::Log),
            ("thinking", Some(at)) => Ok(Self::Thinking(at)),
            ("arguments", Some(at)) => Ok(Self::Arguments(at)),
            ("result", Some(at)) => Ok(Self::Result(at)),
            _ => Err(BadPart),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_back_from_its_address() {
        for part in [StepPart::Text, StepPart::Log, StepPart::Thinking(0), StepPart::Arguments(3), StepPart::Result(12)] {
            assert_eq!(part.to_string().parse(), Ok(part));
        }
        for bad in ["", "text-1", "result", "result-x", "result--1", "../etc"] {
            assert_eq!(bad.parse::<StepPart>(), Err(BadPart), "{bad}");
        }
    }
}
