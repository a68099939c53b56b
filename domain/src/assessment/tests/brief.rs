//! The evidence brief: what its author hands in, and the rules that it keeps.

use super::*;

const BRIEF: &str = include_str!("brief.json");

fn stored() -> Assessment {
    serde_json::from_str(BRIEF).unwrap()
}

/// Returns the problems of the stored brief with `value` at `pointer`.
fn problems(pointer: &str, value: Value) -> Vec<String> {
    let mut json: Value = serde_json::from_str(BRIEF).unwrap();
    *json.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    let brief: Assessment = serde_json::from_value(json).unwrap();
    validate(brief.kind, &brief.body, &brief.markers(), None).iter().map(ToString::to_string).collect()
}

#[test]
fn a_brief_is_valid_and_comes_back_as_it_was() {
    let brief = stored();
    assert_eq!(validate(brief.kind, &brief.body, &brief.markers(), None), []);
    assert_eq!(serde_json::to_value(&brief).unwrap(), serde_json::from_str::<Value>(BRIEF).unwrap());
    assert_eq!(brief.disclosure.as_deref(), brief.kind.disclosure());
}

#[test]
fn the_input_of_the_author_becomes_the_body() {
    let handed_in: EvidenceBrief = serde_json::from_value(json!({
        "title": "Who cut the power to the Tessin ferry terminal?",
        "bottom_line": stored().body.bottom_line,
        "statements": [
            {"text": "“Police arrested a member of the night crew on Tuesday over the blackout.” (Tessin Courier)", "citations": [1]},
            {"text": "“Union leaders accuse the Halden line of ordering the power cut.” (Harbour Gazette) [3]", "citations": [3]},
        ],
        "analysis": stored().body.analysis,
        "answers": [
            {"statement": "A member of the night crew", "reported_by": [1], "denied_by": []},
            {"statement": "The Halden line", "reported_by": [3], "denied_by": [2]},
        ],
        "indicators": [{"text": "“The court will rule on his detention on 9 May.”", "by": "2031-05-09", "citations": [5]}],
        "gaps": [{"text": "“Police have not said who paid the man.” [4]", "citations": [4]}],
        "impacts": [{"text": "“Farmers poured away 4,000 litres of milk.”", "citations": [6]}],
        "contradictions": [{"text": "Litres of milk lost: 4,000 [6], 6,500 [7].", "citations": [6, 7]}],
    }))
    .unwrap();
    assert_eq!(Body::from(handed_in), stored().body);
}

#[test]
fn a_brief_may_hold_its_bottom_line_alone() {
    let brief = EvidenceBrief {
        title: "Who?".into(),
        bottom_line: "No passage of the documents is about the question.".into(),
        ..EvidenceBrief::default()
    };
    assert_eq!(validate(AssessmentKind::EvidenceBrief, &brief.into(), &BTreeSet::new(), None), []);
}

#[test]
fn each_broken_rule_of_a_brief_is_named_with_its_place() {
    let likely = json!({"term": "likely", "point": 0.7});
    let low = json!({"level": "low", "basis": "One report."});
    let uncited = "cites nothing: a brief says only what a source says";
    let judged = "must be null in an evidence brief";
    let unknown = "[9] is not a citation: claim_refs has no such marker";
    let table = [
        ("/bottom_line", json!(" "), "bottom_line", "must not be empty"),
        ("/bottom_line", json!("It was so [1][2][9]."), "bottom_line", unknown),
        ("/key_judgements/0/likelihood", likely.clone(), "key_judgements[0].likelihood", judged),
        ("/key_judgements/0/confidence", low.clone(), "key_judgements[0].confidence", judged),
        ("/key_judgements/0/citations", json!([]), "key_judgements[0]", uncited),
        ("/key_judgements/0/citations", json!([1, 9]), "key_judgements[0].citations", unknown),
        ("/hypotheses/0/probability", json!(0.7), "hypotheses[0].probability", judged),
        ("/hypotheses/0/for", json!([]), "hypotheses[0]", uncited),
        ("/indicators/0/direction", json!("supports"), "indicators[0].direction", judged),
        ("/indicators/0/probability", json!(0.2), "indicators[0].probability", judged),
        (
            "/indicators/0/resolution/by",
            json!("soon"),
            "indicators[0].resolution.by",
            "'soon' is no day: it must be like 2031-03-14, or null",
        ),
        ("/gaps/0/impact", json!("It parts them."), "gaps[0].impact", judged),
        ("/gaps/0/text", json!("It is open [4][9]."), "gaps[0].text", unknown),
        ("/impacts/0/likelihood", likely, "impacts[0].likelihood", judged),
        ("/contradictions/0", json!({"text": "4,000 or 6,500.", "citations": []}), "contradictions[0]", uncited),
        ("/assumptions", json!([{"text": "a", "if_wrong": "b"}]), "assumptions", "must be empty in an evidence brief"),
        ("/overall_confidence", low, "overall_confidence", judged),
    ];
    for (pointer, value, at, rule) in table {
        let found = problems(pointer, value);
        assert!(found.contains(&format!("{at}: {rule}")), "{pointer}: {found:?}");
        // What is not cited any more may leave a citation that nothing uses.
        assert!(
            found.iter().all(|problem| problem.starts_with(at) || problem.starts_with("claim_refs")),
            "{pointer}: {found:?}"
        );
    }
    for (pointer, value) in [("/gaps/0/text", json!("It is open.")), ("/indicators/0/text", json!("It will rule."))] {
        assert!(problems(pointer, value).iter().any(|problem| problem.ends_with(uncited)), "{pointer}");
    }
}

#[test]
fn its_bottom_line_is_plain_text_in_lists() {
    let text = stored().bottom_line_text().into_owned();
    assert!(text.contains("— Tessin Courier, 6 May 2031 [1] On the other side:"), "{text}");
    assert_eq!(complete().bottom_line_text(), complete().body.bottom_line);
}
