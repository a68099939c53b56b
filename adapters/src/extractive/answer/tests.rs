//! Answers to invented questions over invented texts: one claim per question kind, and no dependence on order.

use super::{Answer, Kind, Lexicon, Mode, Passage, analyse_question, hypotheses};

/// Passages from (document, text) pairs; each document is its own origin and its sentences follow one another.
pub(super) fn passages<'a>(rows: &'a [(&'a str, &'a str)]) -> Vec<Passage<'a>> {
    let mut starts = std::collections::HashMap::new();
    let mut made = Vec::new();
    for (key, (document, text)) in (0_u32..).zip(rows) {
        let start = starts.entry(*document).or_insert(0_usize);
        made.push(Passage {
            key,
            document,
            origin: document,
            text,
            start: *start,
            outlet: None,
            published: None,
            speaker: None,
            mode: Mode::Asserted,
        });
        *start += text.len() + 1;
    }
    made
}

pub(super) fn ask(question: &str, rows: &[(&str, &str)]) -> Answer {
    let lexicon = Lexicon::english().unwrap();
    hypotheses(&analyse_question(question, &lexicon), &passages(rows), &lexicon)
}

pub(super) fn first(answer: &Answer) -> &str {
    &answer.hypotheses[0].statement
}

pub(super) fn named<'a>(answer: &'a Answer, words: &str) -> Option<&'a super::Hypothesis> {
    answer.hypotheses.iter().find(|h| h.statement.contains(words))
}

const BRIDGE: &[(&str, &str)] = &[
    ("a", "Two spans of the Keldar bridge in Ostrava Vale fell into the river on Monday after a bomb attack."),
    ("a", "The Harrow Liberation Front (HLF) claimed responsibility for the attack in a call to a newspaper."),
    ("a", "Police said that the charges had been placed at night."),
    ("b", "The Interior Ministry blamed the Harrow Liberation Front for the bombing of the Keldar bridge."),
    ("b", "The HLF denied that it had attacked the school in Minsmere last year."),
    ("c", "A deputy accused the Brand cartel of the attack against the Keldar bridge in Ostrava Vale."),
    ("d", "The Northern Dockers Union met in Ostrava Vale to vote on wages."),
    ("d", "The Northern Dockers Union asked the Northern Dockers Union branches to wait."),
];

#[test]
fn who_names_the_claimant_before_the_accused_and_not_the_most_frequent_name() {
    let answer = ask("Who carried out the bombing against the Keldar bridge in Ostrava Vale?", BRIDGE);
    assert!(first(&answer).contains("Harrow Liberation Front (HLF)"), "{answer:#?}");
    assert!(named(&answer, "Brand cartel").is_some_and(|h| !h.supporting.is_empty()), "{answer:#?}");
    assert!(named(&answer, "Dockers").is_none_or(|h| h.probability < 0.1), "{answer:#?}");
}

#[test]
fn who_reads_text_wholly_in_capitals_alike() {
    let rows: Vec<(String, String)> = BRIDGE.iter().map(|(d, t)| ((*d).to_owned(), t.to_uppercase())).collect();
    let rows: Vec<(&str, &str)> = rows.iter().map(|(d, t)| (d.as_str(), t.as_str())).collect();
    let answer = ask("Who carried out the bombing against the Keldar bridge in Ostrava Vale?", &rows);
    assert!(first(&answer).contains("Harrow Liberation Front (HLF)"), "{answer:#?}");
}

#[test]
fn why_groups_causes_by_what_they_say() {
    let answer = ask(
        "Why was the Tessel dam closed?",
        &[
            ("a", "The Tessel dam was closed because of cracks in its north wall, engineers said."),
            ("b", "Cracks in the north wall led to the closure of the Tessel dam."),
            ("c", "The Tessel dam was closed because the ministry wanted to punish the valley, the mayor said."),
            ("c", "Bread was dear in the valley because of the drought."),
        ],
    );
    assert!(first(&answer).to_lowercase().contains("cracks in"), "{answer:#?}");
    assert_eq!(answer.hypotheses[0].supporting.len(), 2, "{answer:#?}");
    assert!(named(&answer, "punish the valley").is_some(), "{answer:#?}");
    assert!(named(&answer, "drought").is_none_or(|h| h.probability < answer.hypotheses[1].probability), "{answer:#?}");
}

#[test]
fn whether_sets_yes_against_no() {
    let answer = ask(
        "Will the Tessel dam reopen this year?",
        &[
            ("a", "The Tessel dam will reopen in May, the water board promised."),
            ("b", "The board expects the Tessel dam to reopen before the summer."),
            ("c", "The Tessel dam will not reopen before next year, its builder said."),
            ("d", "Farmers sold 300 tons of plums."),
        ],
    );
    assert_eq!(first(&answer), "The Tessel dam will reopen this year.", "{answer:#?}");
    let no = answer.hypotheses.iter().find(|h| h.statement.contains("not") && !h.none).unwrap();
    assert_eq!((no.supporting.as_slice(), no.against.len()), ([2].as_slice(), 2), "{answer:#?}");
}

#[test]
fn how_many_sets_figures_side_by_side_with_what_is_counted() {
    let rows = [
        ("a", "At least 12 people were killed and 30 wounded when the ferry Aurel sank."),
        ("b", "The sinking of the ferry Aurel killed 12 people, the coast guard said."),
        ("c", "Twenty-one passengers were killed on the ferry Aurel, relatives say."),
        ("d", "The ferry Aurel was built in 1987 and carried 140 passengers."),
    ];
    let answer = ask("How many people were killed in the sinking of the ferry Aurel?", &rows);
    assert!(first(&answer).contains("12 people"), "{answer:#?}");
    assert!(named(&answer, "Twenty-one passengers").is_some_and(|h| h.against.len() == 2), "{answer:#?}");
    assert!(named(&answer, "30").is_none() && named(&answer, "1987").is_none(), "{answer:#?}");
    let hurt = ask("How many people were wounded on the ferry Aurel?", &rows);
    assert!(first(&hurt).contains("30"), "{hurt:#?}");
}

#[test]
fn a_question_in_two_parts_reports_the_part_that_nothing_answers() {
    let answer = ask("Who carried out the attack on the Keldar bridge, and how many tons of grain did the mill lose?", BRIDGE);
    assert!(answer.gaps.iter().any(|g| g.text.contains("how many tons of grain")), "{answer:#?}");
    assert!(!first(&answer).contains("how many"), "{answer:#?}");
}

#[test]
fn passages_that_contradict_each_other_are_paired() {
    let answer = ask(
        "What happened to the ferry Aurel?",
        &[
            ("a", "The ferry Aurel sank off Cape Lorn with 12 people on board."),
            ("b", "The ferry Aurel sank off Cape Lorn with 21 people on board."),
            ("c", "The weather was fine."),
        ],
    );
    assert_eq!(answer.contradictions.len(), 1, "{answer:#?}");
}

#[test]
fn nothing_read_leaves_only_none_of_these() {
    for question in ["Who did it?", "", "Why?", "?!", "How many", "Will it", "Where is the Aurel?", "when"] {
        let answer = ask(question, &[]);
        assert_eq!(answer.hypotheses.len(), 1, "{question}");
        assert!(answer.hypotheses[0].none && (answer.hypotheses[0].probability - 1.0).abs() < 1e-9, "{question}");
    }
}

#[test]
fn probabilities_sum_to_one_and_order_of_arrival_does_not_matter() {
    let lexicon = Lexicon::english().unwrap();
    let questions = [
        "Who carried out the bombing against the Keldar bridge in Ostrava Vale?",
        "Why was the Keldar bridge attacked?",
        "Will the Northern Dockers Union strike?",
        "How many spans fell?",
        "What happened in Ostrava Vale?",
        "When did the bridge fall?",
        "Where did the dockers meet?",
    ];
    for text in questions {
        let question = analyse_question(text, &lexicon);
        let forward = passages(BRIDGE);
        let mut backward = passages(BRIDGE);
        backward.reverse();
        let answer = hypotheses(&question, &forward, &lexicon);
        assert_eq!(answer, hypotheses(&question, &backward, &lexicon), "{text}");
        let sum: f64 = answer.hypotheses.iter().map(|h| h.probability).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{text}: {sum}");
    }
}

#[test]
fn kinds_of_questions_are_told_apart() {
    let lexicon = Lexicon::english().unwrap();
    let cases = [
        ("Who sank the Aurel?", Kind::Who),
        ("By whom was the Aurel sunk?", Kind::Who),
        ("Which group sank the Aurel?", Kind::Who),
        ("Why did the Aurel sink?", Kind::Why),
        ("What caused the fire?", Kind::Why),
        ("Is the dam safe?", Kind::Whether),
        ("How likely is it that the dam fails?", Kind::Whether),
        ("How many sailors drowned?", Kind::HowMany),
        ("How did the Aurel sink?", Kind::How),
        ("When did the Aurel sink?", Kind::When),
        ("Where did the Aurel sink?", Kind::Where),
        ("What is known about the Aurel?", Kind::What),
        ("The Aurel", Kind::What),
    ];
    for (text, kind) in cases {
        assert_eq!(analyse_question(text, &lexicon).kind, kind, "{text}");
    }
}
