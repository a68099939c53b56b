//! Session of a role that ends in an answer: its phases in order, each in a conversation of its own.
//!
//! A later phase gets the transcript of the earlier ones as one text, so that it needs none of their tools. Nudges and refusals of replies
//! are left out.
//!
//! Invariant: outside text reaches a later phase with the fence that the gateway put around it.

use super::{
    conversation::Conversation,
    counts::{Counts, REFUSED},
    io::{Next, Outcome, PersonQuestion, Phase, ToolEffect, ToolOutcome},
};
use protocol::{
    model::{Message, ModelReply, StopReason, ToolRequest},
    tools::parse_json_answer,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// Check of an answer against the facts that its caller gave, null without any; returns what is wrong with it.
pub type AnswerCheck = fn(&Value, &Value) -> Result<(), String>;

/// Phase of a session that ends in an answer.
#[derive(Debug, Clone, Copy)]
pub struct AnswerPhase {
    pub phase: Phase,
    pub kind: AnswerPhaseKind,
}

/// Kind of a phase of a session that ends in an answer.
#[derive(Debug, Clone, Copy)]
pub enum AnswerPhaseKind {
    /// Conversation with tools, until the model calls none or the limit of calls is met. A tool may ask the person.
    Loop {
        /// Tool that completes it. Before, a reply without a call is answered with a nudge.
        until: Option<&'static str>,
    },
    /// One structured answer.
    Once(AnswerCheck),
    /// Questions to a person, until the model has none or the limit of questions is met.
    AskPerson,
}

/// Next question of the model to a person.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NextQuestion {
    /// The question; null when nothing more has to be asked.
    pub question: Option<String>,
}

/// State of a session that ends in an answer.
#[derive(Debug, Clone, Default)]
pub(super) struct AnswerState {
    phases: Vec<AnswerPhase>,
    /// Place of the current phase.
    place: usize,
    /// Messages of the finished phases, beginning with the opening.
    record: Conversation,
    /// Number of questions put to the person.
    questions: u32,
    /// Whether the tool that completes the phase was called with success.
    is_complete: bool,
    /// Last structured answer.
    answer: Option<Value>,
    /// Facts that answers are checked against.
    given: Value,
}

impl AnswerState {
    pub fn new(phases: Vec<AnswerPhase>) -> Self {
        Self { phases, ..Self::default() }
    }

    pub fn phase(&self) -> Option<Phase> {
        self.current().map(|phase| phase.phase)
    }

    fn current(&self) -> Option<AnswerPhase> {
        self.phases.get(self.place).or(self.phases.last()).copied()
    }

    pub fn open(&mut self, conversation: &mut Conversation, text: Arc<str>, given: Option<Value>) -> Next {
        self.given = given.unwrap_or_default();
        *conversation = Conversation::opened(text);
        match self.phases.is_empty() {
            true => failed("the role has no phase"),
            false => Next::CallModel,
        }
    }

    pub fn take_reply(&mut self, conversation: &mut Conversation, counts: &mut Counts, nudge: &str, reply: ModelReply) -> Next {
        if reply.stop == StopReason::Refused {
            return failed(REFUSED);
        }
        let Some(phase) = self.current() else { return failed("the role has no phase") };
        match phase.kind {
            AnswerPhaseKind::Loop { until } if reply.tool_calls.is_empty() => {
                let is_early = until.is_some() && !self.is_complete;
                match is_early && counts.nudge(conversation, nudge) {
                    true => Next::CallModel,
                    false => self.next_phase(conversation, counts),
                }
            }
            AnswerPhaseKind::Loop { .. } => {
                counts.nudges = 0;
                match counts.spend_calls(&reply.tool_calls) {
                    Ok(()) => Next::CallTools(reply.tool_calls),
                    // What was found so far is enough for the answer.
                    Err(_) => self.next_phase(conversation, counts),
                }
            }
            AnswerPhaseKind::Once(check) => {
                let checked = match parse_json_answer::<Value>(&reply.text) {
                    Some(answer) => check(&answer, &self.given).map(|()| answer),
                    None => Err("it is not one JSON value".to_owned()),
                };
                match checked {
                    Ok(answer) => {
                        self.answer = Some(answer);
                        self.next_phase(conversation, counts)
                    }
                    Err(why) => ask_again(conversation, counts, &why),
                }
            }
            AnswerPhaseKind::AskPerson => match parse_json_answer::<NextQuestion>(&reply.text) {
                Some(next) => self.ask_person(conversation, counts, next),
                None => ask_again(conversation, counts, "it is not a JSON object with `question`"),
            },
        }
    }

    fn ask_person(&mut self, conversation: &mut Conversation, counts: &mut Counts, next: NextQuestion) -> Next {
        counts.malformed_in_a_row = 0;
        let question = next.question.map(|question| question.trim().to_owned()).filter(|question| !question.is_empty());
        match question {
            Some(text) if self.questions < counts.limits.max_questions => {
                self.questions += 1;
                Next::AskPerson(PersonQuestion { number: self.questions, text })
            }
            _ => self.next_phase(conversation, counts),
        }
    }

    /// Takes the answer of the person; none: they end the questions.
    pub fn take_answer(&mut self, conversation: &mut Conversation, counts: &mut Counts, text: Option<Arc<str>>) -> Next {
        let Some(text) = text else { return self.next_phase(conversation, counts) };
        conversation.push(Message::User { text });
        // In a loop, the model may need its other tools after the last question.
        let is_loop = matches!(self.current().map(|phase| phase.kind), Some(AnswerPhaseKind::Loop { .. }));
        match is_loop || self.questions < counts.limits.max_questions {
            true => Next::CallModel,
            false => self.next_phase(conversation, counts),
        }
    }

    pub fn take_results(
        &mut self,
        conversation: &mut Conversation,
        counts: &mut Counts,
        calls: &[ToolRequest],
        outcomes: Vec<ToolOutcome>,
    ) -> Next {
        let judged = counts.judge(&outcomes);
        if let Some(AnswerPhaseKind::Loop { until: Some(last) }) = self.current().map(|phase| phase.kind) {
            self.is_complete |=
                calls.iter().zip(&outcomes).any(|(call, outcome)| call.name == last && !outcome.result.is_error);
        }
        let asked = outcomes.iter().find_map(|outcome| match &outcome.effect {
            ToolEffect::AsksPerson { question } => Some(question.clone()),
            _ => None,
        });
        conversation.push(Message::Tools { results: outcomes.into_iter().map(|outcome| outcome.result).collect() });
        match (judged, asked) {
            (Err(why), _) => Next::Done(Outcome::Failed { why }),
            (Ok(()), None) => Next::CallModel,
            (Ok(()), Some(text)) if self.questions < counts.limits.max_questions => {
                self.questions += 1;
                Next::AskPerson(PersonQuestion { number: self.questions, text })
            }
            (Ok(()), Some(_)) => self.next_phase(conversation, counts),
        }
    }

    /// Shortens a conversation that is too long; returns false when nothing can be dropped.
    pub fn reduce(&mut self, conversation: &mut Conversation) -> bool {
        if conversation.reduce() {
            return true;
        }
        let is_reduced = self.place > 0 && self.record.reduce();
        if is_reduced {
            *conversation = Conversation::opened(transcript(self.record.messages()).into());
        }
        is_reduced
    }

    fn next_phase(&mut self, conversation: &mut Conversation, counts: &mut Counts) -> Next {
        (counts.malformed_in_a_row, counts.nudges) = (0, 0);
        self.is_complete = false;
        let ended = std::mem::take(conversation);
        // A later phase began with the transcript of the record. What the program said is no answer of the person.
        let known = usize::from(self.place > 0);
        ended.without_program_texts().skip(known).for_each(|message| self.record.push(message.clone()));
        self.place += 1;
        if self.place < self.phases.len() {
            *conversation = Conversation::opened(transcript(self.record.messages()).into());
            return Next::CallModel;
        }
        match self.answer.take() {
            Some(answer) => Next::Done(Outcome::Answered { answer }),
            None => failed("the last phase gave no answer"),
        }
    }
}

fn failed(why: &str) -> Next {
    Next::Done(Outcome::Failed { why: why.to_owned() })
}

/// Counts an answer that cannot be used; too many in a row end the session.
fn ask_again(conversation: &mut Conversation, counts: &mut Counts, why: &str) -> Next {
    counts.malformed_in_a_row += 1;
    let in_a_row = counts.malformed_in_a_row;
    if in_a_row >= counts.limits.max_malformed_calls {
        return failed(&format!("{in_a_row} answers in a row could not be used: {why}"));
    }
    conversation.say(&format!("Your answer could not be used: {why}. Answer again with one JSON value alone."));
    Next::CallModel
}

/// Returns the messages as one text: the opening, then what was said, called and found.
fn transcript(messages: &[Message]) -> String {
    let mut text = String::new();
    for (n, message) in messages.iter().enumerate() {
        match message {
            Message::User { text: opening } if n == 0 => text.push_str(opening),
            Message::User { text: answer } => text += &format!("\n\nAnswer of the person:\n{answer}"),
            Message::Assistant { text: reply, tool_calls, .. } => {
                if !reply.trim().is_empty() {
                    text += &format!("\n\nYou:\n{reply}");
                }
                for call in tool_calls {
                    text += &format!("\n\nCall of `{}` with {}", call.name, call.arguments);
                }
            }
            Message::Tools { results } => {
                for result in results {
                    text += &format!("\n\nResult:\n{}", result.content);
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::machine::{Finish, Input, Machine, MachineLimits, UnexpectedInput};
    use protocol::model::{ToolResult, Usage};
    use serde_json::json;

    const LIMITS: MachineLimits = MachineLimits {
        max_tool_calls: 2,
        max_malformed_calls: 2,
        max_planned_queries: 0,
        max_nudges: 0,
        batch_chars: 0,
        batch_documents: 0,
        judge_pairs: 0,
        max_questions: 1,
    };

    fn has_place(answer: &Value, _: &Value) -> Result<(), String> {
        answer["place"].as_str().map(drop).ok_or_else(|| "it has no place".to_owned())
    }

    fn machine(kinds: &[AnswerPhaseKind]) -> Machine {
        machine_with(LIMITS, kinds)
    }

    fn machine_with(limits: MachineLimits, kinds: &[AnswerPhaseKind]) -> Machine {
        let names = [Phase::feature("one"), Phase::feature("two")];
        let phases = kinds.iter().zip(names).map(|(kind, phase)| AnswerPhase { phase, kind: *kind });
        let mut machine = Machine::new(Finish::Answer, limits).with_phases(phases.collect());
        machine.feed(Input::Opened { text: "Find it.".into(), refs: vec![], given: None }).unwrap();
        machine
    }

    fn searching() -> Machine {
        machine(&[AnswerPhaseKind::Loop { until: None }, AnswerPhaseKind::Once(has_place)])
    }

    fn says(machine: &mut Machine, text: &str, calls: usize) -> Result<(), UnexpectedInput> {
        let call = |n: usize| ToolRequest { id: n.to_string(), name: "search".into(), arguments: json!({"n": n}) };
        let tool_calls: Vec<_> = (0..calls).map(call).collect();
        let stop = if calls == 0 { StopReason::EndTurn } else { StopReason::ToolUse };
        machine.feed(Input::Reply {
            reply: ModelReply { text: text.into(), tool_calls, stop, usage: Usage::default(), thinking: vec![] },
        })
    }

    fn found(machine: &mut Machine, content: &str) {
        let result = ToolResult { id: "0".into(), content: content.into(), is_error: false };
        let outcome = ToolOutcome { result, effect: ToolEffect::None, refs: vec![] };
        machine.feed(Input::Tools { results: vec![outcome] }).unwrap();
    }

    fn first_text(machine: &Machine) -> &str {
        match machine.messages() {
            [Message::User { text }] => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_answer_phase_reads_the_results_and_ends_the_session() {
        let mut machine = searching();
        says(&mut machine, "I look.", 1).unwrap();
        found(&mut machine, "berth 7");
        says(&mut machine, "That is all.", 0).unwrap();
        assert_eq!((machine.phase(), machine.next()), (Phase::feature("two"), &Next::CallModel));
        let expected = "Find it.\n\nYou:\nI look.\n\nCall of `search` with {\"n\":0}\n\nResult:\nberth 7\n\nYou:\nThat is all.";
        assert_eq!(first_text(&machine), expected);
        says(&mut machine, r#"{"place": "berth 7"}"#, 0).unwrap();
        assert_eq!(*machine.next(), Next::Done(Outcome::Answered { answer: json!({"place": "berth 7"}) }));
    }

    #[test]
    fn the_call_limit_leads_to_the_answer_phase() {
        let mut machine = searching();
        for _ in 0..2 {
            says(&mut machine, "", 1).unwrap();
            found(&mut machine, "berth 7");
        }
        says(&mut machine, "", 1).unwrap();
        assert_eq!((machine.phase(), machine.next()), (Phase::feature("two"), &Next::CallModel));
    }

    #[test]
    fn an_answer_that_does_not_fit_is_asked_for_again_and_then_fails() {
        let mut machine = searching();
        says(&mut machine, "", 0).unwrap();
        says(&mut machine, "{}", 0).unwrap();
        let Some(Message::User { text }) = machine.messages().last() else { panic!("{:?}", machine.messages()) };
        assert!(text.contains("it has no place"), "{text}");
        says(&mut machine, "no JSON", 0).unwrap();
        assert!(matches!(machine.next(), Next::Done(Outcome::Failed { why }) if why.contains("not one JSON value")));
    }

    #[test]
    fn questions_end_with_the_limit_with_the_model_or_with_the_person() {
        let asking = || {
            let mut machine = machine(&[AnswerPhaseKind::AskPerson, AnswerPhaseKind::Once(has_place)]);
            says(&mut machine, r#"{"question": "Where?"}"#, 0).unwrap();
            assert_eq!(*machine.next(), Next::AskPerson(PersonQuestion { number: 1, text: "Where?".into() }));
            machine
        };
        for text in [Some("There.".into()), None] {
            let mut machine = asking();
            machine.feed(Input::Answered { text }).unwrap();
            assert_eq!((machine.phase(), machine.next()), (Phase::feature("two"), &Next::CallModel));
        }
        let mut machine = machine(&[AnswerPhaseKind::AskPerson, AnswerPhaseKind::Once(has_place)]);
        assert_eq!(machine.feed(Input::Answered { text: None }), Err(UnexpectedInput));
        says(&mut machine, r#"{"question": null}"#, 0).unwrap();
        assert_eq!((machine.phase(), first_text(&machine)), (Phase::feature("two"), "Find it.\n\nYou:\n{\"question\": null}"));
    }

    #[test]
    fn a_tool_asks_a_person_who_answers_or_ends_the_questions() {
        let mut machine = searching();
        says(&mut machine, "I ask.", 1).unwrap();
        let result = ToolResult { id: "0".into(), content: "put to the person".into(), is_error: false };
        let effect = ToolEffect::AsksPerson { question: "Where?".into() };
        machine.feed(Input::Tools { results: vec![ToolOutcome { result, effect, refs: vec![] }] }).unwrap();
        assert_eq!(*machine.next(), Next::AskPerson(PersonQuestion { number: 1, text: "Where?".into() }));
        let mut ended = machine.clone();
        machine.feed(Input::Answered { text: Some("There.".into()) }).unwrap();
        assert_eq!((machine.phase(), machine.next()), (Phase::feature("one"), &Next::CallModel));
        ended.feed(Input::Answered { text: None }).unwrap();
        assert_eq!((ended.phase(), ended.next()), (Phase::feature("two"), &Next::CallModel));
    }

    #[test]
    fn prose_is_answered_with_a_nudge_until_the_tool_that_completes_the_loop_is_called() {
        let limits = MachineLimits { max_nudges: 1, max_tool_calls: 4, ..LIMITS };
        let kinds = [AnswerPhaseKind::Loop { until: Some("search") }, AnswerPhaseKind::Once(has_place)];
        let is_nudged = |machine: &Machine| {
            let last = machine.messages().last();
            machine.phase() == Phase::feature("one")
                && matches!(last, Some(Message::User { text }) if &**text == "Call `search`.")
        };
        let fails = |machine: &mut Machine| {
            let result = ToolResult { id: "0".into(), content: "too early".into(), is_error: true };
            machine
                .feed(Input::Tools { results: vec![ToolOutcome { result, effect: ToolEffect::None, refs: vec![] }] })
                .unwrap();
        };
        let mut machine = machine_with(limits, &kinds).with_nudge("Call `search`.".into());
        for _ in 0..2 {
            says(&mut machine, "Where is it?", 0).unwrap();
            assert!(is_nudged(&machine), "{:?}", machine.messages());
            says(&mut machine, "", 1).unwrap();
            fails(&mut machine);
        }
        says(&mut machine, "Where is it?", 0).unwrap();
        assert!(is_nudged(&machine), "a call that fails completes nothing");
        let mut silent = machine.clone();
        says(&mut silent, "Where is it?", 0).unwrap();
        assert_eq!((silent.phase(), silent.next()), (Phase::feature("two"), &Next::CallModel), "it gives up");
        says(&mut machine, "", 1).unwrap();
        found(&mut machine, "berth 7");
        says(&mut machine, "That is all.", 0).unwrap();
        assert_eq!((machine.phase(), machine.next()), (Phase::feature("two"), &Next::CallModel));
        let text = first_text(&machine);
        assert!(text.ends_with("Result:\nberth 7\n\nYou:\nThat is all.") && !text.contains("Call `search`."), "{text}");
    }

    #[test]
    fn a_later_phase_that_is_too_long_loses_old_results_and_then_fails() {
        let mut machine = searching();
        for result in ["old", "new"] {
            says(&mut machine, "", 1).unwrap();
            found(&mut machine, result);
        }
        says(&mut machine, "", 0).unwrap();
        machine.feed(Input::TooLong).unwrap();
        assert!(
            first_text(&machine).contains("new") && !first_text(&machine).contains("Result:\nold"),
            "{}",
            first_text(&machine)
        );
        machine.feed(Input::TooLong).unwrap();
        assert!(matches!(machine.next(), Next::Done(Outcome::Failed { .. })));
    }
}
