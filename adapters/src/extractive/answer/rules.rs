//! One rule of language or evidence each, on invented reports: who suffers a deed, what a figure counts, what was ruled out.

use super::forecasts::{chance, dated};
use super::tests::{ask, first, named};

#[test]
fn what_suffered_the_event_is_not_to_blame_for_it() {
    let answer = ask(
        "Who was to blame for the collapse of the Tessel Tower?",
        &[
            ("a", "The collapse of the Tessel Tower shook the valley; the Tessel Tower was the pride of Minsmere."),
            ("b", "The council blamed Brand Masonry for the collapse of the Tessel Tower."),
        ],
    );
    assert!(first(&answer).starts_with("Brand Masonry"), "{answer:#?}");
    assert!(named(&answer, "Tessel Tower was to blame").is_none_or(|h| h.statement.starts_with("Brand")), "{answer:#?}");
}

#[test]
fn victim_and_killer_are_told_apart_in_either_voice() {
    let rows = [
        ("a", "The guard Oskar Brill was killed by Ruben Harrow at the Ostra mill."),
        ("b", "Anna Vale, the owner of the mill, killed Peter Sund in the spring."),
    ];
    for (question, names) in [
        ("Who was killed?", ["Oskar Brill was", "Peter Sund was"]),
        ("Who killed Oskar Brill?", ["Ruben Harrow killed", "Ruben Harrow killed"]),
        ("Who killed Peter Sund?", ["Anna Vale killed", "Anna Vale killed"]),
    ] {
        let answer = ask(question, &rows);
        assert!(names.iter().any(|name| first(&answer).starts_with(name)), "{question}: {answer:#?}");
    }
}

#[test]
fn plain_questions_of_who_are_read_from_their_clauses() {
    let rows = [
        ("a", "Brand Haulage's chief executive, Ann Vale, said that the lorries were safe."),
        ("a", "Police arrested the head of the yard, Bo Sund, on Monday."),
        ("b", "Mara Oster, who leads the union, resigned last week."),
        ("b", "She was replaced by Ivo Kadar."),
    ];
    for (question, told) in [
        ("Who is the chief executive of Brand Haulage?", "Ann Vale is the chief executive"),
        ("Who was arrested?", "Bo Sund was arrested."),
        ("Who leads the union?", "Mara Oster leads"),
        ("Who resigned?", "Mara Oster resigned."),
        ("Who replaced Mara Oster?", "Ivo Kadar replaced"),
    ] {
        let answer = ask(question, &rows);
        assert!(first(&answer).starts_with(told), "{question}: {answer:#?}");
    }
}

#[test]
fn a_figure_counts_the_class_that_it_is_told_of() {
    let rows = [
        ("a", "2031-05-01", "Nine miners died in the Ostra pit, 14 were injured and 61 were rescued, among them two boys."),
        ("b", "2031-05-02", "Three more bodies were found in the Ostra pit; two of the rescued died at night."),
        ("c", "2031-05-03", "The death toll of the Ostra pit rose to 17."),
        ("d", "2031-05-04", "The hospital has corrected the number of injured to 19."),
    ];
    for (question, told) in [
        ("How many miners died in the Ostra pit?", "17 miners died in the Ostra pit."),
        ("How many people were rescued?", "61 people were rescued."),
        ("How many were injured?", "19 were injured."),
    ] {
        let answer = dated(question, &rows);
        assert_eq!(first(&answer), told, "{answer:#?}");
    }
}

#[test]
fn a_later_toll_withdraws_an_earlier_one_and_not_the_other_way_round() {
    let early = ("a", "2031-05-01", "The death toll in Minsmere rose to 12.");
    let late = ("b", "2031-05-03", "The death toll in Minsmere now stands at 11, as one man was counted twice.");
    let answer = dated("How many people died in Minsmere?", &[early, late]);
    assert!(chance(&answer, "11 people") > 3.0 * chance(&answer, "12 people"), "{answer:#?}");
}

#[test]
fn what_left_no_trace_and_what_was_ruled_out_speaks_against() {
    let rows = [
        ("a", "A boatman said that the barge Aurel had hit a mine."),
        ("b", "Divers found no trace of a mine on the barge Aurel."),
        ("c", "The harbour office ruled out a mine as it examined the barge Aurel."),
        ("d", "There is nothing to suggest that the barge Aurel hit a mine, its owner said."),
    ];
    let answer = ask("Did the barge Aurel hit a mine?", &rows);
    assert_eq!(first(&answer), "The barge Aurel did not hit a mine.", "{answer:#?}");
    assert_eq!(answer.hypotheses[0].supporting.len(), 3, "{answer:#?}");
    assert_eq!(answer.hypotheses[0].against, [0], "{answer:#?}");
}

#[test]
fn more_independent_voices_make_a_side_likelier() {
    let yes = ["The lock keeper said that the Ostra gate had jammed.", "The Ostra gate jammed, a skipper said."];
    let no = "The Ostra gate did not jam, the builder said.";
    let ask_of = |told: &[(&str, &str)]| ask("Did the Ostra gate jam?", told);
    let even = ask_of(&[("a", yes[0]), ("c", no)]);
    let more = ask_of(&[("a", yes[0]), ("b", yes[1]), ("c", no)]);
    assert!(chance(&more, "did jam") > chance(&even, "did jam"), "{even:#?} {more:#?}");
    assert!(chance(&more, "did jam") > chance(&more, "did not jam"), "{more:#?}");
}

#[test]
fn a_cause_is_one_of_the_event_asked_about() {
    let answer = ask(
        "Why did the barge Aurel sink?",
        &[
            ("a", "The search on the barge Aurel ended after divers had seen the hold."),
            ("a", "The barge Aurel sank because water came in through a rotten plank."),
            ("b", "Bread is dear in Minsmere because the mills stand still."),
            ("b", "The barge Aurel had been painted because her owner wanted to sell her."),
        ],
    );
    assert!(first(&answer).contains("rotten plank"), "{answer:#?}");
    assert!(["divers", "mills"].iter().all(|other| named(&answer, other).is_none()), "{answer:#?}");
    assert!(answer.gaps.iter().all(|gap| !gap.text.contains("sink")), "sank is a form of sink: {answer:#?}");
}
