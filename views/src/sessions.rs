//! The pages that show how agents worked: the sessions of an investigation, and one session step by step.

use domain::{
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
    /// Spend of all sessions, not only those of this page.
    pub spent: Spend,
    pub currency: String,
    /// Whether every model of the investigation has a price.
    pub prices_known: bool,
    /// The newest event when this was read.
    pub last_event: u64,
    pub now: Timestamp,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionLine {
    pub session: AgentSession,
    /// Objective of its work order; `None` for an Analyst.
    pub objective: Option<String>,
    pub tally: SessionTally,
    /// Spend from the ledger, also while it runs.
    pub spent: Spend,
    /// Calls of models that were answered.
    pub answers: u32,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionView {
    pub investigation_id: InvestigationId,
    pub question: String,
    pub is_sample: bool,
    pub is_over: bool,
    pub line: SessionLine,
    pub currency: String,
    pub prices_known: bool,
    /// Injection findings, in the order of the calls.
    pub injections: Vec<InjectionFinding>,
    pub steps: Vec<StepView>,
    /// From 1.
    pub page: u64,
    pub last_page: u64,
    pub last_event: u64,
    pub now: Timestamp,
}

/// A step for readers; tool results stand with their calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    pub number: u32,
    pub at: Timestamp,
    pub content: StepContent,
    /// The calls of models that it took, failed ones too.
    pub model_calls: Vec<ModelCall>,
}

/// Content of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StepContent {
    /// Input of the agent.
    Prompt { text: Excerpt },
    /// Reply of the model.
    Reply {
        text: Excerpt,
        thinking: Vec<Excerpt>,
        calls: Vec<ToolCallView>,
        tokens_in: u64,
        tokens_out: u64,
        /// Fault of the reply.
        flaw: Option<String>,
    },
    /// Tool calls of the program itself, to carry out a plan or to record a reply.
    ProgramCalls { calls: Vec<ToolCallView> },
    /// A notice to the agent.
    Note { text: String },
    /// Any other logged step.
    Log { text: Excerpt },
}

/// A tool call with its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCallView {
    pub tool: String,
    pub arguments: Excerpt,
    /// `None` while it runs, or if it was never made.
    pub answer: Option<ToolResultView>,
}

/// Result of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResultView {
    pub result: Excerpt,
    pub is_error: bool,
    /// None for a call that was refused before it came to the tool.
    pub record: Option<CallRecord>,
}

/// Record of a call at the tool gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRecord {
    pub from_cache: bool,
    pub latency: ToolLatency,
    /// Verdict on the result, if any.
    pub reflection: Option<Reflection>,
    /// Result of the tool, where the agent read something else.
    pub raw: Option<Excerpt>,
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
    /// Address of the full text, where this one is cut.
    pub whole: Option<String>,
}

/// A part of a stored step that can be read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepPart {
    Text,
    Thinking(usize),
    Arguments(usize),
    Result(usize),
    /// The result as the tool gave it.
    Raw(usize),
    /// The step as it was logged.
    Log,
}

impl StepPart {
    /// Returns the address of the full text.
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
            Self::Raw(at) => write!(f, "raw-{at}"),
            Self::Log => f.write_str("log"),
        }
    }
}

/// The text names no part of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a step has the parts text, thinking-N, arguments-N, result-N, raw-N and log")]
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
            ("raw", Some(at)) => Ok(Self::Raw(at)),
            _ => Err(BadPart),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_back_from_its_address() {
        let parts = [StepPart::Thinking(0), StepPart::Arguments(3), StepPart::Result(12), StepPart::Raw(1)];
        for part in parts.into_iter().chain([StepPart::Text, StepPart::Log]) {
            assert_eq!(part.to_string().parse(), Ok(part));
        }
        for bad in ["", "text-1", "result", "result-x", "result--1", "../etc"] {
            assert_eq!(bad.parse::<StepPart>(), Err(BadPart), "{bad}");
        }
    }
}
