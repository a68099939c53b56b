//! Questions of yes or no with a day in them, on invented reports: promises, forecasts, conditions that fail.

use super::tests::{ask, first, named, passages};
use super::{Answer, Lexicon, Mode, analyse_question, hypotheses};

/// Asks of dated passages: (document, day, text).
pub(super) fn dated(question: &str, rows: &[(&str, &str, &str)]) -> Answer {
    let lexicon = Lexicon::english().unwrap();
    let plain: Vec<(&str, &str)> = rows.iter().map(|(document, _, text)| (*document, *text)).collect();
    let mut made = passages(&plain);
    for (passage, (_, day, text)) in made.iter_mut().zip(rows) {
        passage.published = Some(day);
        passage.mode = if text.contains("will") || text.contains("expects") { Mode::Forecast } else { Mode::Asserted };
    }
    hypotheses(&analyse_question(question, &lexicon), &made, &lexicon)
}

pub(super) fn chance(answer: &Answer, words: &str) -> f64 {
    named(answer, words).map_or(0.0, |h| h.probability)
}

const BRIDGE: &str = "Will the Tessel bridge reopen by 30 June?";
const PROMISE: (&str, &str, &str) =
    ("a", "2031-03-20", "The road office will reopen the Tessel bridge by 30 June, its head said.");

#[test]
fn a_day_past_the_one_asked_about_speaks_against() {
    let alone = dated(BRIDGE, &[PROMISE]);
    assert!(first(&alone).contains("will reopen"), "{alone:#?}");
    let rival = dated(
        BRIDGE,
        &[
            PROMISE,
            ("b", "2031-03-22", "The Tessel bridge will reopen in September, its builder expects."),
            ("c", "2031-03-25", "The Tessel bridge will not reopen before the end of August, engineers said."),
        ],
    );
    assert!(chance(&rival, "will not reopen") > chance(&rival, "bridge will reopen"), "{rival:#?}");
}

#[test]
fn no_in_other_words_counts_when_its_day_is_past_the_one_asked_about() {
    let answer = dated(
        BRIDGE,
        &[PROMISE, ("b", "2031-03-22", "The hauliers do not expect a lorry on the Tessel bridge before October.")],
    );
    assert!(named(&answer, "will not reopen").is_some_and(|h| h.supporting == [1]), "{answer:#?}");
}

#[test]
fn a_condition_that_is_not_met_speaks_against_what_depends_on_it() {
    let promise = ("a", "2031-03-20", "The Tessel bridge will reopen by 30 June if the new cables arrive by 20 May.");
    let kept = dated(BRIDGE, &[promise]);
    let late =
        dated(BRIDGE, &[promise, ("b", "2031-04-01", "The rope works said that the new cables cannot arrive before 9 June.")]);
    assert!(chance(&late, "will not reopen") > chance(&kept, "will not reopen") + 0.2, "{late:#?}");
    let early =
        dated(BRIDGE, &[promise, ("b", "2031-04-01", "The rope works said that the new cables cannot arrive before 2 May.")]);
    assert!(chance(&early, "will not reopen") <= chance(&kept, "will not reopen"), "{early:#?}");
}

#[test]
fn an_event_in_the_question_has_the_day_that_the_passages_give_it() {
    let answer = dated(
        "Will the Tessel bridge reopen before the fair?",
        &[
            ("a", "2031-03-20", "The fair in Tessel begins on 10 July."),
            ("b", "2031-03-22", "The Tessel bridge will reopen on 1 September, its builder said."),
        ],
    );
    assert!(first(&answer).contains("will not reopen"), "{answer:#?}");
}

#[test]
fn a_question_that_names_only_a_deed_is_of_the_documents_at_hand() {
    let rows = [
        ("a", "The ferry Aurel sank off Cape Lorn."),
        ("a", "Twelve people were killed and 30 wounded, the coast guard said."),
    ];
    let answer = ask("How many people were killed?", &rows);
    assert!(first(&answer).contains("Twelve people"), "{answer:#?}");
    assert!(named(&answer, "30").is_none(), "{answer:#?}");
}
