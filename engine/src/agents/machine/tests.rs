use super::*;
use domain::{AssessmentId, CollectionId, DocumentId, EntityId};
use protocol::{
    model::{StopReason, ToolRequest, ToolResult},
    pack::{Pack, Portion, TextPart},
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

#[test]
fn documents_are_packed_and_each_pack_is_its_own_conversation() {
    let mut machine = extracting(&[1, 2, 3, 2], vec![]);
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[1, 2])), "two of 400 fit, each once");
    machine.feed(pack(&[1, 2])).unwrap();
    assert_eq!((machine.phase(), machine.messages().len()), (Phase::Extract, 1));
    assert_eq!(
        machine.writable(),
        Some(WriteScope { documents: &ids(&[1, 2]), completes: true, is_last_try: false, verdicts: &[] })
    );
    machine.feed(says("```json\n{\"documents\": []}\n```")).unwrap();
    let Next::CallTools(asked) = machine.next() else { panic!() };
    assert_eq!((asked[0].name.as_str(), &asked[0].arguments), ("batch_extract", &json!({"documents": []})));
    machine.feed(extracted(&[(1, ""), (2, "")])).unwrap();
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[3])));
    machine.feed(pack(&[])).unwrap();
    let Next::Done(Outcome::Finished { text }) = machine.next() else { panic!("{:?}", machine.next()) };
    assert_eq!(&**text, "read. 2 documents recorded.");
}

#[test]
fn only_invalid_items_are_requested_again_and_then_left_out() {
    let first = vec![pack(&[1, 2]), answer(&[2]), became(&[(2, "no such quote")], true)];
    let mut machine = extracting(&[1, 2], first);
    let [Message::User { text }] = machine.messages() else { panic!("no text of documents is sent again") };
    assert!(text.contains("note on no such quote") && !text.contains("texts"), "{text}");
    assert_eq!(
        machine.writable(),
        Some(WriteScope { documents: &ids(&[2]), completes: true, is_last_try: true, verdicts: &[] })
    );

    let mended = json!({"documents": [{"document_id": document(2), "claims": [{"ref": "c1", "quote": "new"}, {"ref": "c2"}]}]});
    machine.feed(says(&mended.to_string())).unwrap();
    let Next::CallTools(asked) = machine.next() else { panic!() };
    assert_eq!(asked[0].arguments, mended, "in the place of what it mends");
    machine.feed(became(&[(2, "no such quote")], true)).unwrap();
    let left_out = RefusedDocument { document_id: document(2), reason: "1 claim (no such quote)".into(), in_part: true };
    assert_eq!(*machine.next(), Next::NoteRefused(vec![left_out]));
    machine.feed(Input::Noted).unwrap();
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[1])), "what the answer left out is read again by itself");
    for input in [pack(&[1]), says("{}"), extracted(&[])] {
        machine.feed(input).unwrap();
    }
    assert!(matches!(machine.next(), Next::NoteRefused(refused) if refused[0].reason == "the answer has no entry for it"));
    machine.feed(Input::Noted).unwrap();
    let Next::Done(Outcome::Finished { text }) = machine.next() else { panic!("{:?}", machine.next()) };
    assert_eq!(&**text, "read. 1 documents recorded. 2 could not be recorded whole.");
}

#[test]
fn a_useless_second_answer_keeps_the_records_of_the_first() {
    for useless in
        [says("I cannot."), stopped("{\"docu", 0, StopReason::MaxTokens), Input::TooLong, Input::Unreadable { why: "?".into() }]
    {
        let mut machine = extracting(&[1], vec![pack(&[1]), answer(&[1]), became(&[(1, "bad")], true), useless]);
        let Next::CallTools(asked) = machine.next() else { panic!("{:?}", machine.next()) };
        assert_eq!(asked[0].arguments["documents"][0]["claims"][0]["quote"], "old", "it is recorded as complete");
        machine.feed(became(&[(1, "bad")], true)).unwrap();
        machine.feed(Input::Noted).unwrap();
        assert!(matches!(machine.next(), Next::Done(Outcome::Finished { .. })));
    }
}

#[test]
fn an_oversized_pack_is_halved() {
    for too_much in [Input::TooLong, stopped("{\"docu", 0, StopReason::MaxTokens), stopped("", 0, StopReason::Refused)] {
        let mut machine = extracting(&[1, 2], vec![pack(&[1, 2]), too_much.clone()]);
        assert_eq!(*machine.next(), Next::ReadPack(whole(&[1])));
        machine.feed(pack(&[1])).unwrap();
        machine.feed(too_much).unwrap();
        let part = |number| Next::ReadPack(Portion { part: Some(TextPart { number, of: 2 }), ..whole(&[1]) });
        assert_eq!(*machine.next(), part(1), "one alone is halved itself");
        for (number, answer) in [(1, extracted(&[(1, "")])), (2, extracted(&[(1, "")]))] {
            assert_eq!(*machine.next(), part(number));
            machine.feed(pack(&[1])).unwrap();
            assert_eq!(machine.writable().unwrap().completes, number == 2);
            machine.feed(says("{}")).unwrap();
            machine.feed(answer).unwrap();
        }
        assert_eq!(*machine.next(), Next::ReadPack(whole(&[2])));
    }
}

#[test]
fn the_whole_items_of_a_cut_answer_are_kept_and_only_the_rest_is_asked_for_again() {
    let cut = |text: String| stopped(&text, 0, StopReason::MaxTokens);
    let entry =
        |n: u128, quote: &str| json!({"document_id": document(n), "claims": [{"ref": "c1", "quote": quote}]}).to_string();
    // A whole document is recorded, and the other one read alone.
    let mut machine = extracting(&[1, 2], vec![pack(&[1, 2]), cut(format!("{{\"documents\":[{},{{\"docum", entry(1, "a")))]);
    let Next::CallTools(asked) = machine.next() else { panic!("{:?}", machine.next()) };
    assert_eq!(asked[0].arguments["documents"].as_array().map(Vec::len), Some(1));
    assert_eq!(machine.writable().unwrap().documents, ids(&[1]));
    machine.feed(extracted(&[(1, "")])).unwrap();
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[2])));
    machine.feed(pack(&[2])).unwrap();
    // One that was begun is continued, as often as it is cut with something new.
    let begun = |quote: &str| {
        let id = document(2);
        cut(format!(r#"{{"documents":[{{"document_id":"{id}","claims":[{{"ref":"c1","quote":"{quote}"}},{{"ref":"c9","quo"#))
    };
    for quote in ["a", "b"] {
        machine.feed(begun(quote)).unwrap();
        let Some(Message::User { text }) = machine.messages().last() else { panic!() };
        assert!(machine.next() == &Next::CallModel && text.ends_with(&document(2).to_string()), "{text}");
    }
    let (mut endless, mut lost) = (machine.clone(), machine.clone());
    lost.feed(says("I cannot go on.")).unwrap();
    assert!(matches!(lost.next(), Next::ReadPack(Portion { part: Some(_), .. })), "{:?}", lost.next());
    machine.feed(says(&format!("{{\"documents\":[{}]}}", entry(2, "z")))).unwrap();
    let Next::CallTools(asked) = machine.next() else { panic!("{:?}", machine.next()) };
    let quotes: Vec<_> =
        asked[0].arguments["documents"][0]["claims"].as_array().unwrap().iter().map(|one| one["quote"].clone()).collect();
    assert_eq!(quotes, ["a", "b", "z"]);
    machine.feed(became(&[(2, "no such quote")], true)).unwrap();
    machine.feed(says("{}")).unwrap();
    let Next::CallTools(asked) = machine.next() else { panic!("{:?}", machine.next()) };
    assert_eq!(asked[0].arguments["documents"][0]["claims"].as_array().map(Vec::len), Some(3), "a correction has all of it");
    for _ in 0..2 {
        endless.feed(begun("more")).unwrap();
    }
    endless.feed(begun("more")).unwrap();
    assert!(matches!(endless.next(), Next::ReadPack(Portion { part: Some(_), .. })), "not for ever: {:?}", endless.next());
}

#[test]
fn unusable_answers_end_the_order_and_it_can_be_tried_again() {
    let nonsense = || says("I cannot do that.");
    let machine = extracting(&[1, 2, 3], vec![pack(&[1, 2]), nonsense(), nonsense()]);
    assert!(matches!(machine.next(), Next::NoteRefused(refused) if refused.len() == 2));
    let machine = extracting(&[1, 2, 3], vec![pack(&[1, 2]), nonsense(), nonsense(), Input::Noted, pack(&[3]), nonsense()]);
    let Next::Done(Outcome::Failed { why }) = machine.next() else { panic!() };
    assert!(why.starts_with("3 unusable answers in a row"), "{why}");
}

#[test]
fn an_order_of_which_nothing_could_be_recorded_has_failed() {
    let wrong = || [answer(&[1]), extracted(&[(1, "bad")])];
    let inputs = std::iter::once(pack(&[1])).chain(wrong()).chain(wrong()).chain([Input::Noted]);
    let machine = extracting(&[1], inputs.collect());
    let Next::Done(Outcome::Failed { why }) = machine.next() else { panic!() };
    assert_eq!(why, "none of 1 documents could be recorded; the first: 1 claim (bad)");
}

#[test]
fn failed_research_still_reads_its_documents() {
    let research = vec![plan(json!([query(0, 9)])), results(&[found(&[1], None)]), reply("", 9)];
    let mut machine = processor(research);
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[1])));
    for input in [pack(&[1]), says("{}"), extracted(&[(1, "")])] {
        machine.feed(input).unwrap();
    }
    assert_eq!(*machine.next(), Next::Done(Outcome::Failed { why: "more than 4 tool calls".into() }));
}

#[test]
fn a_reply_that_is_cut_or_unreadable_is_asked_for_again() {
    let unreadable = || Input::Unreadable { why: "no JSON".into() };
    let cut = stopped("I was about to", 1, StopReason::MaxTokens);
    let machine = fed(Finish::Product, vec![cut, unreadable()]);
    assert_eq!(*machine.next(), Next::CallModel);
    let [Message::User { .. }, Message::Assistant { tool_calls, .. }, Message::User { text }] = machine.messages() else {
        panic!("{:?}", machine.messages())
    };
    assert!(tool_calls.is_empty() && text.contains("too long") && text.contains("no JSON"), "{text}");
    let mut machine = machine.clone();
    machine.feed(unreadable()).unwrap();
    assert!(matches!(machine.next(), Next::Done(Outcome::Empty { .. })));
    let machine = extracting(&[1], vec![pack(&[1]), unreadable()]);
    assert_eq!((machine.phase(), machine.next()), (Phase::Extract, &Next::CallModel));
}

#[test]
fn a_document_of_which_a_part_is_refused_is_not_complete() {
    let wrong = || [answer(&[1]), extracted(&[(1, "bad")])];
    let mut machine = extracting(&[1], vec![pack(&[1]), Input::TooLong, pack(&[1])]);
    for input in wrong().into_iter().chain(wrong()) {
        machine.feed(input).unwrap();
    }
    assert!(matches!(machine.next(), Next::NoteRefused(refused) if refused[0].reason == "part 1 of 2: 1 claim (bad)"));
    for input in [Input::Noted, pack(&[1])] {
        machine.feed(input).unwrap();
    }
    assert!(!machine.writable().unwrap().completes, "its other part is written all the same");
    for input in [says("{}"), extracted(&[(1, "")])] {
        machine.feed(input).unwrap();
    }
    assert!(matches!(machine.next(), Next::Done(Outcome::Failed { .. })));
    let mut machine = extracting(&[1], vec![]);
    for _ in 0..7 {
        machine.feed(pack(&[1])).unwrap();
        machine.feed(Input::TooLong).unwrap();
    }
    assert!(matches!(machine.next(), Next::NoteRefused(_)), "not for ever: {:?}", machine.next());
}

/// Look-up result of a pack: one pair for each of these names.
fn looked_up(names: &[&str]) -> Input {
    let (collection_id, entity_id) = (CollectionId(uuid::Uuid::nil()), EntityId(uuid::Uuid::nil()));
    let open = names.iter().map(|name| NamePair { collection_id, name: (*name).into(), kind: "person".into(), entity_id });
    Input::Pairs { pairs: NamePairs { text: "pairs".into(), open: open.collect(), settled: vec![] } }
}

#[test]
fn a_judge_is_asked_once_per_pack_before_its_documents_are_written() {
    let mut machine = Machine::new(Finish::Records, MachineLimits { judge_pairs: 2, ..LIMITS });
    let research =
        [opened(), results(&[ToolEffect::None]), plan(json!([])), reply("", 1), results(&[found(&[1], None)]), says("read.")];
    for input in research.into_iter().chain([pack(&[1]), answer(&[1])]) {
        machine.feed(input).unwrap();
    }
    assert!(matches!(machine.next(), Next::FindPairs(_)));
    let mut alone = machine.clone();
    alone.feed(looked_up(&[])).unwrap();
    assert!(matches!(alone.next(), Next::CallTools(_)), "nobody is asked about nothing");

    machine.feed(looked_up(&["Ana", "Bo"])).unwrap();
    assert_eq!((machine.phase(), machine.messages().len()), (Phase::Judge, 1));
    for unjudged in [Input::Unjudged { why: "down".into() }, Input::TooLong, Input::Unreadable { why: "garbage".into() }] {
        let mut machine = machine.clone();
        machine.feed(unjudged).unwrap();
        assert!(matches!(machine.next(), Next::CallTools(_)) && machine.writable().unwrap().verdicts.is_empty());
    }
    machine.feed(says(r#"{"verdicts":[{"pair":2,"verdict":"same","reason":"one office"}]}"#)).unwrap();
    let Next::CallTools(calls) = machine.next() else { panic!() };
    assert_eq!(calls[0].name, "batch_extract");
    assert_eq!((machine.phase(), machine.messages().len()), (Phase::Extract, 2), "the pack and its answer");
    assert_eq!(machine.writable().unwrap().verdicts[0].pair.name, "Bo");

    machine.feed(extracted(&[(1, "the quote is not in the document")])).unwrap();
    machine.feed(answer(&[1])).unwrap();
    assert!(matches!(machine.next(), Next::CallTools(_)), "a correction is not judged again");
    assert_eq!(machine.writable().unwrap().verdicts.len(), 1, "and keeps what was said");
    assert_eq!(machine.feed(Input::Unjudged { why: "late".into() }), Err(UnexpectedInput));
}
