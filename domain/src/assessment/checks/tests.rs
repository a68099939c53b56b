//! Each check finds what it is there for, and nothing in a complete assessment.

use super::{super::tests, *};
use crate::assessment::{ConditionalProbability, Digest, Gap, Hypothesis, Statement};
use serde_json::{Value, json};

fn found(change: impl FnOnce(&mut Value), today: &str, earlier: Option<AssessmentId>) -> Vec<(String, String)> {
    let mut json = serde_json::to_value(tests::complete()).unwrap();
    change(&mut json);
    let assessment: Assessment = serde_json::from_value(json).unwrap();
    let mut previous = tests::previous();
    previous.body.indicators[0].resolution.by = Some("2031-05-05".into());
    previous.body.indicators[1].resolution.by = None;
    previous.body.key_judgements[1].horizon = Some("2031-06-01".into());
    let context = CheckContext {
        question: &assessment.question,
        body: &assessment.body,
        citations: &assessment.citations,
        previous: Some(&previous),
        earlier,
        today: today.parse().unwrap(),
    };
    run(&context).findings.into_iter().map(|finding| (finding.check, finding.at)).collect()
}

fn context<'a>(question: &'a str, body: &'a Body, citations: &'a [Citation]) -> CheckContext<'a> {
    CheckContext { question, body, citations, previous: None, earlier: None, today: TODAY.parse().unwrap() }
}

const TODAY: &str = "2031-05-06";

#[test]
fn a_complete_assessment_passes_every_check() {
    assert_eq!(found(|_| {}, TODAY, None), []);
    let ids: BTreeSet<&str> = CHECKS.iter().map(|check| check.id).collect();
    assert_eq!(ids.len(), CHECKS.len(), "each id stands for one check");
}

#[test]
fn each_check_finds_its_own_breach() {
    let table: [(&str, Value, &str, &str); 38] = [
        (
            "/key_judgements/1/statement",
            json!("It is very likely that they run."),
            "likelihood_words",
            "key_judgements[1].statement",
        ),
        ("/key_judgements/0/statement", json!("It is very likely (90 %)."), "likelihood_words", "key_judgements[0].statement"),
        ("/bottom_line", json!("It is unlikely (70 %)."), "likelihood_words", "bottom_line"),
        ("/bottom_line", json!("It is likely (71 %)."), "likelihood_words", "bottom_line"),
        ("/bottom_line", json!("It is almost certain."), "likelihood_words", "bottom_line"),
        ("/bottom_line", json!("It is very likely, with high confidence."), "likelihood_and_confidence", "bottom_line"),
        ("/analysis", json!("They are likely to run, with low confidence [1]."), "likelihood_and_confidence", "analysis"),
        ("/key_judgements/1/citations", json!([]), "judgements_cited", "key_judgements[1].citations"),
        (
            "/key_judgements/1/confidence/basis",
            json!("The office knows."),
            "single_origin",
            "key_judgements[1].confidence.basis",
        ),
        ("/hypotheses/2/is_none", json!(false), "alternatives", "hypotheses"),
        ("/hypotheses/1/is_none", json!(true), "alternatives", "hypotheses"),
        ("/evidence_matrix/0/ratings", json!({"H1": "N", "H2": "N", "H3": "N"}), "matrix_diagnostic", "evidence_matrix[0]"),
        ("/causes/0/citations", json!([]), "causes_cited", "causes[0].citations"),
        ("/impacts/0/citations", json!([]), "impacts_cited", "impacts[0].citations"),
        ("/argument/actors/0/citations", json!([]), "argument_cited", "argument.actors[0].citations"),
        (
            "/argument/objection",
            json!({"text": "The log names no one.", "citations": []}),
            "argument_cited",
            "argument.objection.citations",
        ),
        ("/evidence_matrix", json!([]), "matrix_diagnostic", "evidence_matrix"),
        ("/key_judgements/0/hypotheses", json!(["H1"]), "judgement_sums", "key_judgements[0].likelihood"),
        ("/hypotheses/0/reasoning", json!("x"), "reasoning_given", "hypotheses[0].reasoning"),
        ("/hypotheses/4/reasoning", json!("The office says so [3]."), "reasoning_given", "hypotheses[4].reasoning"),
        ("/gaps", json!([]), "gaps_have_effect", "gaps"),
        ("/indicators", json!([]), "indicators_dated", "indicators"),
        ("/assumptions", json!([]), "assumptions_named", "assumptions"),
        ("/assumptions/0/if_wrong", json!(""), "assumptions_named", "assumptions[0].if_wrong"),
        ("/gaps/0/impact", json!(" "), "gaps_have_effect", "gaps[0].impact"),
        ("/gaps/0/how_to_close", json!(""), "gaps_have_effect", "gaps[0].how_to_close"),
        (
            "/indicators/0/resolution/criteria",
            json!("the harbour office publishes the gate log."),
            "indicators_observable",
            "indicators[0].resolution.criteria",
        ),
        ("/indicators/0/resolution/question", json!(""), "indicators_observable", "indicators[0].resolution.question"),
        ("/indicators/0/resolution/by", json!(null), "indicators_dated", "indicators"),
        ("/indicators/0/resolution/by", json!("2031-05-06"), "indicators_ahead", "indicators[0].resolution.by"),
        (
            "/argument/scenarios/0/then",
            json!([{"hypothesis": "H2", "probability": 0.8}]),
            "conditionals_agree",
            "argument.scenarios[0].then",
        ),
        (
            "/indicators/0/effects",
            json!([{"hypothesis": "H5", "probability": 0.9}]),
            "conditionals_agree",
            "indicators[0].effects",
        ),
        (
            "/indicators/0/effects",
            json!([{"hypothesis": "H4", "probability": 0.1}]),
            "conditionals_agree",
            "indicators[0].effects",
        ),
        (
            "/indicators/1/effects",
            json!([{"hypothesis": "H1", "probability": 0.6}, {"hypothesis": "H2", "probability": 0.5}]),
            "conditionals_agree",
            "indicators[1].effects",
        ),
        ("/argument/reasons/0/text", json!(format!("{}[1]", "gate opened ".repeat(250))), "first_page_fits", "argument"),
        ("/indicators/1/judgements", json!([]), "indicators_linked", "indicators[1]"),
        ("/change/summary", json!(""), "change_explained", "change.summary"),
        ("/change/settled/0/citations", json!([]), "earlier_items_settled", "change.settled[0].citations"),
    ];
    for (pointer, value, check, at) in table {
        let all = found(|json| *json.pointer_mut(pointer).unwrap() = value.clone(), TODAY, None);
        assert!(all.iter().any(|(found, place)| found == check && place == at), "{pointer} {value}: {all:?}");
        let others: Vec<_> = all.iter().filter(|(found, _)| found != check).collect();
        assert_eq!(others, Vec::<&(String, String)>::new(), "{pointer} {value}");
    }
}

#[test]
fn a_follow_up_must_explain_its_change() {
    let earlier = tests::previous().id;
    assert_eq!(found(|_| {}, TODAY, Some(earlier)), []);
    let without = found(|json| json["change"] = Value::Null, TODAY, Some(earlier));
    let expected = [("change_explained", "change"), ("earlier_items_settled", "change.settled")];
    assert_eq!(without, expected.map(|(check, at)| (check.to_owned(), at.to_owned())), "I1 came due");
}

#[test]
fn a_follow_up_must_settle_due_items() {
    let unsettled = found(|json| json["change"]["settled"] = json!([]), TODAY, None);
    assert_eq!(unsettled, [("earlier_items_settled".to_owned(), "change.settled".to_owned())]);
    let later = |as_of: Value| {
        let change = |json: &mut Value| {
            json["indicators"][0]["resolution"]["by"] = json!("2031-07-01");
            json["argument"]["as_of"] = as_of;
        };
        found(change, "2031-06-02", None)
    };
    let expected = [("earlier_items_settled".to_owned(), "change.settled".to_owned())];
    assert_eq!(later(Value::Null), expected, "J2 was for 1 June");
    assert_eq!(later(json!("2031-05-06")), [], "its author looked until 6 May");
}

#[test]
fn the_score_counts_checks_and_not_findings() {
    let checks = tests::complete().checks.unwrap();
    assert_eq!(checks.score(), "1 of 2 checks passed, 1 had nothing to check");
    assert_eq!(title("single_origin"), "A judgement on one origin or one document says so");
    assert_eq!(title("dropped_later"), "dropped_later");
}

#[test]
fn a_sum_that_the_basis_names_is_no_finding() {
    let explained = found(
        |json| {
            json["key_judgements"][0]["hypotheses"] = json!(["H1"]);
            json["key_judgements"][0]["confidence"]["basis"] = json!("Two origins; H1 has 60 %, others with a key the rest.");
        },
        TODAY,
        None,
    );
    assert_eq!(explained, []);
    let inside_another = found(
        |json| {
            json["hypotheses"][0]["probability"] = json!(0.06);
            json["key_judgements"][0]["hypotheses"] = json!(["H1"]);
            json["key_judgements"][0]["confidence"]["basis"] = json!("Two origins; others put it at 76 %.");
        },
        TODAY,
        None,
    );
    assert!(inside_another.iter().any(|(check, _)| check == "judgement_sums"), "{inside_another:?}");
}

#[test]
fn a_check_does_not_pass_on_nothing() {
    let mut assessment = tests::complete();
    assessment.body.indicators = vec![];
    assessment.body.impacts = vec![];
    assessment.body.change = None;
    let (body, citations) = (&assessment.body, &*assessment.citations);
    let checks = run(&context(&assessment.question, body, citations));
    for id in ["indicators_observable", "indicators_ahead", "indicators_linked", "impacts_cited", "change_explained"] {
        assert_eq!(checks.outcome(id), CheckOutcome::NothingToCheck, "{id}");
    }
    assert_eq!(checks.outcome("indicators_dated"), CheckOutcome::Failed);
}

#[test]
fn citations_that_were_mixed_up_fail_and_a_few_loose_ones_are_remarks() {
    let mut assessment = tests::complete();
    let (body, question) = (assessment.body.clone(), assessment.question.clone());
    let checks = run(&context(&question, &body, &assessment.citations));
    assert_eq!(checks.outcome("citations_fit"), CheckOutcome::Passed);
    let remarks: Vec<&str> = checks.remarks.iter().map(|remark| remark.at.as_str()).collect();
    assert_eq!(remarks, ["causes[0].mechanism"], "the claim does not speak of a cold store");

    let claims: Vec<_> = assessment.citations.iter().map(|one| (one.content.clone(), one.quote.clone())).collect();
    for (place, (content, quote)) in (1..).zip(claims) {
        let citation = &mut assessment.citations[place % 3];
        (citation.content, citation.quote, citation.speaker) = (content, quote, None);
    }
    let checks = run(&context(&question, &body, &assessment.citations));
    assert_eq!(checks.outcome("citations_fit"), CheckOutcome::Failed);
    let found = checks.findings.iter().find(|finding| finding.at == "key_judgements[1].statement").unwrap();
    assert!(found.text.ends_with("shares no word with what it cites, [3]") && checks.remarks.is_empty(), "{checks:?}");
}

#[test]
fn a_question_with_more_parts_has_room_for_their_answers() {
    let assessment = tests::complete();
    let mut body = assessment.body.clone();
    let findings = |body: &Body| run(&context(&assessment.question, body, &assessment.citations)).findings;
    body.bottom_line = "word ".repeat(600);
    let found = findings(&body).into_iter().find(|finding| finding.check == "first_page_fits").unwrap();
    assert!(found.text.contains(" 510 fit"), "two parts: {found:?}");
}

#[test]
fn claims_in_another_language_than_the_report_are_not_compared() {
    let mut assessment = tests::complete();
    for citation in &mut assessment.citations {
        citation.content = Some("Das Tor wurde in der Nacht mit dem Schlüssel geöffnet, und die Wache war bei der Tür.".into());
        citation.quote = "Ворота были открыты ночью, и охрана не ушла: он там и был.".into();
    }
    let checks = run(&context(&assessment.question, &assessment.body, &assessment.citations));
    assert_eq!(checks.outcome("citations_fit"), CheckOutcome::NothingToCheck, "{checks:?}");
    assert!(checks.remarks.is_empty(), "{checks:?}");
}

#[test]
fn a_sum_of_one_answer_is_named_in_the_singular() {
    let mut assessment = tests::complete();
    assessment.body.key_judgements[0].hypotheses = vec!["H1".into()];
    let checks = run(&context(&assessment.question, &assessment.body, &assessment.citations));
    let found = checks.findings.iter().find(|finding| finding.check == "judgement_sums").unwrap();
    assert!(found.text.contains("and H1 has 60"), "{found:?}");
}

#[test]
fn a_report_in_another_language_is_checked_with_its_words_or_not_at_all() {
    let report = |analysis: &str, statement: &str, basis: &str| {
        let mut body = Body { bottom_line: analysis.into(), ..crate::assessment::EvidenceBrief::default().into() };
        body.key_judgements = tests::complete().body.key_judgements;
        body.key_judgements.truncate(1);
        let judgement = &mut body.key_judgements[0];
        (judgement.statement, judgement.would_change, judgement.citations) = (statement.into(), None, vec![3]);
        judgement.confidence.as_mut().unwrap().basis = basis.into();
        run(&context("?", &body, &tests::complete().citations))
    };
    let words = ["likelihood_words", "likelihood_and_confidence", "single_origin"];
    let german = "Das Tor war offen, und die Wache hat nichts gesehen.";
    let checks = report(german, "Es ist unwahrscheinlich, mit hoher Konfidenz, dass das Tor offen war.", "Das Amt weiß es.");
    assert!(words.iter().all(|id| checks.outcome(id) == CheckOutcome::Failed), "{checks:?}");
    let checks = report(german, "Das Tor war offen.", "Das steht auf einer Seite, und das aus zweiter Hand.");
    assert!(words.iter().all(|id| checks.outcome(id) == CheckOutcome::Passed), "{checks:?}");
    for no_origin in ["Keine Quelle widerspricht dem Amt.", "Nur einige Zeugen schweigen."] {
        let checks = report(german, "Das Tor war offen.", no_origin);
        assert_eq!(checks.outcome("single_origin"), CheckOutcome::Failed, "{no_origin}");
    }
    let french = "La porte était ouverte, et le gardien n'a rien vu.";
    let checks = report(french, "La porte était ouverte, très probablement.", "Une seule page le dit.");
    assert!(words.iter().all(|id| checks.outcome(id) == CheckOutcome::NothingToCheck), "{checks:?}");
}

/// A text of so many words.
fn text_of(words: usize) -> String {
    vec!["word"; words].join(" ")
}

/// A report with one part, whose first page has in each text as many words as fit.
fn with_fullest_page() -> Assessment {
    let mut assessment = tests::complete();
    let body = &mut assessment.body;
    body.title = text_of(12);
    body.bottom_line = format!("{} [1][2][3]", text_of(60));
    body.questions.clear();
    body.change = None;
    let answers = [("H1", 0.5, false), ("H2", 0.3, false), ("H3", 0.15, false), ("H4", 0.05, true)];
    body.hypotheses = answers
        .map(|(id, probability, is_none)| Hypothesis {
            statement: text_of(12),
            supporting: vec![1],
            ..tests::hypothesis(id, probability, is_none)
        })
        .into();
    body.key_judgements.truncate(1);
    let judgement = &mut body.key_judgements[0];
    (judgement.statement, judgement.would_change, judgement.hypotheses) = (text_of(12), None, vec!["H1".into()]);
    let judgement = judgement.id.clone();
    body.argument.reasons = vec![Statement { text: text_of(25), citations: vec![1, 2] }; 3];
    body.argument.objection = Some(Statement { text: text_of(20), citations: vec![3] });
    body.indicators.truncate(1);
    body.indicators[0].text = text_of(25);
    body.indicators[0].effects = vec![ConditionalProbability { hypothesis: "H1".into(), probability: 0.6 }];
    body.impacts.truncate(1);
    (body.impacts[0].effect, body.impacts[0].depends_on) = (text_of(25), vec![judgement]);
    body.gaps = vec![Gap { text: text_of(15), impact: None, how_to_close: Some(text_of(10)) }];
    assessment
}

#[test]
fn a_first_page_whose_texts_all_keep_their_lengths_fits_with_its_dissent() {
    let mut assessment = with_fullest_page();
    let places = |assessment: &Assessment| -> Vec<String> {
        let checks = run(&context(&assessment.question, &assessment.body, &assessment.citations));
        let found = checks.findings.into_iter().filter(|finding| finding.check == "first_page_fits");
        found.map(|finding| finding.at).collect()
    };
    assert!(places(&assessment).is_empty(), "{} words", Digest::new(&assessment).words());
    let dissent = json!({"paragraph": "No [1].", "probabilities": (1..=4)
        .map(|n| json!({"hypothesis": format!("H{n}"), "probability": 0.25}))
        .collect::<Vec<_>>()});
    assessment.dissent = Some(serde_json::from_value(dissent).unwrap());
    let words = Digest::new(&assessment).words();
    assert!((350..=450).contains(&words), "{words}");

    assessment.body.bottom_line = text_of(95);
    assessment.body.impacts[0].effect = text_of(60);
    assert_eq!(places(&assessment), ["argument", "bottom_line", "impacts[0].effect"], "only the long ones are named");
}
