//! What evidence is worth, on invented reports: findings before accusations, one voice per outlet, corrections.

use super::{Answer, Lexicon, Mode, Passage, analyse_question, hypotheses};

/// One report: outlet, day, speaker, text.
type Row<'a> = (&'a str, &'a str, Option<&'a str>, &'a str);

fn ask(question: &str, rows: &[Row<'_>]) -> Answer {
    let lexicon = Lexicon::english().unwrap();
    let documents: Vec<String> = (0..rows.len()).map(|n| format!("d{n}")).collect();
    let passages: Vec<Passage<'_>> = (0_u32..)
        .zip(rows.iter().zip(&documents))
        .map(|(key, ((outlet, published, speaker, text), document))| Passage {
            key,
            document,
            origin: document,
            text,
            start: 0,
            outlet: Some(outlet),
            published: Some(published),
            speaker: *speaker,
            mode: Mode::Asserted,
        })
        .collect();
    hypotheses(&analyse_question(question, &lexicon), &passages, &lexicon)
}

fn probability(answer: &Answer, name: &str) -> f64 {
    answer.hypotheses.iter().find(|h| h.statement.contains(name)).map_or(0.0, |h| h.probability)
}

const WHO: &str = "Who was behind the explosion at the Tollen Mill?";
const BLAMED: Row<'_> = (
    "Herald",
    "2031-05-02",
    Some("Minister Oskar Brill"),
    "Minister Oskar Brill blamed the Tollen Free Front for the explosion at the Tollen Mill.",
);
const BLAMED_AGAIN: Row<'_> = (
    "Morning Post",
    "2031-05-02",
    Some("Mr Brill"),
    "The Tollen Free Front carried out the explosion at the Tollen Mill, Mr Brill said.",
);
const ARRESTED: Row<'_> = (
    "Ledger",
    "2031-05-09",
    None,
    "Prosecutors arrested two guards of Brand Security on suspicion of causing the explosion at the Tollen Mill.",
);
const RECORDED: Row<'_> = (
    "Radio Tollen",
    "2031-05-10",
    None,
    "The door log shows that Brand guards placed the charge for the explosion at the Tollen Mill.",
);
const DENIED: Row<'_> =
    ("Wire", "2031-05-03", None, "The Tollen Free Front denied that it carried out the explosion at the Tollen Mill.");

#[test]
fn findings_outweigh_accusations_and_people_of_a_body_are_that_body() {
    let answer = ask(WHO, &[BLAMED, BLAMED_AGAIN, ARRESTED, RECORDED, DENIED]);
    assert!(answer.hypotheses[0].statement.contains("Brand Security"), "{answer:#?}");
    assert!(probability(&answer, "Free Front") > 0.0, "{answer:#?}");
    assert!(!answer.hypotheses.iter().any(|h| h.statement.starts_with("Brand guards")), "{answer:#?}");
}

#[test]
fn texts_of_one_outlet_are_one_voice() {
    let same = [BLAMED, ("Herald", BLAMED_AGAIN.1, None, BLAMED_AGAIN.3), DENIED, ARRESTED];
    let other = [BLAMED, ("Morning Post", BLAMED_AGAIN.1, None, BLAMED_AGAIN.3), DENIED, ARRESTED];
    let (same, other) = (ask(WHO, &same), ask(WHO, &other));
    assert!(probability(&same, "Free Front") <= probability(&other, "Free Front"), "{same:#?} {other:#?}");
}

#[test]
fn a_claim_found_to_be_forged_weighs_against() {
    let forged: Row<'_> = (
        "Ledger",
        "2031-05-08",
        None,
        "The leaflet that claimed the explosion at the Tollen Mill for the Tollen Free Front is a forgery.",
    );
    let before = ask(WHO, &[BLAMED, BLAMED_AGAIN, ARRESTED, RECORDED]);
    let after = ask(WHO, &[BLAMED, BLAMED_AGAIN, ARRESTED, RECORDED, forged]);
    assert!(probability(&after, "Free Front") < probability(&before, "Free Front"), "{before:#?} {after:#?}");
}

#[test]
fn a_corrected_figure_gives_way_to_its_correction() {
    let answer = ask(
        "How many people did the explosion at the Tollen Mill kill?",
        &[
            ("Herald", "2031-05-02", None, "The explosion at the Tollen Mill killed 21 people."),
            ("Wire", "2031-05-02", None, "The explosion at the Tollen Mill killed 21 people, police said."),
            (
                "Herald",
                "2031-05-04",
                None,
                "The Herald corrects its report that 21 people died: the explosion at the Tollen Mill killed 16 people.",
            ),
        ],
    );
    assert!(answer.hypotheses[0].statement.contains("16"), "{answer:#?}");
}
