//! Tests of step rendering.

use super::*;
use crate::agents::record::{MachineRequest, RecordedStep};
use domain::{InvestigationId, ToolCallId, agent::ToolLatency};
use serde_json::json;
use uuid::Uuid;

const SESSION: SessionId = SessionId(Uuid::nil());

fn at(number: u32) -> Timestamp {
    Timestamp::from_micros(i64::from(number) * 10)
}

/// A step as the engine stores it.
fn stored(number: u32, input: Value) -> StoredStep {
    let step = RecordedStep { asked: MachineRequest::Nothing, fed: serde_json::from_value(input).unwrap() };
    step.stored(number, at(number)).unwrap()
}

fn reply(number: u32, text: &str, tools: &[&str]) -> StoredStep {
    let calls: Vec<_> = tools.iter().map(|name| json!({"id": name, "name": name, "arguments": {"query": name}})).collect();
    stored(number, json!({"input": "reply", "reply": {"text": text, "tool_calls": calls, "stop": "tool_use"}}))
}

fn tools(number: u32, results: &[&str]) -> StoredStep {
    let results: Vec<_> = results
        .iter()
        .map(|text| json!({"result": {"id": "1", "content": text, "is_error": false}, "effect": "none"}))
        .collect();
    stored(number, json!({"input": "tools", "results": results}))
}

fn call(tool: &str, result: &str, at: i64) -> ToolCall {
    ToolCall {
        id: ToolCallId(Uuid::nil()),
        session_id: SESSION,
        investigation_id: Some(InvestigationId(Uuid::nil())),
        tool: tool.into(),
        source: None,
        arguments: json!({"query": tool}),
        result: result.into(),
        raw: Some(format!("raw {result}")),
        is_error: false,
        from_cache: true,
        latency: ToolLatency { cache_ms: 1, tool_ms: 2, reflection_ms: 0, total_ms: 3 },
        reflection: None,
        injection: None,
        called_at: Timestamp::from_micros(at),
    }
}

fn calls_of(step: &StepView) -> &[ToolCallView] {
    match &step.content {
        StepContent::Reply { calls, .. } => calls,
        other => panic!("{other:?}"),
    }
}

#[test]
fn answers_are_shown_with_their_calls_and_the_notes_of_the_gateway() {
    let log = [reply(0, "I look.", &["a", "b"]), tools(1, &["first", "second"]), reply(2, "Done.", &[])];
    // The first record is of an attempt cut off by a crash.
    let records = vec![call("a", "lost", 1), call("a", "first", 2), call("b", "second", 3)];
    let steps = render(SESSION, &log, records, 0..20, 100);
    assert_eq!(steps.iter().map(|step| step.number).collect::<Vec<_>>(), [0, 2]);
    let answers: Vec<_> = calls_of(&steps[0]).iter().map(|call| call.answer.clone().unwrap()).collect();
    assert_eq!(answers.iter().map(|answer| answer.result.text.as_str()).collect::<Vec<_>>(), ["first", "second"]);
    assert!(answers.iter().all(|answer| answer.record.as_ref().is_some_and(|record| record.from_cache)));
    let raw = answers[0].record.as_ref().unwrap().raw.as_ref().unwrap();
    assert_eq!(raw.text, "raw first");
    let calls = || vec![call("a", "first", 2), call("b", "second", 3)];
    assert_eq!(raw_result(&log[1], 1, calls()).as_deref(), Some("raw second"));
    assert_eq!((raw_result(&log[1], 2, calls()), raw_result(&log[0], 0, calls())), (None, None));
}

#[test]
fn a_page_that_ends_between_call_and_answer_shows_the_answer_and_the_next_page_does_not() {
    let log = [reply(0, "", &["a"]), tools(1, &["one"]), reply(2, "", &["b"]), tools(3, &["two"]), reply(4, "", &[])];
    let first = render(SESSION, &log[..4], vec![], 0..3, 100);
    assert_eq!(first.last().map(|step| step.number), Some(2));
    assert_eq!(calls_of(&first[1])[0].answer.as_ref().unwrap().result.text, "two");
    let second = render(SESSION, &log[2..], vec![], 1..4, 100);
    assert_eq!(second.iter().map(|step| step.number).collect::<Vec<_>>(), [4]);
}

#[test]
fn calls_of_the_program_are_shown_with_their_records() {
    let log = [tools(0, &["the sources"]), reply(1, "I plan.", &[]), tools(2, &["what was found", "more"])];
    let records = vec![call("list_sources", "the sources", 1), call("fetch_source_query", "what was found", 15)];
    let steps = render(SESSION, &log, records.clone(), 0..20, 100);
    let called = |step: &StepView| match &step.content {
        StepContent::ProgramCalls { calls } => calls.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(called(&steps[0])[0].tool, "list_sources");
    let planned = called(&steps[2]);
    assert_eq!((planned[0].tool.as_str(), planned[0].arguments.is_cut), ("fetch_source_query", false));
    assert!(planned[0].answer.as_ref().unwrap().record.is_some());
    assert_eq!(planned[1].answer.as_ref().unwrap().result.text, "more", "one without a record is not lost");
    // On a page that begins with it too: the step before, which is not shown, called nothing.
    let second = render(SESSION, &log[1..], records, 1..20, 100);
    assert_eq!(called(&second[0])[0].tool, "fetch_source_query");
}

#[test]
fn calls_that_run_show_what_has_come_back_so_far() {
    let log = [reply(4, "", &["a", "b"])];
    let steps = render(SESSION, &log, vec![call("a", "old", 3), call("a", "new", 50)], 0..20, 100);
    let calls = calls_of(&steps[0]);
    assert_eq!(calls[0].answer.as_ref().unwrap().result.text, "new");
    assert_eq!(calls[1].answer, None);
}

#[test]
fn a_long_text_is_cut_at_a_character_and_leads_to_the_whole() {
    let log = [reply(0, "äöüß", &["a"]), tools(1, &["<outside-text nonce=\"1\">\nlong"])];
    let steps = render(SESSION, &log, vec![], 0..20, 3);
    let StepContent::Reply { text, calls, .. } = &steps[0].content else { panic!() };
    assert_eq!((text.text.as_str(), text.chars, text.is_outside), ("äöü", 4, false));
    assert_eq!(text.whole.as_deref(), Some(&*StepPart::Text.address(SESSION, 0)));
    assert_eq!(part(&log[0], StepPart::Text).as_deref(), Some("äöüß"));
    let result = &calls[0].answer.as_ref().unwrap().result;
    assert!(result.is_outside && result.whole.as_deref().unwrap().ends_with("/steps/1/result-0"));
    assert_eq!(part(&log[1], StepPart::Result(0)).as_deref(), Some("<outside-text nonce=\"1\">\nlong"));
    assert_eq!(part(&log[1], StepPart::Result(1)), None);
    assert_eq!(part(&log[1], StepPart::Text), None);
}

#[test]
fn a_step_of_another_version_is_shown_as_it_was_logged() {
    let dreamt = json!({"asked": "nothing", "fed": {"input": "dreamt", "of": "sheep"}});
    let log = [dreamt, json!(7)].map(|input| StoredStep { number: 0, at: at(0), input: input.to_string() });
    let steps = render(SESSION, &log, vec![], 0..20, 100);
    let texts: Vec<_> = steps
        .iter()
        .map(|step| match &step.content {
            StepContent::Log { text } => text.text.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(texts[0].contains("sheep") && texts[1] == "7", "{texts:?}");
}

#[test]
fn a_thought_is_shown_where_the_provider_lets_it_be_read() {
    let block = |block: Value| thought_text(&Thinking { by: "p:m".into(), block });
    assert_eq!(block(json!({"type": "thinking", "thinking": "Let me see.", "signature": "x"})), "Let me see.");
    assert!(block(json!({"type": "redacted_thinking", "data": "x"})).contains("does not show"));
}
