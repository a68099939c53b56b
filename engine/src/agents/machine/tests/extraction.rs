//! Extraction: packs, corrections, cut answers, and the judge of name pairs.

use super::*;
use domain::{CollectionId, EntityId};
use protocol::pack::TextPart;

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
fn named_documents_are_packed_by_the_sizes_that_the_catalogue_gives() {
    let named: Vec<String> = (1..=4).map(|n| document(n).to_string()).collect();
    let text = format!("Work order: look\nSource guidance: documents {}", named.join(" "));
    let sizes = (1..).zip([600, 600, 400, 400]);
    let documents = sizes.map(|(n, text_bytes)| FoundDocument { document_id: document(n), text_bytes });
    let found = ToolEffect::Found { documents: documents.collect(), next_offset: None, as_of: None };
    let mut machine = Machine::new(Finish::Records, LIMITS);
    machine.feed(Input::Opened { text: text.into(), refs: vec![], given: None }).unwrap();
    machine.feed(results(&[found])).unwrap();
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[1, 3])), "two packs suffice, where the given order takes three");
    machine.feed(pack(&[])).unwrap();
    assert_eq!(*machine.next(), Next::ReadPack(whole(&[2, 4])));
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

#[test]
fn one_part_read_in_view_of_the_question_marks_the_whole_document() {
    let mut machine = extracting(&[1], vec![pack(&[1]), Input::TooLong]);
    for given in [true, false] {
        let entry = json!({"document_id": document(1), "in_view_only": given, "claims": []});
        machine.feed(pack(&[1])).unwrap();
        machine.feed(says(&json!({"documents": [entry]}).to_string())).unwrap();
        let Next::CallTools(asked) = machine.next() else { panic!("{:?}", machine.next()) };
        assert_eq!(asked[0].arguments["documents"][0]["in_view_only"], json!(true), "given: {given}");
        machine.feed(extracted(&[(1, "")])).unwrap();
    }
}
