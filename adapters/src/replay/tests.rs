//! Tests of replay: ids, nonces, days, prompts and tools do not affect the match of a request, and differences are named.

use super::*;
use protocol::{
    fence::fence,
    model::{Message, OutputSchema, ToolResult, ToolSchema},
};
use serde_json::json;
use std::sync::Arc;

const ONE: &str = "01a20622-a8ff-7321-b7e8-14b565aacf54";
const OTHER: &str = "01a20622-b000-7321-b7e8-14b565aacf54";

/// An extraction of one document under `id`, by a run with this nonce.
fn extraction(id: &str, nonce: &str, text: &str) -> ModelRequest {
    let about = r#"{"title":"The gate","outlet":"Quay Radio","published":null,"language":"en"}"#;
    let pack = format!("Document {id}\n{}", fence(&format!("{about}\n{text}"), nonce));
    ModelRequest {
        role: AgentRole::Processor,
        system: "You record what documents state.".into(),
        messages: vec![Message::User { text: pack.into() }],
        tools: Arc::from([]),
        max_output_tokens: 100,
        output_schema: Some(Arc::new(OutputSchema { name: "batch_extract".into(), schema: json!({"type": "object"}) })),
        progress: None,
    }
}

/// The second turn of an Analyst, on `day`, where a search has given `result`.
fn analysis(day: &str, call: &str, result: &str) -> ModelRequest {
    let search = ToolRequest { id: call.into(), name: "search_claims".into(), arguments: json!({"query": "gate"}) };
    let given = ToolResult { id: call.into(), content: result.into(), is_error: false };
    ModelRequest {
        role: AgentRole::Analyst,
        system: "You are the Analyst.".into(),
        messages: vec![
            Message::User { text: format!("Question: Who?\nCycle: 1\nToday: {day} (UTC)").into() },
            Message::Assistant { text: "".into(), tool_calls: vec![search], thinking: vec![] },
            Message::Tools { results: vec![given] },
        ],
        tools: Arc::from([ToolSchema { name: "search_claims".into(), description: "Finds.".into(), input_schema: json!({}) }]),
        max_output_tokens: 100,
        output_schema: None,
        progress: None,
    }
}

fn reply(text: &str, tool_calls: Vec<ToolRequest>) -> ModelReply {
    let stop = if tool_calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
    ModelReply { text: text.into(), tool_calls, stop, usage: Usage::default(), thinking: vec![] }
}

fn played(calls: &[(ModelRequest, ModelReply)]) -> Replay {
    let recording = Recording::new("Who?", "a model", calls.iter().map(|(request, reply)| (request, reply)));
    Replay::new(Recording::read(&recording.write().unwrap()).unwrap())
}

#[tokio::test]
async fn a_reply_names_the_ids_of_the_run_that_it_is_played_in() {
    let answer = |id: &str| format!(r#"{{"documents":[{{"document_id":"{id}"}}]}}"#);
    let nonces = ["01a2062366d7701db88fa00b42b9e1ca", "01a2062366d7701db88fa00cbf763d03"];
    let replay = played(&[(extraction(ONE, nonces[0], "It broke."), reply(&answer(ONE), vec![]))]);
    let again = replay.call(&extraction(OTHER, nonces[1], "It broke.")).await.unwrap();
    assert_eq!((&*again.text, again.stop), (answer(OTHER).as_str(), StopReason::EndTurn));
    let mut in_view = extraction(ONE, nonces[0], "It broke.");
    let Message::User { text } = &mut in_view.messages[0] else { panic!() };
    *text = format!("{text}\n\nQuestion in view: Who pays?").into();
    assert_eq!(&*replay.call(&in_view).await.unwrap().text, answer(ONE), "the question changes nothing that is stated");
    let changed = replay.call(&extraction(ONE, nonces[0], "It held.")).await.unwrap_err().to_string();
    assert!(changed.contains("the document 'Quay Radio: The gate' has changed"), "{changed}");
}

#[test]
fn a_recording_dissents_only_with_a_recorded_dissent() {
    let request = extraction(ONE, "01a2062366d7701db88fa00b42b9e1ca", "It broke.");
    let dissent = ModelRequest { role: AgentRole::Dissenter, ..request.clone() };
    assert!(!played(&[(request, reply("{}", vec![]))]).can_dissent());
    assert!(played(&[(dissent, reply("{}", vec![]))]).can_dissent());
}

#[tokio::test]
async fn a_recorded_dissent_answers_the_same_assessment_in_another_layout() {
    let role = AgentRole::Dissenter;
    let dissent = |text: &str| ModelRequest { role, ..extraction(ONE, "01a2062366d7701db88fa00b42b9e1ca", text) };
    let replay = played(&[(dissent("Answers: H1."), reply(r#"{"citations":[1]}"#, vec![]))]);
    let mut again = dissent("As of: 2031. Answers: H1.");
    assert_eq!(&*replay.call(&again).await.unwrap().text, r#"{"citations":[1]}"#);
    again.messages.push(Message::User { text: "There is no citation [1].".into() });
    assert!(replay.call(&again).await.is_err(), "only the first request is made by the program alone");
    let other = ModelRequest { role: AgentRole::Analyst, ..dissent("Answers: H1.") };
    assert!(replay.call(&other).await.is_err());
}

#[tokio::test]
async fn dates_and_times_of_earlier_assessments_do_not_change_a_request() {
    let found = |moment: &str| format!(r#"{{"assessments":[{{"ref":"a1","created_at":"{moment}"}}]}}"#);
    let orders = vec![ToolRequest { id: "x".into(), name: "read_passage".into(), arguments: json!({"claim_id": "c1"}) }];
    let first = analysis("2031-04-03", "call_1", &found("2031-04-03T10:00:00Z"));
    let replay = played(&[(first, reply("I read on.", orders))]);
    let again = replay.call(&analysis("2032-01-01", "call_2", &found("2032-01-01T00:00:00Z"))).await.unwrap();
    assert_eq!((&*again.text, again.stop), ("I read on.", StopReason::ToolUse));
    assert_eq!(
        (again.tool_calls[0].name.as_str(), &again.tool_calls[0].arguments),
        ("read_passage", &json!({"claim_id": "c1"}))
    );
}

#[tokio::test]
async fn a_recording_plays_where_the_web_is_off_and_on_its_documents_alone() {
    let recorded = analysis("2031-04-03", "call_1", "{}");
    let replay = played(&[(recorded.clone(), reply("Done.", vec![]))]);
    let scoped = |scope: &str| {
        let mut request = recorded.clone();
        let Message::User { text } = &mut request.messages[0] else { panic!() };
        *text = format!("{text}\n{scope}").into();
        request
    };
    for documents in ["the whole library", "only files and pages given with the question"] {
        let scope = format!("Scope: {documents}; without the web.");
        assert_eq!(&*replay.call(&scoped(&scope)).await.unwrap().text, "Done.", "{scope}");
    }
    assert!(replay.call(&scoped("Scope: the whole library; without the web; quick.")).await.is_err());
}

#[tokio::test]
async fn a_refusal_names_what_has_changed() {
    let recorded = analysis("2031-04-03", "call_1", "{}");
    let replay = played(&[(recorded.clone(), reply("Done.", vec![]))]);
    let refusal = async |change: &dyn Fn(&mut ModelRequest)| {
        let mut request = recorded.clone();
        change(&mut request);
        replay.call(&request).await.unwrap_err().to_string()
    };
    let result = refusal(&|request| request.messages = analysis("2031-04-03", "call_1", "[]").messages).await;
    assert!(result.contains("the tools answer otherwise at message 3 (search_claims)"), "{result}");
    let role = refusal(&|request| request.role = AgentRole::Processor).await;
    assert!(role.contains("no call of the kind 'processor'"), "{role}");
    assert!([result, role].iter().all(|text| text.ends_with("docs/recordings.md says how to record again")));
}

#[tokio::test]
async fn edited_prompts_and_tools_change_no_reply_and_the_recording_keeps_its_own() {
    let recorded = analysis("2031-04-03", "call_1", "{}");
    let replay = played(&[(recorded.clone(), reply("Done.", vec![]))]);
    let new_tool = ToolSchema { name: "find_paths".into(), description: "Finds paths.".into(), input_schema: json!({}) };
    let edited = ModelRequest { system: "You are another.".into(), tools: Arc::from([new_tool]), ..recorded.clone() };
    assert_eq!(&*replay.call(&edited).await.unwrap().text, "Done.");
    let own = engine::evidence::sha256_hex(recorded.system.as_bytes());
    assert_eq!(replay.prompt_hashes().unwrap(), [("analyst".to_owned(), own)].into());
    let again = Recording::new("Who?", "another", [(&edited, &reply("Done.", vec![]))]).with_prompts_of(&replay.recording);
    assert_eq!(again, replay.recording, "a recording of a replay says what the model was given");
}

#[tokio::test]
async fn a_recording_in_order_gives_the_next_reply_of_the_kind_to_any_request() {
    let turn = |result: &str| analysis("2031-04-03", "call_1", result);
    let calls = [(turn("[1]"), reply("First.", vec![])), (turn("[2]"), reply("Second.", vec![]))];
    let replay = Replay::in_order(played(&calls).recording);
    let other = turn("[3]");
    assert_eq!(&*replay.call(&other).await.unwrap().text, "First.");
    assert_eq!(&*replay.call(&other).await.unwrap().text, "Second.");
    assert!(replay.call(&other).await.is_err(), "the recording has only two");
}

#[test]
fn a_file_of_another_format_is_no_recording() {
    let text =
        r#"{"format":"autosint.recording.v9","question":"","model":"","prompts":{},"schemas":{},"documents":{},"calls":[]}"#;
    assert!(matches!(Recording::read(text), Err(BadRecording::Format(format)) if format.ends_with("v9")));
}
