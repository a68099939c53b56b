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
        "2 of 3 citations are from one page of Tessin Courier [1], among them 2 of 3 in the bottom line and the only one \
         cited for “The ferries are likely to run again by Friday”."
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
    let answers =
        |assessment: &Assessment| sides(&assessment.body.hypotheses.iter().take(3).collect::<Vec<_>>(), &assessment.citations);
    let first = answers(&assessment).remove(0);
    assert_eq!(first, Sides { supporting: 0, against: 1, disputed: vec![1] });
    assert_eq!(first.sentence(), "0 texts for it, 1 against it, disputed in 1");
    let lines = Basis::new(&assessment).lines;
    assert_eq!(lines.last().unwrap(), "H1 is disputed in 1 text: cited for it and against it [1].");

    assessment.body.hypotheses[1].supporting = vec![1, 2];
    let both = answers(&assessment);
    assert!(both.iter().all(|one| one.disputed.is_empty()), "a text on both sides of both tells none apart: {both:?}");
    assert!(!Basis::new(&assessment).lines.iter().any(|line| line.contains("disputed")));

    assessment.body.hypotheses[0].against = vec![3];
    let alone = answers(&assessment).remove(0);
    assert!(alone.is_empty() && !first.is_empty(), "its only text tells none apart: {alone:?}");
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
    assessment.body.bottom_line = "They run again.".into();
    assert_eq!(
        sharpest_line(&assessment).unwrap(),
        "No page and no outlet carries most of the answer; 2 of 3 citations are from one page of Tessin Courier [1]."
    );
    assessment.body.hypotheses[0].supporting.clear();
    let line = sharpest_line(&assessment).unwrap();
    assert!(line.starts_with("Nothing is cited for “A member of the night crew cut it”; 2 of 3 citations are from"), "{line}");
    assert!(Basis::new(&assessment).lines.contains(&"Nothing is cited for H1.".to_owned()));
    assessment.citations.clear();
    assert_eq!((sharpest_line(&assessment), Basis::new(&assessment)), (None, Basis::default()));
}

/// A citation of a page of its own, by an outlet and a speaker.
fn citation(marker: Marker, page: u128, outlet: &str, speaker: Option<&str>) -> Citation {
    let id = |number: u128| uuid::Uuid::from_u128(number);
    Citation {
        marker,
        claim_id: crate::ClaimId(id(1_000 + u128::from(marker))),
        document_id: crate::DocumentId(id(page)),
        origin: Some(format!("origin {page}")),
        outlet: Some(outlet.into()),
        speaker: speaker.map(str::to_owned),
        ..complete().citations[0].clone()
    }
}

#[test]
fn a_page_with_most_citations_of_the_answer_is_named_and_a_large_outlet_is_not() {
    let mut assessment = complete();
    // Page 1 has 4 of the 5 citations of J1 and 3 of the 4 in the bottom line; the daily has six citations elsewhere.
    let page = (1..=4).map(|marker| citation(marker, 1, "Quay Radio", None));
    let other = (5..=10).map(|marker| citation(marker, u128::from(marker), "Daily", None));
    assessment.citations = page.chain(other).collect();
    let body = &mut assessment.body;
    body.bottom_line = "It was cut [1][2][3][9]; it was cut [1].".into();
    body.key_judgements.truncate(1);
    (body.key_judgements[0].statement, body.key_judgements[0].citations) = ("It was cut.".into(), vec![1, 2, 3, 4, 5]);
    body.hypotheses[0].supporting = vec![1, 2, 5, 6, 7];
    body.hypotheses[3].supporting = vec![6, 8];
    body.evidence_matrix.clear();
    assert_eq!(
        sharpest_line(&assessment).unwrap(),
        "4 of 10 citations are from one page of Quay Radio [1], among them 3 of 4 in the bottom line and 4 of 5 cited for “It was cut”."
    );

    let body = &mut assessment.body;
    body.bottom_line = "It was cut.".into();
    (body.hypotheses[0].statement, body.hypotheses[0].supporting) = ("It was cut.".into(), vec![1, 2, 5]);
    assert_eq!(
        sharpest_line(&assessment).unwrap(),
        "4 of 10 citations are from one page of Quay Radio [1], among them 4 of 5 cited for “It was cut”.",
        "the same statement is named once"
    );
}

#[test]
fn one_speaker_through_several_outlets_is_one_source() {
    let mut assessment = complete();
    let names = ["Health Authority", "Regional Health Authority", "Health Authority", "regional health authority"];
    let numbered = (1..).zip(names);
    let quoted = numbered.map(|(n, name): (Marker, &str)| Citation {
        speaker_entity: Some(crate::EntityId(uuid::Uuid::from_u128(1))),
        ..citation(n, u128::from(n), &format!("Paper {n}"), Some(name))
    });
    assessment.citations = quoted.collect();
    let body = &mut assessment.body;
    body.bottom_line = "It spreads [1][2][3][4].".into();
    body.hypotheses[0].supporting = vec![1, 2, 3, 4];
    body.hypotheses[3].supporting = vec![3, 4];
    body.key_judgements[1].citations = vec![3, 4];
    assert_eq!(
        sharpest_line(&assessment).unwrap(),
        "4 of 4 citations are from one speaker, Regional Health Authority, on 4 pages [1], among them all in the bottom \
         line and all cited for “It is very likely (86 %) that somebody with a key to…”."
    );
    let lines = Basis::new(&assessment).lines;
    assert!(
        lines.contains(&"4 of 4 citations are from one speaker, Regional Health Authority, on 4 pages [1].".to_owned()),
        "{lines:?}"
    );
}

#[test]
fn a_source_is_read_where_an_outlet_begins_with_its_name_and_not_where_one_ends_with_it() {
    let mut assessment = complete();
    let unread = |assessment: &Assessment| Basis::new(assessment).primary_sources.len();
    let read = |outlet: &str| Citation { attribution: Attribution::Primary, ..citation(1, 1, outlet, None) };
    let quoted = Citation { attribution: Attribution::Secondhand, ..citation(3, 3, "Paper", Some("Korea")) };
    for (outlet, count) in
        [("Korea Newsroom", 0), ("The Korea Newsroom", 0), ("North Korea", 1), ("Korean Times", 1), ("korea", 0)]
    {
        assessment.citations = vec![read(outlet), quoted.clone()];
        assert_eq!(unread(&assessment), count, "{outlet}");
    }
}

#[test]
fn a_rival_far_behind_does_not_make_a_linchpin_and_a_close_one_is_named_in_words() {
    let mut assessment = complete();
    let body = &mut assessment.body;
    body.bottom_line = "They run again.".into();
    for judgement in &mut body.key_judgements {
        judgement.citations = vec![1, 2];
    }
    for hypothesis in &mut body.hypotheses {
        hypothesis.supporting = vec![2, 3];
    }
    assert!(sharpest_line(&assessment).unwrap().starts_with("No page and no outlet"), "H5 has 28 % against 67 %");
    assessment.body.hypotheses[4].probability = Some(0.5);
    assert_eq!(
        sharpest_line(&assessment).unwrap(),
        "2 of 3 citations are from one page of Tessin Courier [1]; without it, no more evidence is against “Later” than \
         against “By Friday”."
    );
}
