//! Limits and counters of a session.

use super::{
    conversation::Conversation,
    io::{ToolEffect, ToolOutcome},
};
use protocol::model::{ToolRequest, Usage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Reason of a session whose model refused.
pub(super) const REFUSED: &str = "the model refused to continue";

/// Maximum length of a problem quoted in the reason of a failure, in characters.
const REASON_CHARS: usize = 200;

/// Limits of one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineLimits {
    pub max_tool_calls: u32,
    pub max_malformed_calls: u32,
    pub max_planned_queries: u32,
    /// Maximum number of replies without a tool call that a session answers: of an Analyst session, or in a row in a loop that a tool
    /// completes.
    #[serde(default)]
    pub max_nudges: u32,
    pub batch_chars: u64,
    pub batch_documents: u32,
    /// Maximum number of name pairs put to a judge per pack; 0 without a judge.
    #[serde(default)]
    pub judge_pairs: u32,
    /// Maximum number of questions to a person.
    #[serde(default)]
    pub max_questions: u32,
}

/// Limit of the calls of one tool in a session of a feature's role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolLimit {
    pub tool: &'static str,
    pub max_calls: u32,
}

/// Counters of the whole session.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    pub limits: MachineLimits,
    pub tool_limits: Vec<ToolLimit>,
    pub turns: u32,
    /// Calls by the name of their tool.
    pub tool_calls: BTreeMap<String, u32>,
    pub malformed_in_a_row: u32,
    /// Replies without a tool call that were answered, as `max_nudges` limits them.
    pub nudges: u32,
    pub usage: Usage,
}

impl Counts {
    /// Spends tool calls, or returns why the limit is reached.
    pub fn spend_calls(&mut self, calls: &[ToolRequest]) -> Result<(), String> {
        for call in calls {
            *self.tool_calls.entry(call.name.clone()).or_default() += 1;
        }
        match self.tool_calls.values().sum::<u32>() > self.limits.max_tool_calls {
            true => Err(format!("more than {} tool calls", self.limits.max_tool_calls)),
            false => Ok(()),
        }
    }

    /// Returns why the first of these calls is beyond the limit of its tool, with the calls that remain. `open`: the call and
    /// the later ones of its reply, which are counted already.
    pub fn beyond_limit(&self, open: &[ToolRequest]) -> Option<String> {
        let remaining = |limit: &ToolLimit| {
            let counted = self.tool_calls.get(limit.tool).copied().unwrap_or_default();
            let open = open.iter().filter(|request| request.name == limit.tool).count();
            limit.max_calls.saturating_sub(counted.saturating_sub(u32::try_from(open).unwrap_or(u32::MAX)))
        };
        let request = open.first()?;
        let limit = self.tool_limits.iter().find(|limit| limit.tool == request.name && remaining(limit) == 0)?;
        let left = self.tool_limits.iter().map(|limit| (limit.tool, remaining(limit))).filter(|(_, left)| *left > 0);
        let left: Vec<String> = left.map(|(tool, left)| format!("{left} of `{tool}`")).collect();
        let left = if left.is_empty() { "none".to_owned() } else { left.join(", ") };
        Some(format!("the limit of `{}` in this session is {}; calls left: {left}", limit.tool, limit.max_calls))
    }

    /// Answers a reply without a tool call. Returns false at the limit.
    pub fn nudge(&mut self, conversation: &mut Conversation, text: &str) -> bool {
        let is_within = self.nudges < self.limits.max_nudges;
        if is_within {
            self.nudges += 1;
            conversation.say(text);
        }
        is_within
    }

    /// Checks the malformed-call limit after a round of calls.
    pub fn judge(&mut self, outcomes: &[ToolOutcome]) -> Result<(), String> {
        for outcome in outcomes {
            match outcome.effect {
                ToolEffect::Malformed => self.malformed_in_a_row += 1,
                _ => self.malformed_in_a_row = 0,
            }
        }
        if self.malformed_in_a_row < self.limits.max_malformed_calls {
            return Ok(());
        }
        let last = outcomes.iter().rev().find(|outcome| outcome.effect == ToolEffect::Malformed);
        let why: String = last.map(|last| last.result.content.chars().take(REASON_CHARS).collect()).unwrap_or_default();
        Err(format!("{} malformed tool calls in a row; the last: {why}", self.malformed_in_a_row))
    }
}
