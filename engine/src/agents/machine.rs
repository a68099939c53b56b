//! One agent conversation as a machine without I/O.
//!
//! Invariant: a machine is a pure function of its opening and the inputs fed so far. The driver stores every input, so a
//! session can be rebuilt after a crash, or replayed without the live graph.

use crate::models::{Message, ModelReply, StopReason, ToolRequest, ToolResult, Usage};
use domain::{AssessmentId, agent::AgentRole};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the machine wants done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Send the conversation (`Machine::messages`) to the model.
    CallModel,
    /// Call these tools, in order.
    CallTools(Vec<ToolRequest>),
    /// Ask the person and feed the answer in; no role of today asks.
    AskHuman(String),
    Done(Outcome),
}

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Analyst: work orders were staged.
    OrdersCreated,
    /// Analyst: the assessment is written.
    AssessmentProduced { assessment_id: AssessmentId },
    /// Processor: it said that it is done.
    Finished { text: Arc<str> },
    /// Analyst: ended with neither orders nor an assessment, or ran out of calls before.
    Empty { why: String },
    /// It cannot go on.
    Failed { why: String },
}

/// Something fed into the machine. The step log holds these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum Input {
    Reply {
        reply: ModelReply,
    },
    Tools {
        results: Vec<ToolOutcome>,
    },
    /// A person's answer.
    Human {
        text: Arc<str>,
    },
}

/// What a tool call came to, for the model and for the machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOutcome {
    pub result: ToolResult,
    pub effect: ToolEffect,
}

impl ToolOutcome {
    /// A call that was not made.
    pub fn refused(id: &str, why: &str) -> Self {
        Self { result: ToolResult { id: id.into(), content: why.into(), is_error: true }, effect: ToolEffect::None }
    }
}

/// What a tool call means for the session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    #[default]
    None,
    /// The call itself was wrong: no such tool, or arguments that do not fit.
    Malformed,
    OrderStaged,
    AssessmentProduced(AssessmentId),
}

/// Bounds of one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineLimits {
    pub max_tool_calls: u32,
    pub max_malformed_calls: u32,
}

/// The conversation and where it stands.
#[derive(Debug, Clone)]
pub struct Machine {
    role: AgentRole,
    limits: MachineLimits,
    messages: Vec<Message>,
    next: Next,
    orders_staged: bool,
    malformed_in_a_row: u32,
    tool_calls: u32,
    turns: u32,
    usage: Usage,
}

/// An input came that the machine did not ask for: the step log does not belong to this session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the machine did not ask for this input")]
pub struct Unexpected;

impl Machine {
    /// A session that begins with `opening`, what the agent is told first.
    pub fn new(role: AgentRole, opening: Arc<str>, limits: MachineLimits) -> Self {
        Self {
            role,
            limits,
            messages: vec![Message::User { text: opening }],
            next: Next::CallModel,
            orders_staged: false,
            malformed_in_a_row: 0,
            tool_calls: 0,
            turns: 0,
            usage: Usage::default(),
        }
    }

    pub fn next(&self) -> &Next {
        &self.next
    }

    /// The conversation so far, as the model is to see it.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Replies of the model so far.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Takes what was asked for and decides what is next.
    pub fn feed(&mut self, input: Input) -> Result<(), Unexpected> {
        self.next = match (&self.next, input) {
            (Next::CallModel, Input::Reply { reply }) => self.take_reply(reply),
            (Next::CallTools(asked), Input::Tools { results }) if asked.len() == results.len() => self.take_results(results),
            (Next::AskHuman(_), Input::Human { text }) => {
                self.messages.push(Message::User { text });
                Next::CallModel
            }
            _ => return Err(Unexpected),
        };
        Ok(())
    }

    fn take_reply(&mut self, reply: ModelReply) -> Next {
        self.turns += 1;
        self.usage += reply.usage;
        let tool_calls = reply.tool_calls.clone();
        self.messages.push(Message::Assistant {
            text: reply.text.clone(),
            tool_calls: reply.tool_calls,
            thinking: reply.thinking,
        });
        if tool_calls.is_empty() {
            return Next::Done(self.ended_by_text(reply.text, reply.stop));
        }
        self.tool_calls += tool_calls.len() as u32;
        if self.tool_calls > self.limits.max_tool_calls {
            return Next::Done(self.out_of_calls());
        }
        Next::CallTools(tool_calls)
    }

    fn take_results(&mut self, outcomes: Vec<ToolOutcome>) -> Next {
        let mut assessment = None;
        for outcome in &outcomes {
            match outcome.effect {
                ToolEffect::Malformed => self.malformed_in_a_row += 1,
                ToolEffect::None => self.malformed_in_a_row = 0,
                ToolEffect::OrderStaged => {
                    self.malformed_in_a_row = 0;
                    self.orders_staged = true;
                }
                ToolEffect::AssessmentProduced(id) => assessment = Some(id),
            }
        }
        self.messages.push(Message::Tools { results: outcomes.into_iter().map(|outcome| outcome.result).collect() });
        if let Some(assessment_id) = assessment {
            return Next::Done(Outcome::AssessmentProduced { assessment_id });
        }
        if self.malformed_in_a_row >= self.limits.max_malformed_calls {
            let why = format!("{} malformed tool calls in a row", self.malformed_in_a_row);
            return Next::Done(self.ended_without(why));
        }
        Next::CallModel
    }

    fn ended_by_text(&self, text: Arc<str>, stop: StopReason) -> Outcome {
        match (self.role, stop) {
            (_, StopReason::Refused) => Outcome::Failed { why: "the model refused to go on".into() },
            (AgentRole::Processor, _) => Outcome::Finished { text },
            (AgentRole::Analyst, _) if self.orders_staged => Outcome::OrdersCreated,
            (AgentRole::Analyst, _) => Outcome::Empty { why: "it ended with neither orders nor an assessment".into() },
        }
    }

    fn out_of_calls(&self) -> Outcome {
        self.ended_without(format!("more than {} tool calls", self.limits.max_tool_calls))
    }

    /// What was staged counts, whatever ended the session.
    fn ended_without(&self, why: String) -> Outcome {
        match self.role {
            AgentRole::Analyst if self.orders_staged => Outcome::OrdersCreated,
            AgentRole::Analyst => Outcome::Empty { why },
            AgentRole::Processor => Outcome::Failed { why },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const LIMITS: MachineLimits = MachineLimits { max_tool_calls: 4, max_malformed_calls: 3 };

    fn says(text: &str) -> Input {
        reply(text, 0)
    }

    fn reply(text: &str, calls: u32) -> Input {
        let tool_calls =
            (0..calls).map(|n| ToolRequest { id: n.to_string(), name: "t".into(), arguments: json!({}) }).collect();
        let stop = if calls == 0 { StopReason::EndTurn } else { StopReason::ToolUse };
        let usage = Usage { tokens_in: 2, tokens_out: 1, ..Usage::default() };
        Input::Reply { reply: ModelReply { text: text.into(), tool_calls, stop, usage, thinking: vec![] } }
    }

    fn results(effects: &[ToolEffect]) -> Input {
        let result = ToolResult { id: "0".into(), content: "r".into(), is_error: false };
        Input::Tools { results: effects.iter().map(|effect| ToolOutcome { result: result.clone(), effect: *effect }).collect() }
    }

    fn check(role: AgentRole, inputs: Vec<Input>, expect: Next) {
        let mut machine = Machine::new(role, "go".into(), LIMITS);
        for input in inputs {
            machine.feed(input).unwrap();
        }
        assert_eq!(*machine.next(), expect);
    }

    #[test]
    fn an_analyst_that_only_talks_is_empty() {
        let why = "it ended with neither orders nor an assessment".into();
        check(AgentRole::Analyst, vec![says("hm")], Next::Done(Outcome::Empty { why }));
    }

    #[test]
    fn staged_orders_end_with_the_text_that_follows() {
        let inputs = vec![reply("", 1), results(&[ToolEffect::OrderStaged]), says("sent")];
        check(AgentRole::Analyst, inputs, Next::Done(Outcome::OrdersCreated));
    }

    #[test]
    fn an_assessment_ends_the_session_at_once() {
        let assessment_id = AssessmentId(uuid::Uuid::nil());
        let inputs = vec![reply("", 1), results(&[ToolEffect::AssessmentProduced(assessment_id)])];
        check(AgentRole::Analyst, inputs, Next::Done(Outcome::AssessmentProduced { assessment_id }));
    }

    #[test]
    fn three_malformed_calls_in_a_row_end_it_and_a_good_one_between_clears_the_count() {
        let bad = || vec![reply("", 1), results(&[ToolEffect::Malformed])];
        let good = || vec![reply("", 1), results(&[ToolEffect::None])];
        let why: String = "3 malformed tool calls in a row".into();
        check(AgentRole::Processor, [bad(), bad(), bad()].concat(), Next::Done(Outcome::Failed { why: why.clone() }));
        check(AgentRole::Analyst, [bad(), bad(), bad()].concat(), Next::Done(Outcome::Empty { why }));
        check(AgentRole::Processor, [bad(), bad(), good(), bad()].concat(), Next::CallModel);
    }

    #[test]
    fn the_call_limit_ends_it() {
        let Next::Done(Outcome::Failed { why }) = run(AgentRole::Processor, vec![reply("", 5)]) else { panic!() };
        assert_eq!(why, "more than 4 tool calls");
    }

    #[test]
    fn inputs_that_were_not_asked_for_are_refused() {
        let mut machine = Machine::new(AgentRole::Analyst, "go".into(), LIMITS);
        assert_eq!(machine.feed(results(&[ToolEffect::None])), Err(Unexpected));
    }

    fn run(role: AgentRole, inputs: Vec<Input>) -> Next {
        let mut machine = Machine::new(role, "go".into(), LIMITS);
        inputs.into_iter().for_each(|input| machine.feed(input).unwrap());
        machine.next().clone()
    }
}
