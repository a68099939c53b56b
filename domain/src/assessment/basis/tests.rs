//! The basis of hand-made assessments, counted by hand.

use super::*;

fn complete() -> Assessment {
    serde_json::from_str(include_str!("../tests/complete.json")).unwrap()
}

#[test]
fn the_basis_of_a_report_is_counted_as_by_hand() {
    let assessment = complete();
    // [1] and [3] are of one page. H1 cites [1], J2 and H4 cite [3], whose row is the only one against H5.
    assert_eq!(
        sharpest_line(&assessment).unwrap(),
        "2 of 3 citations, and all that is cited for J2, H1 and H4, are from one page of Tessin Courier [1]; without it, \
         H4 no longer has less evidence rated against it than H5."
    );
    let Basis { lines, primary_sources } = Basis::new(&assessment);
    assert_eq!(
        lines,
        [
            "2 of 3 citations are from one page of Tessin Courier [1], which quotes 2 speakers.",
            "Nothing but one claim of Tessin Courier [1] is cited for H1.",
            "Nothing but one claim of Tessin Courier [3] is cited for J2 and H4.",
            "Without one claim of Tessin Courier [3], H4 no longer has less evidence rated against it than H5.",
        ]
    );
    assert_eq!(primary_sources.len(), 1, "[1] is first-hand, and [2] names no speaker");
    assert_eq!(primary_sources[0].line, "harbour office [3], through Tessin Courier");
    assert!(primary_sources[0].draft.starts_with("Find and read the source that Tessin Courier cites, harbour office: "));
}

#[test]
fn a_text_on_both_sides_is_disputed_and_counts_on_neither() {
    let mut assessment = complete();
    assessment.body.hypotheses[0].against = vec![2, 3];
    let sides = assessment.body.hypotheses[0].sides(&assessment.citations);
    assert_eq!(sides, Sides { supporting: 0, against: 1, disputed: vec![1] });
    assert_eq!(sides.sentence(), "0 texts for it, 1 against it, disputed in 1");
    let lines = Basis::new(&assessment).lines;
    assert_eq!(lines.last().unwrap(), "H1 is disputed in 1 text: cited for it and against it [1].");
}

#[test]
fn copies_of_one_text_are_one_source_and_a_matrix_against_the_likeliest_answer_is_named() {
    let mut assessment = complete();
    assessment.citations[1].origin = assessment.citations[0].origin.clone();
    assessment.body.evidence_matrix[0].ratings.insert("H1".into(), crate::assessment::Rating::II);
    let lines = Basis::new(&assessment).lines;
    for line in [
        "3 of 3 citations are from one text on 2 pages [1].",
        "Nothing but one text on 2 pages [1] is cited for J1.",
        "H1 is judged likeliest, but the matrix has more against it (1 row) than against H2 (0).",
    ] {
        assert!(lines.iter().any(|one| one == line), "{line}: {lines:#?}");
    }
}

#[test]
fn a_report_without_a_single_support_says_so_and_one_without_citations_says_nothing() {
    let mut assessment = complete();
    for judgement in &mut assessment.body.key_judgements {
        judgement.citations = vec![1, 2];
    }
    for hypothesis in &mut assessment.body.hypotheses {
        hypothesis.supporting = vec![2, 3];
    }
    assessment.body.evidence_matrix.clear();
    assert_eq!(
        sharpest_line(&assessment).unwrap(),
        "No judgement and no leading answer has one page or outlet as its only support; 2 of 3 citations are from \
         one page of Tessin Courier [1]."
    );
    assessment.body.hypotheses[0].supporting.clear();
    assert!(sharpest_line(&assessment).unwrap().starts_with("Nothing is cited for H1; 2 of 3 citations are from"));
    assert!(Basis::new(&assessment).lines.contains(&"Nothing is cited for H1.".to_owned()));
    assessment.citations.clear();
    assert_eq!((sharpest_line(&assessment), Basis::new(&assessment)), (None, Basis::default()));
}
