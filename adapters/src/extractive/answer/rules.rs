//! One rule of language or evidence each, on invented reports: who suffers a deed, what a figure counts, what was ruled out.

use super::forecasts::{chance, dated};
use super::tests::{ask, first, named, passages};
use super::{Lexicon, analyse_question, hypotheses};

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
fn an_answer_to_who_is_somebody() {
    let rows = [
        ("a", "Police arrested Bo Sund on suspicion of stealing the Orne Cup."),
        ("a", "In fact two guards were hurt."),
        ("b", "Three guards and a cleaner were hurt, prosecutor Ann Vale said."),
        ("b", "Mayor Ivo Kadar denied that the Red Kite gang stole the Orne Cup."),
    ];
    for (question, never) in [
        ("Who stole the Orne Cup?", "uspicion"),
        ("Who was hurt?", "Fact"),
        ("Who was hurt?", "cleaner was"),
        ("Who is Ann Vale?", "is Ann Vale"),
        ("Who denied that the Red Kite gang stole the Orne Cup?", "carried out"),
    ] {
        let answer = ask(question, &rows);
        assert!(named(&answer, never).is_none(), "{question}: {answer:#?}");
    }
    assert!(first(&ask("Who denied that the Red Kite gang stole the Orne Cup?", &rows)).contains("Ivo Kadar denied"));
}

#[test]
fn a_side_is_taken_by_what_speaks_of_the_verb_and_the_subject() {
    let rows = [
        ("a", "The alarm of the Orne Hall was switched off when the Orne Cup was stolen."),
        ("b", "Mayor Ann Vale denied that the alarm was switched off during the theft of the Orne Cup."),
        ("c", "Police arrested Bo Sund over the theft of the Orne Cup from the Orne Hall."),
        ("e", "The gallery, from which the Orne Cup was stolen, stays closed."),
        ("d", "Bo Sund stole the Orne Cup, the prosecutor said."),
    ];
    let alarm = ask("Was the alarm of the Orne Hall switched off during the theft?", &rows);
    assert_eq!((alarm.hypotheses[0].supporting.len(), alarm.hypotheses[0].against.len()), (1, 1), "{alarm:#?}");
    let sund = ask("Did Bo Sund steal the Orne Cup?", &rows);
    assert!(!sund.hypotheses[0].supporting.contains(&3), "{sund:#?}");
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
fn a_note_on_an_own_report_gives_the_right_figure_last() {
    let early = ("a", "2031-05-01", "Three guards were injured, a spokesman of the mint said.");
    let note = (
        "b",
        "2031-05-02",
        "Our report of Monday said that three guards were injured. In fact two guards were injured. We regret the error.",
    );
    let answer = dated("How many guards were injured?", &[early, note]);
    assert_eq!(first(&answer), "Two guards were injured.", "{answer:#?}");
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

#[test]
fn nobody_is_told_to_have_done_or_suffered_what_another_clause_says() {
    let rows = [
        ("a", "Anna Vale lives in Ostra; police claimed Anna Vale had fled."),
        ("a", "Anna Vale left Ostra."),
        ("a", "Lena Kord, arrested on Monday, owns the yard in Ostra."),
        ("b", "Peter Sund died in hospital in Ostra."),
        ("b", "Oskar Brill was killed by Ruben Harrow in Ostra."),
        ("c", "The harbour guard arrested and questioned Bo Marn in Ostra."),
        ("c", "Mara Oster resigned in Ostra."),
    ];
    for (question, told, never) in [
        ("Who was killed in Ostra?", "Peter Sund was killed", "Anna Vale"),
        ("Who killed Oskar Brill?", "Ruben Harrow killed", "Peter Sund"),
        ("Who arrested Bo Marn?", "The harbour guard arrested", "Lena Kord"),
        ("Who was arrested in Ostra?", "Lena Kord was arrested", "guard"),
        ("Who resigned in Ostra?", "Mara Oster resigned", "Anna Vale"),
    ] {
        let answer = ask(question, &rows);
        assert!(named(&answer, told).is_some(), "{question}: {answer:#?}");
        assert!(named(&answer, never).is_none(), "{question}: {answer:#?}");
    }
}

#[test]
fn a_name_that_ends_like_a_verb_is_a_name() {
    let rows =
        [("a", "Anna Vale met the painter Carlos Vega, who won the prize of Ostra."), ("b", "Carlos resigned on Monday.")];
    let answer = ask("Who is Carlos Vega?", &rows);
    assert!(first(&answer).contains("painter Carlos Vega"), "{answer:#?}");
    assert!(named(&answer, "Anna Vale is").is_none(), "{answer:#?}");
    assert!(first(&ask("Who resigned?", &rows)).starts_with("Carlos Vega resigned"));
}

#[test]
fn who_takes_an_office_is_not_who_leaves_it() {
    let asked = "Who is the chief executive of Brand Haulage?";
    for text in [
        "Ivo Teig became chief executive of Brand Haulage after Olga Marn resigned.",
        "Ivo Teig, the chief executive of Brand Haulage, replaced Olga Marn.",
        "Ivo Teig, who left Olga Marn in 2020, is the chief executive of Brand Haulage.",
        "Ivo Teig replaced Olga Marn as chief executive of Brand Haulage.",
        "Ivo Teig, the chief executive of Brand Haulage, sacked two drivers.",
    ] {
        let answer = ask(asked, &[("a", text)]);
        assert!(first(&answer).starts_with("Ivo Teig is") && named(&answer, "Olga").is_none(), "{text}: {answer:#?}");
        assert!(answer.hypotheses[0].against.is_empty(), "{text}: {answer:#?}");
    }
    let left = ask(
        asked,
        &[
            ("a", "Ivo Teig, the chief executive of Brand Haulage, was sacked."),
            ("b", "Olga Marn is the chief executive of Brand Haulage."),
        ],
    );
    assert!(first(&left).starts_with("Olga Marn is") && named(&left, "Ivo Teig is").is_none(), "{left:#?}");
}

#[test]
fn only_what_is_said_of_the_clause_turns_a_side() {
    for text in [
        "The owner denied a charge of fraud, and said that the Ostra gate had jammed.",
        "The court ruled that the Ostra gate had jammed.",
        "Before the storm, the Ostra gate jammed.",
    ] {
        let answer = ask("Did the Ostra gate jam?", &[("a", text)]);
        assert_eq!(first(&answer), "The Ostra gate did jam.", "{text}: {answer:#?}");
    }
    for text in [
        "The court denied that the Ostra gate had jammed.",
        "The court ruled out that the Ostra gate had jammed.",
        "The builder rejected on Monday, in a letter to the harbour office, claims that the Ostra gate had jammed.",
    ] {
        let answer = ask("Did the Ostra gate jam?", &[("a", text)]);
        assert_eq!(first(&answer), "The Ostra gate did not jam.", "{text}: {answer:#?}");
    }
}

#[test]
fn a_toll_of_another_event_withdraws_nothing() {
    let right = ("a", "2031-05-01", "Nine miners died in the Ostra pit, the mayor said.");
    for other in [
        "The death toll of the Minsmere flood rose to 40.",
        "Olga Marn replaces the head of the Minsmere hospital, where 40 people died.",
    ] {
        let answer = dated("How many people died in the Ostra pit?", &[right, ("b", "2031-05-03", other)]);
        assert!(first(&answer).contains("Nine miners"), "{other}: {answer:#?}");
        assert!(chance(&answer, "Nine miners") > 2.0 * chance(&answer, "40"), "{other}: {answer:#?}");
    }
}

#[test]
fn a_count_of_what_others_did_is_told_by_itself() {
    let answer = ask("How many soldiers did rebels kill in Ostra?", &[("a", "Rebels killed 12 soldiers in Ostra.")]);
    assert_eq!(first(&answer), "The number is 12 soldiers.", "{answer:#?}");
}

#[test]
fn a_sentence_far_before_is_not_the_sentence_before() {
    let lexicon = Lexicon::english().unwrap();
    let rows = [("a", "Mara Oster leads the union in Ostra."), ("a", "She resigned on Monday.")];
    for (gap, told) in [(0, true), (400, false)] {
        let mut made = passages(&rows);
        made[1].start += gap;
        let answer = hypotheses(&analyse_question("Who resigned?", &lexicon), &made, &lexicon);
        assert_eq!(named(&answer, "Mara Oster resigned").is_some_and(|h| h.supporting == [1]), told, "{gap}: {answer:#?}");
    }
}

#[test]
fn a_small_word_of_a_name_does_not_name_it() {
    let rows = [
        ("a", "The Bank of Ostra was closed because its vault had been flooded."),
        ("b", "The mill was closed because of the dust of the harvest."),
    ];
    let answer = ask("Why was the Bank of Ostra closed?", &rows);
    assert!(first(&answer).contains("flooded") && named(&answer, "dust").is_none(), "{answer:#?}");
}
