mod extraction;

use super::*;
use domain::{AssessmentId, DocumentId};
use protocol::{
    model::{StopReason, ToolRequest, ToolResult},
    pack::{Pack, Portion},
    tools::ItemError,
};
use serde_json::json;

const LIMITS: MachineLimits = MachineLimits {
    max_tool_calls: 4,
    max_malformed_calls: 3,
    max_planned_queries: 2,
    max_nudges: 0,
    batch_chars: 1_000,
    batch_documents: 2,
    judge_pairs: 0,
    max_questions: 0,
};

fn says(text: &str) -> Input {
    reply(text, 0)
}

fn reply(text: &str, calls: u32) -> Input {
    stopped(text, calls, if calls == 0 { StopReason::EndTurn } else { StopReason::ToolUse })
}

fn stopped(text: &str, calls: u32, stop: StopReason) -> Input {
    let tool_calls = (0..calls).map(|n| ToolRequest { id: n.to_string(), name: "t".into(), arguments: json!({}) }).collect();
    let usage = Usage { tokens_in: 2, tokens_out: 1, ..Usage::default() };
    Input::Reply { reply: ModelReply { text: text.into(), tool_calls, stop, usage, thinking: vec![] } }
}

fn results(effects: &[ToolEffect]) -> Input {
    let result = ToolResult { id: "0".into(), content: "r".into(), is_error: false };
    let outcomes = effects.iter().map(|effect| ToolOutcome { result: result.clone(), effect: effect.clone(), refs: vec![] });
    Input::Tools { results: outcomes.collect() }
}

fn opened() -> Input {
    Input::Opened { text: "go".into(), refs: vec![], given: None }
}

fn fed(finish: Finish, inputs: Vec<Input>) -> Machine {
    let mut machine = Machine::new(finish, LIMITS);
    for input in std::iter::once(opened()).chain(inputs) {
        machine.feed(input).unwrap();
    }
    machine
}

fn check_analyst(inputs: Vec<Input>, expect: Next) {
    assert_eq!(*fed(Finish::Product, inputs).next(), expect);
}

/// Processor that knows the sources.
fn processor(inputs: Vec<Input>) -> Machine {
    fed(Finish::Records, std::iter::once(results(&[ToolEffect::None])).chain(inputs).collect())
}

fn document(n: u128) -> DocumentId {
    DocumentId(uuid::Uuid::from_u128(n))
}

fn found(documents: &[u128], next_offset: Option<u64>) -> ToolEffect {
    let documents = documents.iter().map(|n| FoundDocument { document_id: document(*n), text_bytes: 400 });
    ToolEffect::Found { documents: documents.collect(), next_offset, as_of: Some(7) }
}

fn plan(queries: serde_json::Value) -> Input {
    says(&json!({"plan": "look", "queries": queries}).to_string())
}

fn query(offset: u64, limit: u32) -> serde_json::Value {
    query_as_of(None, offset, limit)
}

fn query_as_of(as_of: Option<u64>, offset: u64, limit: u32) -> serde_json::Value {
    json!({"source_id": "documents", "query_params": {"query": null, "as_of": as_of, "offset": offset, "limit": limit}})
}

fn pack(documents: &[u128]) -> Input {
    Input::Pack { pack: Pack { documents: documents.iter().map(|n| document(*n)).collect(), text: "texts".into() } }
}

fn extracted(documents: &[(u128, &str)]) -> Input {
    became(documents, false)
}

/// Extraction results of documents; with an error, `recorded` says whether anything was recorded.
fn became(documents: &[(u128, &str)], recorded: bool) -> Input {
    let documents = documents.iter().map(|(n, error)| {
        let errors =
            if error.is_empty() { vec![] } else { vec![ItemError { item: "claim c1".into(), error: (*error).into() }] };
        let note = if error.is_empty() { String::new() } else { format!("note on {error}") };
        ExtractedDocument { document_id: document(*n), recorded, errors, note }
    });
    results(&[ToolEffect::Extracted { documents: documents.collect() }])
}

/// An answer with an entry for each of these documents, which has one claim.
fn answer(documents: &[u128]) -> Input {
    let entries = documents.iter().map(|n| json!({"document_id": document(*n), "claims": [{"ref": "c1", "quote": "old"}]}));
    says(&json!({"documents": entries.collect::<Vec<_>>()}).to_string())
}

/// Processor that found these documents and ended its research.
fn extracting(documents: &[u128], inputs: Vec<Input>) -> Machine {
    let research = vec![plan(json!([query(0, 9)])), results(&[found(documents, None)]), says("read.")];
    processor(research.into_iter().chain(inputs).collect())
}

fn ids(documents: &[u128]) -> Vec<DocumentId> {
    documents.iter().map(|n| document(*n)).collect()
}

fn whole(documents: &[u128]) -> Portion {
    Portion { documents: ids(documents), part: None }
}

#[test]
fn an_analyst_that_only_talks_is_empty() {
    let why: String = "only text came, without work orders or an assessment".into();
    check_analyst(vec![says("hm")], Next::Done(Outcome::Empty { why: why.clone() }));
    let mut machine = Machine::new(Finish::Product, MachineLimits { max_nudges: 1, ..LIMITS }).with_nudge("Call.".into());
    for input in [opened(), reply("", 1), results(&[ToolEffect::None]), says("hm")] {
        machine.feed(input).unwrap();
    }
    assert_eq!(*machine.next(), Next::CallModel, "it is told once");
    assert!(matches!(machine.messages().last(), Some(Message::User { text }) if &**text == "Call."));
    let mut again = machine.clone();
    again.feed(says("hm")).unwrap();
    assert_eq!(*again.next(), Next::Done(Outcome::Empty { why }));
    machine.feed(reply("", 1)).unwrap();
    assert!(matches!(machine.next(), Next::CallTools(_)), "and goes on");
}

#[test]
fn a_plan_that_cannot_be_read_is_asked_for_again_and_then_the_library_is_read() {
    for unreadable in [says("I will look."), Input::Unreadable { why: "no JSON".into() }] {
        for (order, items, first) in [
            ("Work order: Find the ferry at Lindholm.", 4, vec![json!(null)]),
            (
                "Work order: Find the ferry at Lindholm.\nSource guidance: documents about it",
                500,
                vec![json!("ferry"), json!("Lindholm")],
            ),
        ] {
            let mut machine = ordered(order, items);
            machine.feed(unreadable.clone()).unwrap();
            assert_eq!((machine.phase(), machine.next()), (Phase::Plan, &Next::CallModel));
            let Some(Message::User { text }) = machine.messages().last() else { panic!() };
            assert!(text.contains("could not be used") && text.contains("`queries`"), "{text}");
            let mut mended = machine.clone();
            mended.feed(plan(json!([query(0, 9)]))).unwrap();
            assert!(matches!(mended.next(), Next::CallTools(asked) if asked[0].arguments["query_params"]["limit"] == 9));
            machine.feed(unreadable.clone()).unwrap();
            let Next::CallTools(asked) = machine.next() else { panic!("{:?}", machine.next()) };
            let asked: Vec<_> = asked.iter().map(|call| call.arguments["query_params"]["query"].clone()).collect();
            assert_eq!(asked, first, "{order}");
            machine.feed(results(&asked.iter().map(|_| found(&[1], None)).collect::<Vec<_>>())).unwrap();
            machine.feed(says("read.")).unwrap();
            assert_eq!(*machine.next(), Next::ReadPack(whole(&[1])));
        }
    }
}

#[test]
fn an_order_without_a_plan_reads_the_library_or_reports_the_missing_plan() {
    let mut machine = ordered("Work order: Find the ferry", 500);
    for input in [plan(json!([])), says("Nothing is there.")] {
        machine.feed(input).unwrap();
    }
    assert!(matches!(machine.next(), Next::CallTools(asked) if asked[0].name == "fetch_source_query"), "{:?}", machine.next());
    let mut machine = ordered("Work order: x\nSource guidance: source gdelt: lock", 500);
    for input in [says("I look."), says("I look."), says("Nothing is there.")] {
        machine.feed(input).unwrap();
    }
    let Next::Done(Outcome::Failed { why }) = machine.next() else { panic!("{:?}", machine.next()) };
    assert!(why.contains("not a JSON object with `plan` and `queries`"), "{why}");
}

#[test]
fn staged_orders_end_with_the_text_that_follows() {
    let inputs = vec![reply("", 1), results(&[ToolEffect::OrderStaged]), says("sent")];
    check_analyst(inputs, Next::Done(Outcome::OrdersCreated));
}

#[test]
fn the_last_order_ends_the_session_unless_another_was_refused() {
    let effects = [ToolEffect::OrderStaged, ToolEffect::LastOrderStaged];
    check_analyst(vec![reply("", 2), results(&effects)], Next::Done(Outcome::OrdersCreated));
    let mut machine = fed(Finish::Product, vec![reply("", 2)]);
    let last = ToolOutcome {
        result: ToolResult { id: "0".into(), content: "".into(), is_error: false },
        effect: ToolEffect::LastOrderStaged,
        refs: vec![],
    };
    machine.feed(Input::Tools { results: vec![last, ToolOutcome::refused("1", "there is no entity e9")] }).unwrap();
    assert_eq!(*machine.next(), Next::CallModel);
}

#[test]
fn an_assessment_ends_the_session_at_once() {
    let assessment_id = AssessmentId(uuid::Uuid::nil());
    let inputs = vec![reply("", 1), results(&[ToolEffect::AssessmentProduced(assessment_id)])];
    check_analyst(inputs, Next::Done(Outcome::AssessmentProduced { assessment_id }));
}

#[test]
fn a_session_remembers_that_findings_were_returned() {
    let mut machine = Machine::new(Finish::Product, LIMITS);
    let inputs = [
        Input::Opened { text: "Question".into(), refs: vec![], given: None },
        reply("", 1),
        results(&[ToolEffect::FindingsReturned]),
        reply("", 1),
    ];
    let remembered = inputs.map(|input| {
        machine.feed(input).unwrap();
        machine.findings_returned()
    });
    assert_eq!(remembered, [false, false, true, true]);
}

#[test]
fn three_malformed_calls_in_a_row_end_it_and_a_good_one_between_clears_the_count() {
    let bad = || vec![reply("", 1), results(&[ToolEffect::Malformed])];
    let good = || vec![reply("", 1), results(&[ToolEffect::None])];
    let why: String = "3 malformed tool calls in a row; the last: r".into();
    check_analyst([bad(), bad(), bad()].concat(), Next::Done(Outcome::Empty { why: why.clone() }));
    let unplanned = || vec![plan(json!([]))];
    let ended = processor([unplanned(), bad(), bad(), bad()].concat());
    assert_eq!(*ended.next(), Next::Done(Outcome::Failed { why }));
    assert_eq!(*processor([unplanned(), bad(), bad(), good(), bad()].concat()).next(), Next::CallModel);
}

#[test]
fn the_call_limit_ends_it() {
    let why: String = "more than 4 tool calls".into();
    check_analyst(vec![reply("", 5)], Next::Done(Outcome::Empty { why: why.clone() }));
    assert_eq!(*processor(vec![plan(json!([])), reply("", 5)]).next(), Next::Done(Outcome::Failed { why }));
}

#[test]
fn unexpected_inputs_are_refused() {
    let mut machine = Machine::new(Finish::Product, LIMITS);
    assert_eq!(machine.feed(results(&[ToolEffect::None])), Err(UnexpectedInput));
    machine.feed(opened()).unwrap();
    assert_eq!(machine.feed(pack(&[1])), Err(UnexpectedInput));
}

#[test]
fn a_conversation_that_is_too_long_is_shortened_once() {
    let machine = fed(Finish::Product, vec![reply("", 1), results(&[ToolEffect::None]), Input::TooLong]);
    assert_eq!(*machine.next(), Next::CallModel);
    let Message::Tools { results } = &machine.messages()[2] else { panic!() };
    assert!(results[0].content.contains("left out"), "{results:?}");
    let mut again = machine.clone();
    again.feed(Input::TooLong).unwrap();
    assert!(matches!(again.next(), Next::Done(Outcome::Empty { .. })));
}

#[test]
fn a_plan_is_made_before_anything_is_found_and_asked_to_its_end() {
    let machine = processor(vec![]);
    assert_eq!((machine.phase(), machine.messages().len()), (Phase::Plan, 1));
    let mut machine = processor(vec![plan(json!([query(4, 9), query(40, 1), query(50, 1)]))]);
    let Next::CallTools(asked) = machine.next() else { panic!() };
    assert_eq!(asked.len(), 2, "the third is over the limit of a plan");
    machine.feed(results(&[found(&[1, 2], Some(6)), found(&[3], None)])).unwrap();
    let Next::CallTools(asked) = machine.next() else { panic!() };
    assert_eq!(asked.iter().map(|request| request.arguments.clone()).collect::<Vec<_>>(), [query_as_of(Some(7), 6, 7)]);
    machine.feed(results(&[found(&[4], None)])).unwrap();
    assert_eq!((machine.phase(), machine.next()), (Phase::Research, &Next::CallModel));
    let [Message::User { text }] = machine.messages() else { panic!("research begins with a briefing of its own") };
    assert!(text.starts_with("go") && text.contains("Plan:\nlook") && text.contains("\"offset\":6"), "{text}");
}

/// Processor with this order and a library of `items` documents.
fn ordered(order: &str, items: u64) -> Machine {
    let mut machine = Machine::new(Finish::Records, LIMITS);
    let library = json!({"id": "documents", "name": "Documents", "description": "", "items": items});
    let result = ToolResult { id: "0".into(), content: json!({"sources": [library]}).to_string().into(), is_error: false };
    machine.feed(Input::Opened { text: order.into(), refs: vec![], given: None }).unwrap();
    machine.feed(Input::Tools { results: vec![ToolOutcome { result, effect: ToolEffect::None, refs: vec![] }] }).unwrap();
    machine
}

#[test]
fn an_order_that_names_its_part_of_the_library_needs_neither_plan_nor_research() {
    for (order, items) in [
        ("Work order: x\nSource guidance: documents as_of=7 offset=4 limit=9", 500),
        ("Work order: x\nSource guidance: documents unread", 500),
        ("Work order: x\nSource guidance: documents", 2),
        ("Work order: x", 2),
    ] {
        let mut machine = ordered(order, items);
        assert!(matches!(machine.next(), Next::CallTools(asked) if asked[0].name == "fetch_source_query"), "{order}");
        machine.feed(results(&[found(&[1], None)])).unwrap();
        assert_eq!(*machine.next(), Next::ReadPack(whole(&[1])), "{order}");
    }
    for order in [
        "Work order: x",
        "Work order: x\nSource guidance: documents on the lock",
        "Work order: x\nSource guidance: documents unread\nSource guidance: source gdelt: lock",
        "Work order: see https://a.example/\nSource guidance: documents unread",
    ] {
        assert_eq!(*ordered(order, 500).next(), Next::CallModel, "{order}");
    }
}

#[test]
fn an_order_that_names_documents_reads_them_alone() {
    let (one, two) = (document(1), document(2));
    let machine = ordered(&format!("Work order: x\nSource guidance: documents {one} {two}"), 500);
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[1])));
    let mut machine =
        ordered(&format!("Work order: x\nSource guidance: documents {one}\nSource guidance: documents unread"), 500);
    machine.feed(results(&[found(&[2], None)])).unwrap();
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[1])), "and what else the order names");
    let mut machine =
        ordered(&format!("Work order: x\nSource guidance: documents {one}\nSource guidance: source gdelt: lock"), 500);
    assert_eq!(*machine.next(), Next::CallModel, "a source needs a plan");
    machine.feed(plan(json!([]))).unwrap();
    machine.feed(says("Done.")).unwrap();
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[1])));
}

#[test]
fn a_failed_library_search_is_left_to_research() {
    let mut machine = ordered("Work order: x\nSource guidance: documents unread", 500);
    machine.feed(Input::Tools { results: vec![ToolOutcome::refused("plan-0", "away")] }).unwrap();
    assert_eq!((machine.phase(), machine.next()), (Phase::Research, &Next::CallModel));
}
