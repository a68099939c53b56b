//! Three versions of one question, the second of which drops a hypothesis, a gap and a citation.

use super::*;
use crate::assessment::tests::complete;

fn terms(text: &str) -> Vec<String> {
    crate::text::words(text).map(str::to_lowercase).collect()
}

fn first() -> Assessment {
    let mut first = complete();
    first.body.change = None;
    first
}

/// The first version without H2, its gap and its second citation, and with a new citation for H1.
fn second(summary: &str) -> Assessment {
    let mut second = complete();
    let cited = Citation {
        marker: 4,
        document_title: "Gate record".into(),
        quote: "The gate record names a member of the crew.".into(),
        span: crate::claim::Span { start: 300, end: 343 },
        ..second.citations[0].clone()
    };
    second.citations.retain(|citation| citation.marker != 2);
    second.citations.push(cited);
    let body = &mut second.body;
    body.change.as_mut().unwrap().summary = summary.into();
    body.gaps.clear();
    body.hypotheses.retain(|one| one.id != "H2");
    body.hypotheses[0].statement = "A member of the night crew cut the power".into();
    body.hypotheses[0].probability = Some(0.8);
    body.hypotheses[0].supporting = vec![1, 4];
    body.hypotheses[1].probability = Some(0.2);
    // The ids are counted anew.
    for (n, one) in body.hypotheses.iter_mut().enumerate() {
        one.id = format!("H{}", n + 1);
    }
    second
}

/// The first version with another leader.
fn third() -> Assessment {
    let mut third = first();
    third.body.hypotheses[0].probability = Some(0.2);
    third.body.hypotheses[1].probability = Some(0.7);
    third
}

#[test]
fn a_comparison_names_losses_moves_and_new_evidence() {
    let silent = Comparison::new(&first(), &second("The crew is named now."), terms);
    let lost: Vec<&str> = silent.losses.hypotheses.iter().map(|one| &*one.statement).collect();
    assert_eq!(lost, ["The Halden line had it cut"]);
    assert_eq!(silent.losses.gaps, ["Nothing is known of the fuse that was found."]);
    assert_eq!(silent.losses.citations.iter().map(|one| &*one.document).collect::<Vec<_>>(), ["The log"]);
    let moved = &silent.hypotheses[0];
    assert_eq!((moved.change.probability, moved.change.points()), ((Some(0.6), Some(0.8)), Some(20)));
    assert_eq!(moved.new_evidence, EvidenceSides { supporting: vec![4], against: vec![] });
    assert_eq!(moved.lost_evidence, EvidenceSides { supporting: vec![], against: vec![2] });
    let change = silent.belief_change();
    assert!(change.is_notable());
    assert_eq!(change.words(), "leading answer +20 points, dropped without mention: 1 hypothesis, 1 gap and 1 citation");
    assert_eq!(
        silent.sentence(),
        "Who cut the power? “A member of the night crew cut the power” still leads: it rose by 20 points to 80\u{a0}%. \
         1 answer moved by 15 points or more. Dropped without mention: the hypothesis “The Halden line had it cut”, the gap \
         “Nothing is known of the fuse that was found” and 1 citation."
    );
}

#[test]
fn the_account_of_a_change_makes_up_for_what_it_mentions() {
    let summary = "The Halden line is ruled out: The log was forged. It is known now that the fuse that was found was old.";
    let spoken = Comparison::new(&first(), &second(summary), terms);
    assert_eq!(spoken.losses, Losses::default());
    assert!(spoken.hypotheses.iter().any(|one| one.change.later.is_none()), "it is gone all the same");
}

#[test]
fn an_answer_that_was_dropped_and_comes_back_is_one_line() {
    let versions = [first(), second(""), third()];
    let lines = answer_lines(&versions.each_ref().map(|version| &version.body), terms);
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[0].probabilities, [Some(0.6), Some(0.8), Some(0.2)]);
    assert_eq!(
        (&*lines[1].statement, &*lines[1].probabilities),
        ("The Halden line had it cut", &[Some(0.3), None, Some(0.7)][..])
    );
    assert_eq!(lines[2].probabilities, [Some(0.1), Some(0.2), Some(0.1)], "each part has a \"none of these\" of its own");
    assert_eq!(lines[5].probabilities, [Some(0.05); 3]);
}

#[test]
fn another_leader_is_named_with_the_one_before() {
    let change = Comparison::new(&first(), &third(), terms);
    assert!(change.losses.is_empty() && change.belief_change().is_other_leader && change.belief_change().is_notable());
    assert!(
        change.sentence().starts_with(
            "Who cut the power? “The Halden line had it cut” leads now with 70\u{a0}%; before, it was “A member of the night \
             crew cut it”. 2 answers moved"
        ),
        "{}",
        change.sentence()
    );
    let same = Comparison::new(&first(), &first(), terms);
    assert!(same.is_same() && !same.belief_change().is_notable());
    assert_eq!(same.belief_change().words(), "leading answer unchanged");
}

#[test]
fn a_follow_up_is_compared_by_the_hypotheses_that_it_has_in_common_with_what_it_follows() {
    let mut follow_up = second("");
    let body = &mut follow_up.body;
    body.hypotheses[0].statement = "The power was cut by a member of the night crew".into();
    let change = BeliefChange::of_follow_up(&first(), &follow_up, terms).unwrap();
    assert!(change.is_notable() && !change.is_other_leader && change.lost_hypotheses == 0, "{change:?}");
    assert!(change.words().ends_with("in common, largest move +20 points"), "{}", change.words());
    for one in follow_up.body.hypotheses.iter_mut().filter(|one| !one.is_none) {
        one.statement = format!("Somebody else {}", one.id);
    }
    assert_eq!(BeliefChange::of_follow_up(&first(), &follow_up, terms), None, "\"none of these\" alone is no common ground");
}

#[test]
fn reworded_statements_are_paired_and_those_of_one_frame_are_not() {
    let phrases = |texts: [&str; 2]| texts.map(|text| Phrase::new(text, terms));
    let before = phrases(["The guards opened the lock gate", "The Front planned it"]);
    assert_eq!(partners(&before, &phrases(["It was an accident", "The guards opened the gate of the lock"])), [Some(1), None]);
    let before = phrases(["The brigade set the fire at the depot", "The police set the fire at the depot"]);
    let after = phrases(["Oskar Feld set the fire at the depot", "The brigade set the fire at the depot"]);
    assert_eq!(partners(&before, &after), [Some(1), None]);
}

#[test]
fn a_move_is_written_in_points() {
    assert_eq!([12, -1, 0].map(point_words), ["+12 points", "−1 point", "no change"]);
}
