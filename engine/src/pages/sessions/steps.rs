//! Rendering of stored steps: tool calls with their answers, long texts excerpted.
//!
//! Steps unknown to this version are shown as logged, so that all logs stay readable.

use crate::{
    agents::{
        machine::{Input, ToolOutcome},
        record::RecordedStep,
    },
    sessions::StoredStep,
};
use domain::{SessionId, Timestamp, agent::ToolCall};
use protocol::{
    fence::holds_fenced,
    model::{StopReason, Thinking, ToolRequest, ToolResult},
};
use serde_json::Value;
use std::ops::Range;
use views::{CallRecord, Excerpt, StepContent, StepPart, StepView, ToolCallView, ToolResultView};

/// Parses the machine input of a step; none when unknown to this version.
fn input_of(step: &StoredStep) -> Option<Input> {
    RecordedStep::read(step).ok().map(|step| step.fed)
}

/// Returns the instruction text of a step, if it has one.
fn instruction(input: &Input) -> Option<&str> {
    match input {
        Input::Opened { text, .. } => Some(text),
        Input::Pack { pack } => Some(&pack.text),
        Input::Pairs { pairs } => Some(&pairs.text),
        _ => None,
    }
}

/// Excerpter of long texts, with links to the whole.
#[derive(Clone, Copy)]
struct Excerpter {
    session: SessionId,
    max_chars: usize,
}

impl Excerpter {
    fn cut(self, text: &str, whole: Option<(u32, StepPart)>) -> Excerpt {
        let chars = text.chars().count() as u64;
        let end = text.char_indices().nth(self.max_chars).map(|(at, _)| at);
        Excerpt {
            text: text[..end.unwrap_or(text.len())].to_owned(),
            chars,
            is_cut: end.is_some(),
            is_outside: holds_fenced(text),
            whole: whole.filter(|_| end.is_some()).map(|(step, part)| part.address(self.session, step)),
        }
    }
}

/// Renders the `stored` steps in `shown`. One step before them identifies the caller of the first answers, and one after holds
/// the last answers. Answers appear with their calls, which may be on the page before.
pub(super) fn render(
    session: SessionId,
    stored: &[StoredStep],
    calls: Vec<ToolCall>,
    shown: Range<usize>,
    max_chars: usize,
) -> Vec<StepView> {
    let excerpter = Excerpter { session, max_chars };
    let mut records = UnplacedCalls(calls.into_iter().map(Some).collect());
    let logged: Vec<_> = stored.iter().map(|step| (step, input_of(step))).collect();
    let mut steps = vec![];
    for (place, (step, input)) in logged.iter().enumerate().take(shown.end).skip(shown.start) {
        let answers = match logged.get(place + 1) {
            Some((next, Some(Input::Tools { results }))) => Answers::Stored(next.number, results),
            Some(_) => Answers::None,
            None => Answers::Coming(step.at),
        };
        let content = match input {
            Some(Input::Tools { .. }) if has_caller(&logged, place) => continue,
            Some(input) => draw(step.number, input, &answers, &mut records, excerpter),
            None => StepContent::Log { text: excerpter.cut(&logged_text(step), Some((step.number, StepPart::Log))) },
        };
        steps.push(StepView { number: step.number, at: step.at, content, model_calls: vec![] });
    }
    steps
}

/// Returns whether the previous step contains the calls that this one answers.
fn has_caller(logged: &[(&StoredStep, Option<Input>)], place: usize) -> bool {
    let before = place.checked_sub(1).map(|before| &logged[before].1);
    matches!(before, Some(Some(Input::Reply { reply })) if !reply.tool_calls.is_empty())
}

fn draw(number: u32, input: &Input, answers: &Answers<'_>, records: &mut UnplacedCalls, excerpter: Excerpter) -> StepContent {
    match input {
        Input::Pairs { pairs } if pairs.text.is_empty() => StepContent::Note { text: "No name needs a verdict.".to_owned() },
        Input::Unjudged { why } => {
            StepContent::Note { text: format!("Probable matches go to the review list without a verdict: {why}") }
        }
        Input::Opened { .. } | Input::Pack { .. } | Input::Pairs { .. } => {
            StepContent::Prompt { text: excerpter.cut(instruction(input).unwrap_or_default(), Some((number, StepPart::Text))) }
        }
        Input::Reply { reply } => StepContent::Reply {
            text: excerpter.cut(&reply.text, Some((number, StepPart::Text))),
            thinking: reply
                .thinking
                .iter()
                .enumerate()
                .map(|(at, thought)| excerpter.cut(&thought_text(thought), Some((number, StepPart::Thinking(at)))))
                .collect(),
            calls: reply
                .tool_calls
                .iter()
                .enumerate()
                .map(|(at, call)| ToolCallView {
                    tool: call.name.clone(),
                    arguments: excerpter.cut(&pretty(&call.arguments), Some((number, StepPart::Arguments(at)))),
                    answer: answers.answer(at, call, records, excerpter),
                })
                .collect(),
            tokens_in: reply.usage.tokens_in,
            tokens_out: reply.usage.tokens_out,
            flaw: match reply.stop {
                StopReason::MaxTokens => Some("The answer reached its maximum length.".to_owned()),
                StopReason::Refused => Some("The model or its provider's filter refused.".to_owned()),
                StopReason::EndTurn | StopReason::ToolUse => None,
            },
        },
        Input::Noted => StepContent::Note { text: "Some documents were not recorded; see the investigation log.".to_owned() },
        Input::Answered { text } => StepContent::Note {
            text: text.as_ref().map_or_else(|| "The person ended the questions.".to_owned(), |text| text.to_string()),
        },
        Input::Unreadable { why } => StepContent::Note { text: format!("Unusable answer: {why}") },
        Input::TooLong => StepContent::Note { text: "The conversation was too long for the model.".to_owned() },
        Input::Tools { results } => StepContent::ProgramCalls {
            calls: results
                .iter()
                .enumerate()
                .map(|(at, outcome)| records.own_call(number, at, &outcome.result, excerpter))
                .collect(),
        },
    }
}

/// Location of the answers to a step's calls.
enum Answers<'a> {
    /// In the step after it.
    Stored(u32, &'a [ToolOutcome]),
    /// Pending since then.
    Coming(Timestamp),
    /// No answers.
    None,
}

impl Answers<'_> {
    fn answer(
        &self,
        at: usize,
        call: &ToolRequest,
        records: &mut UnplacedCalls,
        excerpter: Excerpter,
    ) -> Option<ToolResultView> {
        match self {
            Self::None => None,
            Self::Stored(step, results) => {
                let result = &results.get(at)?.result;
                let record = records.take(|record| record.tool == call.name && *record.result == *result.content);
                Some(render_answer(*step, at, result, record.as_ref(), excerpter))
            }
            Self::Coming(since) => {
                let record = records.take(|record| {
                    record.called_at >= *since && record.tool == call.name && record.arguments == call.arguments
                })?;
                Some(ToolResultView {
                    result: excerpter.cut(&record.result, None),
                    is_error: record.is_error,
                    record: Some(noted(&record, None, excerpter)),
                })
            }
        }
    }
}

/// Recorded calls not matched to a step yet, oldest first.
struct UnplacedCalls(Vec<Option<ToolCall>>);

impl UnplacedCalls {
    fn take(&mut self, is_it: impl Fn(&ToolCall) -> bool) -> Option<ToolCall> {
        self.0.iter_mut().find(|record| record.as_ref().is_some_and(&is_it))?.take()
    }

    /// Renders a call by the program itself; only its record names the tool.
    fn own_call(&mut self, step: u32, at: usize, result: &ToolResult, excerpter: Excerpter) -> ToolCallView {
        let record = self.take(|record| *record.result == *result.content);
        let arguments = record.as_ref().map(|record| excerpter.cut(&pretty(&record.arguments), None));
        ToolCallView {
            tool: record.as_ref().map_or_else(|| "tool".to_owned(), |record| record.tool.clone()),
            arguments: arguments.unwrap_or_default(),
            answer: Some(render_answer(step, at, result, record.as_ref(), excerpter)),
        }
    }
}

/// Renders result `at` of a stored step.
fn render_answer(step: u32, at: usize, result: &ToolResult, record: Option<&ToolCall>, excerpter: Excerpter) -> ToolResultView {
    ToolResultView {
        result: excerpter.cut(&result.content, Some((step, StepPart::Result(at)))),
        is_error: result.is_error,
        record: record.map(|record| noted(record, Some((step, StepPart::Raw(at))), excerpter)),
    }
}

fn noted(call: &ToolCall, whole: Option<(u32, StepPart)>, excerpter: Excerpter) -> CallRecord {
    let raw = call.raw.as_ref().map(|raw| Excerpt { is_outside: holds_fenced(&call.result), ..excerpter.cut(raw, whole) });
    CallRecord { from_cache: call.from_cache, latency: call.latency, reflection: call.reflection.clone(), raw }
}

/// Returns the raw result behind result `at` of a step, from the `calls` of its session.
pub(super) fn raw_result(step: &StoredStep, at: usize, calls: Vec<ToolCall>) -> Option<String> {
    let Input::Tools { results } = input_of(step)? else { return None };
    let shown = &results.get(at)?.result.content;
    calls.into_iter().rev().find(|call| *call.result == **shown).and_then(|call| call.raw)
}

/// Returns a whole text of a step, if present.
pub(super) fn part(step: &StoredStep, part: StepPart) -> Option<String> {
    if part == StepPart::Log {
        return Some(logged_text(step));
    }
    match (input_of(step)?, part) {
        (Input::Reply { reply }, StepPart::Text) => Some(reply.text.to_string()),
        (Input::Reply { reply }, StepPart::Thinking(at)) => reply.thinking.get(at).map(thought_text),
        (Input::Reply { reply }, StepPart::Arguments(at)) => reply.tool_calls.get(at).map(|call| pretty(&call.arguments)),
        (Input::Tools { results }, StepPart::Result(at)) => results.get(at).map(|outcome| outcome.result.content.to_string()),
        (input, StepPart::Text) => instruction(&input).map(str::to_owned),
        _ => None,
    }
}

/// Returns the readable text of a thought; providers may encrypt it.
fn thought_text(thought: &Thinking) -> String {
    let words = ["thinking", "text", "reasoning", "reasoning_content"];
    let readable = words.iter().find_map(|key| thought.block.get(key)?.as_str()).or(thought.block.as_str());
    readable.filter(|text| !text.is_empty()).unwrap_or("The provider does not show this thought.").to_owned()
}

fn logged_text(step: &StoredStep) -> String {
    serde_json::from_str::<Value>(&step.input).map_or_else(|_| step.input.clone(), |value| pretty(&value))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

#[cfg(test)]
mod tests;
