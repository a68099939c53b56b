//! The Brief by hand: what stands open of hand-made assessments.

use super::*;
use crate::assessment::{ConditionalProbability, EvidenceBrief, ItemOutcome, Statement, tests::hypothesis};

const STORED_BEFORE: &str = include_str!("../tests/stored_before.json");
const COMPLETE: &str = include_str!("../tests/complete.json");

fn stored(json: &str) -> Assessment {
    serde_json::from_str(json).unwrap()
}

/// An assessment with nothing but a bottom line.
fn bare(bottom_line: &str) -> Assessment {
    let body = Body { bottom_line: bottom_line.into(), ..EvidenceBrief::default().into() };
    Assessment { body, question: "Who?".into(), ..stored(STORED_BEFORE) }
}

fn gap(words: usize) -> Gap {
    Gap { text: "word ".repeat(words), ..Gap::default() }
}

#[test]
fn answers_stand_by_probability_and_only_small_ones_are_folded() {
    let all = [("H1", 0.04, false), ("H2", 0.25, false), ("H3", 0.06, true), ("H4", 0.62, false), ("H5", 0.03, false)];
    let all = all.map(|(id, probability, is_none)| hypothesis(id, probability, is_none));
    let ranked = rank_answers(&all.iter().collect::<Vec<_>>());
    let rows: Vec<_> = ranked.iter().map(|answer| (answer.hypothesis.id.as_str(), answer.share, answer.is_folded)).collect();
    assert_eq!(rows, [("H4", 62, false), ("H2", 25, false), ("H1", 4, true), ("H5", 3, true), ("H3", 6, false)]);

    let all = [hypothesis("H1", 0.997, false), hypothesis("H2", 0.003, false), hypothesis("H3", 0.0, true)];
    let ranked = rank_answers(&all.iter().collect::<Vec<_>>());
    assert_eq!(ranked.len(), 1, "no answer of 0 %: {ranked:?}");
}

#[test]
fn the_first_entry_of_every_list_is_open_and_further_ones_are_while_words_last() {
    let mut assessment = bare(&"word ".repeat(233));
    let whole = stored(COMPLETE).body;
    assessment.body.gaps = vec![gap(30), gap(30), gap(30), gap(5)];
    assessment.body.indicators = vec![whole.indicators[0].clone(); 2];
    assessment.body.impacts = vec![whole.impacts[0].clone(); 4];
    let digest = Digest::new(&assessment);
    assert!(digest.words() <= MAX_BRIEF_WORDS && digest.minutes_to_read() == 3, "{}", digest.words());
    assert_eq!((digest.gaps.open.len(), digest.gaps.folded.len()), (2, 2), "no shorter entry before a longer one");
    assert_eq!((digest.flips.open.len(), digest.impacts.open.len(), digest.impacts.folded.len()), (2, 3, 1));

    assessment.body.bottom_line = "word ".repeat(500);
    let digest = Digest::new(&assessment);
    assert_eq!((digest.gaps.open.len(), digest.flips.open.len(), digest.impacts.open.len()), (1, 1, 1));
    assert!(digest.reasons.open.is_empty() && digest.objection.is_none(), "nothing is invented");
}

#[test]
fn an_assessment_without_an_argument_argues_with_its_leading_answer() {
    let digest = Digest::new(&stored(STORED_BEFORE));
    let [reason] = digest.reasons.open.as_slice() else { panic!("{:?}", digest.reasons) };
    assert!(reason.text.ends_with("Some say outright that it did it."), "{}", reason.text);
    let sources: Vec<_> = reason.sources.iter().map(|source| source.name.as_str()).collect();
    assert_eq!((sources, &*reason.citations), (vec!["Harbour Gazette", "Tolm Radio"], &[1, 2][..]));
    let objection = digest.objection.as_ref().unwrap();
    assert_eq!((objection.label, &*objection.reason.text), ("Weak point", "One passage speaks against it."));
    assert_eq!(digest.flips.open[0].effect.as_deref(), Some("▲ supports H1"));
    assert!(digest.gaps.open.is_empty() && digest.impacts.open.is_empty(), "it has none");
    assert!(digest.words() <= MAX_BRIEF_WORDS, "{}", digest.words());
}

#[test]
fn a_stated_reason_shows_each_source_once_and_an_indicator_shows_how_far_it_moves_an_answer() {
    let mut assessment = stored(COMPLETE);
    let body = &mut assessment.body;
    let text = "The Tessin Courier reports that the gate was opened with a key [1].".to_owned();
    body.argument.reasons = vec![Statement { text, citations: vec![1, 2] }];
    body.argument.objection = Some(Statement { text: "Nobody has seen the log.".into(), citations: vec![] });
    body.questions[0].answer = None;
    body.indicators[1].effects = vec![ConditionalProbability { hypothesis: "H2".into(), probability: 0.45 }];
    let settled = &mut body.change.as_mut().unwrap().settled;
    let open = SettledItem { outcome: ItemOutcome::StillOpen, ..settled[0].clone() };
    settled.insert(0, open);
    let digest = Digest::new(&assessment);
    let reason = &digest.reasons.open[0];
    assert_eq!(reason.sources.iter().map(|source| source.name.as_str()).collect::<Vec<_>>(), ["East Bank Radio"]);
    assert_eq!(digest.objection.as_ref().unwrap().label, "Strongest objection");
    let first = &digest.flips.open[0];
    assert_eq!(first.indicator.as_deref(), Some("I2"), "an indicator with an effect comes first");
    assert_eq!(first.effect.as_deref(), Some("if so, H2\u{a0}30\u{a0}→\u{a0}45\u{a0}%"));
    assert_eq!(digest.settled.open[0].outcome, ItemOutcome::Happened, "what has an outcome comes first");
    assert_eq!(digest.markers(&assessment), BTreeSet::from([1, 2, 3]));
    assert!(digest.words() <= MAX_BRIEF_WORDS, "{}", digest.words());

    assessment.body.change = None;
    assessment.body.bottom_line = "They run again.".into();
    assessment.body.impacts.clear();
    assessment.body.argument.reasons[0].citations.clear();
    assert_eq!(Digest::new(&assessment).markers(&assessment), BTreeSet::from([1]), "only what is printed");
}

/// The order of indicators that move one answer each.
fn order_of_flips<const N: usize>(answers: [(&str, f64, bool); 3], effects: [(&str, &str, f64); N]) -> Vec<String> {
    let mut assessment = bare("They run.");
    let body = &mut assessment.body;
    body.hypotheses = answers.map(|(id, probability, is_none)| hypothesis(id, probability, is_none)).into();
    let whole = stored(COMPLETE).body;
    let indicator = |(id, answer, probability): (&str, &str, f64)| {
        let mut indicator = whole.indicators[0].clone();
        indicator.id = id.to_owned();
        indicator.effects = vec![ConditionalProbability { hypothesis: answer.to_owned(), probability }];
        indicator
    };
    body.indicators = effects.map(indicator).into();
    argument::flips(body).into_iter().filter_map(|flip| flip.indicator).collect()
}

#[test]
fn indicators_that_move_the_leading_answer_most_come_first() {
    let answers = [("H1", 0.72, false), ("H2", 0.17, false), ("H3", 0.11, true)];
    let effects = [("I1", "H2", 0.28), ("I2", "H1", 0.9), ("I3", "H1", 0.4), ("I4", "H2", 0.75)];
    let (found, expected) = (order_of_flips(answers, effects), ["I4", "I3", "I2", "I1"]);
    assert_eq!(found, expected, "a change of order, then the move of the leading answer, then the rest");
}

#[test]
fn the_answer_that_an_indicator_must_overtake_is_the_first_of_the_ranking() {
    let answers = [("H1", 0.40, false), ("H2", 0.12, false), ("H3", 0.48, true)];
    let effects = [("I1", "H3", 0.9), ("I2", "H1", 0.3), ("I3", "H2", 0.45)];
    assert_eq!(order_of_flips(answers, effects), ["I3", "I2", "I1"], "\"none of these\" is last");
    let answers = [("H1", 0.40, false), ("H2", 0.40, false), ("H3", 0.20, true)];
    let effects = [("I1", "H1", 0.5), ("I2", "H2", 0.45)];
    assert_eq!(order_of_flips(answers, effects), ["I2", "I1"], "of equals, the first leads");
}

#[test]
fn the_answers_to_parts_are_folded_and_cost_no_words_of_the_page() {
    let mut assessment = stored(COMPLETE);
    assessment.body.questions[0].answer = Some("They did it [3].".into());
    let short = Digest::new(&assessment).words();
    assessment.body.questions[0].answer = Some("word ".repeat(300) + "[3]");
    assessment.body.bottom_line = "They did it [2].".into();
    assessment.body.impacts.clear();
    let digest = Digest::new(&assessment);
    assert!(digest.words() < short, "{} and {short}", digest.words());
    assert!(!digest.markers(&assessment).contains(&3), "what is folded is not printed");
}
