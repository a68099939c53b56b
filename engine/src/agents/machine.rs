//! State machine of one agent session, without I/O.
//!
//! Invariant: a machine is a pure function of its finish, phases, limits and inputs. The driver stores every input, so a session
//! can be rebuilt after a crash, or replayed without the live graph.

mod analyst;
mod answer;
mod conversation;
mod counts;
mod extract;
mod io;
mod pairs;
mod processor;

#[cfg(test)]
mod tests;

pub use answer::{AnswerCheck, AnswerPhase, AnswerPhaseKind, NextQuestion};
pub use conversation::{AMEND_TOOL, Conversation, DRAFT_TOOL};
pub use counts::{MachineLimits, ToolLimit};
pub use extract::EXTRACT_TOOL;
pub use io::{
    ExtractedDocument, Finish, FoundDocument, Input, JudgeMode, Next, Outcome, PersonQuestion, Phase, RefusedDocument,
    ToolEffect, ToolOutcome, WriteScope,
};
pub use pairs::{NamePair, NamePairs, NameVerdict};

use analyst::AnalystState;
use answer::AnswerState;
use counts::Counts;
use extract::ExtractionState;
use processor::ProcessorState;
use protocol::model::{Message, ModelReply, StopReason, ToolRequest, Usage};
use std::collections::BTreeMap;

const TOO_LONG: &str = "the conversation is too long for the model, even when shortened";

/// Session state machine.
#[derive(Debug, Clone)]
pub struct Machine {
    state: State,
    next: Next,
    conversation: Conversation,
    counts: Counts,
    /// Answer to a reply without a tool call.
    nudge: String,
}

#[derive(Debug, Clone)]
enum State {
    Analyst(AnalystState),
    Processor(ProcessorState),
    /// Processor in its extraction phase.
    Extract(Box<ExtractionState>),
    /// Role that ends in an answer.
    Answer(Box<AnswerState>),
}

/// Error of an input that the machine did not request: the step log belongs to another session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unexpected machine input")]
pub struct UnexpectedInput;

impl Machine {
    pub fn new(finish: Finish, limits: MachineLimits) -> Self {
        let state = match finish {
            Finish::Product => State::Analyst(AnalystState::default()),
            Finish::Records => State::Processor(ProcessorState::default()),
            Finish::Answer => State::Answer(Box::default()),
        };
        let counts = Counts {
            limits,
            tool_limits: vec![],
            turns: 0,
            tool_calls: BTreeMap::new(),
            malformed_in_a_row: 0,
            nudges: 0,
            usage: Usage::default(),
        };
        Self { state, next: Next::Open, conversation: Conversation::default(), counts, nudge: String::new() }
    }

    /// Sets the answer to a reply without a tool call, in a loop that such a reply does not end.
    pub fn with_nudge(self, nudge: String) -> Self {
        Self { nudge, ..self }
    }

    /// Sets the limits of single tools.
    pub fn with_tool_limits(mut self, limits: &[ToolLimit]) -> Self {
        self.counts.tool_limits = limits.to_vec();
        self
    }

    /// Sets the phases of a session that ends in an answer.
    pub fn with_phases(mut self, phases: Vec<AnswerPhase>) -> Self {
        if let State::Answer(answering) = &mut self.state {
            **answering = AnswerState::new(phases);
        }
        self
    }

    pub fn next(&self) -> &Next {
        &self.next
    }

    /// Returns the current phase, which determines prompt, tools and output schema.
    pub fn phase(&self) -> Phase {
        match &self.state {
            State::Analyst(_) => Phase::Analyse,
            State::Processor(processing) => processing.phase(),
            State::Extract(extracting) => extracting.phase(),
            State::Answer(answering) => answering.phase().unwrap_or(Phase::Analyse),
        }
    }

    /// Returns the conversation to send to the model.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    pub fn messages(&self) -> &[Message] {
        self.conversation.messages()
    }

    /// Returns the write scope during extraction.
    pub fn writable(&self) -> Option<WriteScope<'_>> {
        match &self.state {
            State::Extract(extracting) => Some(extracting.writable()),
            _ => None,
        }
    }

    /// Returns whether check findings were returned to the session.
    pub fn findings_returned(&self) -> bool {
        matches!(&self.state, State::Analyst(analysing) if analysing.findings_returned())
    }

    /// Returns the outcome of a finished session.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.next {
            Next::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Returns the number of model replies so far.
    pub fn turns(&self) -> u32 {
        self.counts.turns
    }

    /// Returns why the first of these calls is beyond the limit of its tool. `open`: the requested calls from that one on.
    pub fn beyond_limit(&self, open: &[ToolRequest]) -> Option<String> {
        self.counts.beyond_limit(open)
    }

    pub fn usage(&self) -> Usage {
        self.counts.usage
    }

    /// Takes the requested input and decides the next request.
    pub fn feed(&mut self, input: Input) -> Result<(), UnexpectedInput> {
        self.next = match (&self.next, input) {
            (Next::Open, Input::Opened { text, given, .. }) => match &mut self.state {
                State::Analyst(_) => {
                    self.conversation = Conversation::opened(text);
                    Next::CallModel
                }
                State::Processor(processing) => processing.open(text),
                State::Answer(answering) => answering.open(&mut self.conversation, text, given),
                State::Extract(_) => return Err(UnexpectedInput),
            },
            (Next::CallModel, Input::Reply { reply }) => self.take_reply(reply),
            (Next::CallModel, Input::Unjudged { .. } | Input::Unreadable { .. } | Input::TooLong)
                if self.phase() == Phase::Judge =>
            {
                match &mut self.state {
                    State::Extract(extracting) => extracting.go_on(&mut self.conversation),
                    _ => return Err(UnexpectedInput),
                }
            }
            (Next::CallModel, Input::Unreadable { why }) => self.take_unreadable(&why),
            (Next::CallModel, Input::TooLong) => self.take_too_long(),
            (Next::CallTools(asked), Input::Tools { results }) if asked.len() == results.len() => {
                let asked = asked.clone();
                self.take_results(&asked, results)
            }
            (Next::AskPerson(_), Input::Answered { text }) => match &mut self.state {
                State::Answer(answering) => answering.take_answer(&mut self.conversation, &mut self.counts, text),
                _ => return Err(UnexpectedInput),
            },
            (Next::ReadPack(_), Input::Pack { pack }) => match &mut self.state {
                State::Extract(extracting) => extracting.take_pack(&mut self.conversation, pack),
                _ => return Err(UnexpectedInput),
            },
            (Next::FindPairs(_), Input::Pairs { pairs }) => match &mut self.state {
                State::Extract(extracting) => extracting.take_pairs(&mut self.conversation, pairs),
                _ => return Err(UnexpectedInput),
            },
            (Next::NoteRefused(_), Input::Noted) => match &mut self.state {
                State::Extract(extracting) => extracting.next_pack(),
                _ => return Err(UnexpectedInput),
            },
            _ => return Err(UnexpectedInput),
        };
        self.begin_extraction();
        Ok(())
    }

    fn take_reply(&mut self, reply: ModelReply) -> Next {
        self.counts.turns += 1;
        self.counts.usage += reply.usage;
        self.conversation.push_reply(&reply);
        let is_talk = matches!(self.phase(), Phase::Analyse | Phase::Research) || matches!(self.state, State::Answer(_));
        if is_talk && reply.stop == StopReason::MaxTokens {
            return self.ask_again("it was cut because it is too long");
        }
        match &mut self.state {
            State::Analyst(analysing) => analysing.take_reply(&mut self.conversation, &mut self.counts, &self.nudge, reply),
            State::Processor(processing) => processing.take_reply(&mut self.conversation, &mut self.counts, reply),
            State::Extract(extracting) => extracting.take_reply(&mut self.conversation, &mut self.counts, &reply),
            State::Answer(answering) => answering.take_reply(&mut self.conversation, &mut self.counts, &self.nudge, reply),
        }
    }

    fn take_results(&mut self, asked: &[ToolRequest], outcomes: Vec<ToolOutcome>) -> Next {
        match &mut self.state {
            State::Analyst(analysing) => analysing.take_results(&mut self.conversation, &mut self.counts, outcomes),
            State::Processor(processing) => processing.take_results(&mut self.conversation, &mut self.counts, asked, outcomes),
            State::Extract(extracting) => extracting.take_results(&mut self.conversation, &mut self.counts, outcomes),
            State::Answer(answering) => answering.take_results(&mut self.conversation, &mut self.counts, asked, outcomes),
        }
    }

    fn take_unreadable(&mut self, why: &str) -> Next {
        match &mut self.state {
            State::Extract(extracting) => extracting.unusable(&mut self.conversation, &mut self.counts, why),
            State::Processor(processing) if processing.phase() == Phase::Plan => {
                processing.take_unreadable_plan(&mut self.conversation, &mut self.counts, why)
            }
            State::Analyst(_) | State::Processor(_) | State::Answer(_) => self.ask_again(why),
        }
    }

    /// Counts a malformed reply; too many in a row end the session.
    fn ask_again(&mut self, why: &str) -> Next {
        self.counts.malformed_in_a_row += 1;
        let in_a_row = self.counts.malformed_in_a_row;
        if in_a_row >= self.counts.limits.max_malformed_calls {
            return Next::Done(self.ended_without(format!("{in_a_row} replies in a row could not be used: {why}")));
        }
        let text = "Answer again, with shorter replies and fewer items per call.";
        self.conversation.say(&format!("Your last reply could not be used: {why}. {text}"));
        Next::CallModel
    }

    fn ended_without(&self, why: String) -> Outcome {
        match &self.state {
            State::Analyst(analysing) => analysing.ended_without(why),
            State::Processor(_) | State::Extract(_) | State::Answer(_) => Outcome::Failed { why },
        }
    }

    /// Reduces the conversation once; the same payload is never sent again.
    fn take_too_long(&mut self) -> Next {
        match &mut self.state {
            State::Extract(extracting) => extracting.too_long(&self.counts),
            State::Answer(answering) => match answering.reduce(&mut self.conversation) {
                true => Next::CallModel,
                false => Next::Done(Outcome::Failed { why: TOO_LONG.into() }),
            },
            State::Processor(processing) if processing.phase() == Phase::Plan => {
                processing.use_plain_plan(&mut self.conversation, &mut self.counts, TOO_LONG)
            }
            _ if self.conversation.reduce() => Next::CallModel,
            _ => Next::Done(self.ended_without(TOO_LONG.into())),
        }
    }

    /// Starts extraction after research, however research ended.
    fn begin_extraction(&mut self) {
        let State::Processor(processing) = &mut self.state else { return };
        let Next::Done(ended) = &self.next else { return };
        let ended = processing.outcome(ended);
        let mut extracting = ExtractionState::new(ended, processing.packs(&self.counts.limits));
        self.counts.malformed_in_a_row = 0;
        self.next = extracting.next_pack();
        self.state = State::Extract(Box::new(extracting));
    }
}
