//! Reading what is stored, and the rules, one mistake at a time.

mod brief;

use super::*;
use serde_json::{Value, json};

const COMPLETE: &str = include_str!("tests/complete.json");
/// Stored by the program of November 2026, before questions, causes, sources and checks.
const STORED_BEFORE: &str = include_str!("tests/stored_before.json");

pub(super) fn complete() -> Assessment {
    serde_json::from_str(COMPLETE).unwrap()
}

/// The assessment that the complete one names as its previous.
pub(super) fn previous() -> Assessment {
    let mut previous = complete();
    previous.id = previous.body.change.take().unwrap().previous_id;
    previous
}

/// A hypothesis of the only question, without evidence.
pub(super) fn hypothesis(id: &str, probability: f64, is_none: bool) -> Hypothesis {
    Hypothesis {
        id: id.into(),
        statement: format!("Statement {id}"),
        is_none,
        probability: Some(probability),
        ..Hypothesis::default()
    }
}

/// Returns the problems of the complete assessment with `value` at `pointer`.
fn problems(pointer: &str, value: Value) -> Vec<String> {
    let mut json: Value = serde_json::from_str(COMPLETE).unwrap();
    *json.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    let assessment: Assessment = serde_json::from_value(json).unwrap();
    let found = validate(assessment.kind, &assessment.body, &assessment.markers(), Some(&previous()));
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn an_assessment_of_an_earlier_program_is_read_and_written_with_every_key() {
    let assessment: Assessment = serde_json::from_str(STORED_BEFORE).unwrap();
    assert_eq!(assessment.cost.amount, Some(0.0));
    assert!(assessment.created_at.is_none() && assessment.checks.is_none() && assessment.sources.is_none());
    assert!(assessment.body.questions.is_empty() && assessment.body.hypotheses.len() > 2);
    let (old, new): (Value, Value) = (serde_json::from_str(STORED_BEFORE).unwrap(), serde_json::to_value(&assessment).unwrap());
    fn assert_holds(new: &Value, old: &Value) {
        match (new, old) {
            (Value::Object(new), Value::Object(old)) => old.iter().for_each(|(key, old)| assert_holds(&new[key], old)),
            (Value::Array(new), Value::Array(old)) => new.iter().zip(old).for_each(|(new, old)| assert_holds(new, old)),
            _ => assert_eq!(new, old),
        }
    }
    assert_holds(&new, &old);
    for key in ["created_at", "information", "kind", "disclosure", "questions", "causes", "contradictions", "sources", "checks"]
    {
        assert!(new.get(key).is_some(), "{key}");
    }
    assert_eq!((&new["kind"], &new["disclosure"]), (&json!("assessment"), &Value::Null));
}

#[test]
fn a_day_that_an_earlier_program_accepted_is_read() {
    let stored = |by: &str| STORED_BEFORE.replacen("\"by\": null", &format!("\"by\": \"{by}\""), 1);
    let by = |text: &str| {
        let assessment: Assessment = serde_json::from_str(&stored(text)).unwrap();
        assessment.body.indicators[0].resolution.by.clone().unwrap()
    };
    assert_eq!([by("2019-06"), by("the spring of 2019")], ["2019-06-30", "the spring of 2019"]);
}

#[test]
fn a_complete_assessment_is_valid_and_comes_back_as_it_was() {
    let assessment = complete();
    assert_eq!(validate(assessment.kind, &assessment.body, &assessment.markers(), Some(&previous())), []);
    assert_eq!(serde_json::to_value(&assessment).unwrap(), serde_json::from_str::<Value>(COMPLETE).unwrap());
}

#[test]
fn strings_are_read_as_the_numbers_and_days_that_they_name() {
    let mut json: Value = serde_json::from_str(COMPLETE).unwrap();
    json["key_judgements"][0]["likelihood"]["point"] = "0.86".into();
    json["key_judgements"][1]["horizon"] = "2031-05".into();
    json["hypotheses"][0]["probability"] = "60 %".into();
    json["hypotheses"][0]["for"] = json!(["1"]);
    json["indicators"][0]["probability"] = "0.4".into();
    json["indicators"][0]["resolution"]["by"] = "2031".into();
    json["evidence_matrix"][0]["citation"] = "1".into();
    let body = serde_json::from_value::<Assessment>(json).unwrap().body;
    assert_eq!((body.key_judgements[0].likelihood.unwrap().point, body.hypotheses[0].probability), (0.86, Some(0.6)));
    assert_eq!((body.indicators[0].probability, body.evidence_matrix[0].citation), (Some(0.4), 1));
    assert_eq!(body.hypotheses[0].supporting, [1]);
    assert_eq!(body.key_judgements[1].horizon.as_deref(), Some("2031-05-31"));
    assert_eq!(body.indicators[0].resolution.by.as_deref(), Some("2031-12-31"));
}

#[test]
fn each_broken_rule_is_named_with_its_place() {
    let table = [
        ("/title", json!(" "), "title: must not be empty"),
        (
            "/key_judgements/0/likelihood/point",
            json!(0.6),
            "key_judgements[0].likelihood: 'very likely' means 0.8 to 0.95, not 0.6",
        ),
        ("/key_judgements/0/citations", json!([]), "key_judgements[0].citations: every judgement cites at least one claim"),
        ("/key_judgements/0/hypotheses", json!(["H9"]), "key_judgements[0].hypotheses: there is no hypothesis 'H9'"),
        (
            "/key_judgements/1/horizon",
            json!("soon"),
            "key_judgements[1].horizon: 'soon' is no day: it must be like 2031-03-14, or null",
        ),
        ("/indicators/1/id", json!("j1"), "indicators[1].id: 'j1' is used twice"),
        ("/hypotheses/0/probability", json!(0.8), "hypotheses: probabilities of Q1 sum to 1.200; they must sum to 0.95–1.05"),
        ("/hypotheses/3/question", json!(null), "hypotheses[3].question: say which of the questions it answers"),
        ("/hypotheses/0/for", json!([7]), "hypotheses[0].for: [7] is not a citation: claim_refs has no such marker"),
        ("/bottom_line", json!("So [7]."), "bottom_line: [7] is not a citation: claim_refs has no such marker"),
        ("/gaps/0/impact", json!("See [7]."), "gaps[0].impact: [7] is not a citation: claim_refs has no such marker"),
        ("/evidence_matrix/0/ratings", json!({"H1": "C", "H2": "C"}), "evidence_matrix[0].ratings: needs a rating for 'H3'"),
        ("/evidence_matrix/0/ratings/H1", json!("I"), ""),
        ("/indicators/0/judgements", json!(["J9"]), "indicators[0].judgements: there is no judgement 'J9'"),
        ("/indicators/0/probability", json!(1.5), "indicators[0].probability: must be from 0 to 1"),
        (
            "/indicators/0/resolution/by",
            json!("2031-05-32"),
            "indicators[0].resolution.by: '2031-05-32' is no day: it must be like 2031-03-14, or null",
        ),
        (
            "/indicators/1/resolution/no_date_because",
            json!(null),
            "indicators[1].resolution.by: name a day, or say in `no_date_because` why there is none",
        ),
        ("/impacts/0/likelihood/point", json!(0.9), "impacts[0].likelihood: 'likely' means 0.55 to 0.8, not 0.9"),
        ("/impacts/0/depends_on", json!(["J2", "K1"]), "impacts[0].depends_on: there is no judgement or hypothesis 'K1'"),
        ("/argument/disagreements/0/sides", json!([]), "argument.disagreements[0].sides: give both sides"),
        ("/argument/disagreements/0/weighing", json!(" "), "argument.disagreements[0].weighing: must not be empty"),
        ("/overall_confidence", json!(null), "overall_confidence: must not be null in an assessment"),
        ("/key_judgements/0/likelihood", json!(null), "key_judgements[0].likelihood: must not be null in an assessment"),
        ("/key_judgements/1/confidence", json!(null), "key_judgements[1].confidence: must not be null in an assessment"),
        ("/hypotheses/0/probability", json!(null), "hypotheses[0].probability: must not be null in an assessment"),
        ("/indicators/0/direction", json!(null), "indicators[0].direction: must not be null in an assessment"),
        (
            "/indicators/0/resolution/criteria",
            json!(null),
            "indicators[0].resolution.criteria: must not be null in an assessment",
        ),
        ("/gaps/0/impact", json!(null), "gaps[0].impact: must not be null in an assessment"),
        ("/impacts/0/who", json!(null), "impacts[0].who: must not be null in an assessment"),
        (
            "/contradictions",
            json!([{"text": "4 [1], 6 [2].", "citations": []}]),
            "contradictions: only an evidence brief lists them",
        ),
        ("/causes/0/mechanism", json!(""), "causes[0].mechanism: must not be empty"),
        ("/argument/as_of", json!("soon"), "argument.as_of: 'soon' is no day: it must be like 2031-03-14, or null"),
        (
            "/argument/chronology/0/when",
            json!("then"),
            "argument.chronology[0].when: 'then' is no day: it must be like 2031-03-14, or null",
        ),
        ("/argument/ranges/0/low", json!(9000), "argument.ranges[0]: `low` must not be above `high`"),
        ("/argument/base_rate/matching", json!(4), "argument.base_rate.matching: must not be more than `cases`"),
        (
            "/argument/scenarios/0/then/0/hypothesis",
            json!("H9"),
            "argument.scenarios[0].then[0].hypothesis: there is no hypothesis 'H9'",
        ),
        (
            "/argument/reasons/0/citations",
            json!([9]),
            "argument.reasons[0].citations: [9] is not a citation: claim_refs has no such marker",
        ),
        (
            "/change/settled/0/previous_item",
            json!("I9"),
            "change.settled[0].previous_item: the previous assessment has no 'I9'; it has 'I1', 'I2', 'J1', 'J2'",
        ),
    ];
    for (pointer, value, expected) in table {
        let found = problems(pointer, value);
        assert_eq!(found.first().map_or("", String::as_str), expected, "{pointer}: {found:?}");
        // A hypothesis that no question counts is missing from a sum, too.
        let most = if pointer.ends_with("/question") { 2 } else { 1 };
        assert!(found.len() <= most, "{pointer}: {found:?}");
    }
}

#[test]
fn a_marker_that_nothing_uses_is_found_and_breaks_no_rule() {
    let assessment = complete();
    let markers = BTreeSet::from([1, 2, 3, 4, 5]);
    assert_eq!(uncited(&assessment.body, &markers), BTreeSet::from([4, 5]));
    assert_eq!(validate(assessment.kind, &assessment.body, &markers, Some(&previous())), []);
}

#[test]
fn a_previous_assessment_that_does_not_exist_is_named() {
    let assessment = complete();
    let found = validate(assessment.kind, &assessment.body, &assessment.markers(), None);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].at, "change.previous_id");
}

#[test]
fn all_broken_rules_are_named_at_once() {
    let mut body = complete().body;
    body.title.clear();
    body.hypotheses[0].question = Some("Q7".into());
    body.indicators[0].hypotheses = vec!["H8".into()];
    body.analysis = "See [9].".into();
    let places: Vec<String> = validate(AssessmentKind::Assessment, &body, &complete().markers(), Some(&previous()))
        .into_iter()
        .map(|problem| problem.at)
        .collect();
    for at in ["title", "hypotheses[0].question", "hypotheses", "indicators[0].hypotheses", "analysis"] {
        assert!(places.iter().any(|place| place == at), "{at} of {places:?}");
    }
}

#[test]
fn information_reaches_from_the_first_publication_to_the_last() {
    let published = |day: &str| PublicationDate {
        value: Timestamp::parse(day).unwrap(),
        precision: crate::Precision::Day,
        basis: crate::PublishedBasis::Stated,
    };
    let (first, last) = (published("2031-05-02"), published("2031-05-05"));
    let period = InformationPeriod::spanning([last, first, published("2031-05-03")]);
    assert_eq!(period, InformationPeriod { from: Some(first), until: Some(last) });
    assert_eq!(InformationPeriod::spanning([]), InformationPeriod::default());
}

#[test]
fn the_evidence_has_the_days_of_what_is_cited() {
    let mut assessment = complete();
    let published = |moment: &str, precision| PublicationDate {
        value: Timestamp::parse(moment).unwrap(),
        precision,
        basis: crate::PublishedBasis::Stated,
    };
    let minute = |moment| published(moment, crate::Precision::Minute);
    let consulted = (minute("2015-01-05T14:27:00Z"), minute("2022-04-03T17:47:00Z"));
    assessment.information = InformationPeriod::spanning([consulted.0, consulted.1]);
    assessment.citations.truncate(1);
    for (cited, expected) in [
        (vec![], InformationPeriod::default()),
        (vec![minute("2016-12-19T08:00:00Z"), minute("2016-12-19T21:30:00Z")], {
            let day = Some(published("2016-12-19", crate::Precision::Day));
            InformationPeriod { from: day, until: day }
        }),
    ] {
        let citation = assessment.citations[0].clone();
        let citations = cited.iter().map(|published| Citation { published_at: Some(*published), ..citation.clone() });
        assert_eq!(Assessment { citations: citations.collect(), ..assessment.clone() }.evidence_period(), expected);
    }
}

#[test]
fn a_recording_is_known_by_the_name_of_its_model() {
    assert!(Producer::is_recording("replay:who"));
    assert!(!Producer::is_recording("anthropic:claude-sonnet-4-20250514") && !Producer::is_recording("extractive"));
}
