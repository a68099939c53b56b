//! Length and counts of a brief: the words of its page are at most those that were counted when its lists were cut, and paper has
//! the counts of the page and the notes it uses.

use super::{AssessmentWhole, Html, rendered};
use crate::{
    pages::{PrintForm, assessment::Extras, fixtures, printed_body},
    prelude::*,
};
use domain::{
    ContestId,
    annotation::{Annotations, Contest, ContestedItem, ContestedValue, Exclusion},
    assessment::{BeliefChange, Digest, Producer},
    fetch::PageFinding,
    investigation::Status,
};
use views::ThreadLine;

const MOST_WORDS: usize = 450;

/// A report with every notice and label that a brief can have, with more entries than find room, and with a citation that its
/// brief does not use.
fn crowded() -> AssessmentView {
    let (mut view, at) = (fixtures::assessment(), fixtures::now());
    let by = fixtures::viewer().id;
    let exclusion = |marker| Exclusion { marker, reason: "a forgery".into(), by, name: "ada".into(), at };
    let contest = |n: u32| Contest {
        id: fixtures::uuid::<ContestId>(70 + n),
        item: ContestedItem::Likelihood(format!("J{n}")),
        value: ContestedValue::Percent(35),
        reason: "the log".into(),
        by,
        name: "ada".into(),
        at,
    };
    view.annotations = Annotations {
        exclusions: vec![exclusion(1), exclusion(2)],
        contests: vec![contest(1), contest(2)],
        ..Annotations::default()
    };
    view.is_sample = true;
    view.findings = vec![view.findings[0].clone(), PageFinding { note: "It is gone.".into(), ..view.findings[0].clone() }];
    let version = |version, is_current| ThreadLine {
        investigation_id: view.assessment.investigation_id,
        question: view.assessment.question.clone(),
        assessment: Some(view.assessment.id),
        follows: None,
        status: Status::Completed,
        version,
        versions: 2,
        is_current,
        created_at: at,
    };
    view.thread = vec![version(1, false), version(2, true)];
    let assessment = &mut view.assessment;
    assessment.question = "Who cut the power of the Tessin ferry terminal in May 2031? ".repeat(5);
    assessment.producer = Producer { provider: Producer::REPLAY.into(), ..assessment.producer.clone() };
    let unused = Citation { marker: 4, ..assessment.citations[0].clone() };
    assessment.citations.push(unused);
    let body = &mut assessment.body;
    let more_answers = body.hypotheses[1].clone();
    body.hypotheses.extend(std::iter::repeat_n(more_answers, 3));
    body.key_judgements = repeated(&body.key_judgements, 2);
    body.indicators = repeated(&body.indicators, 3);
    body.gaps = repeated(&body.gaps, 5);
    body.impacts = repeated(&body.impacts, 5);
    view
}

fn repeated<T: Clone>(list: &[T], times: usize) -> Vec<T> {
    std::iter::repeat_n(list, times).flatten().cloned().collect()
}

/// Words that a page shows before anything is unfolded: those of its article, without controls, markers, notices and the line of
/// dates.
fn visible_words(html: &str) -> usize {
    const HIDDEN: [&str; 6] = ["cite", "exports", "product-dates", "cite-panel", "notice", "hidden"];
    const VOID: [&str; 4] = ["br", "hr", "img", "input"];
    let article = html.split_once("<article").and_then(|(_, rest)| rest.split_once("</article>")).expect("an article").0;
    let mut words = 0;
    // Of each open element: its name, and whether it is hidden.
    let mut open: Vec<(String, bool)> = vec![];
    for piece in article.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap_or((piece, ""));
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            open.pop();
        } else if !tag.starts_with('!') && !tag.ends_with('/') && !VOID.contains(&name) {
            let class = tag.split_once("class=\"").and_then(|(_, rest)| rest.split_once('"')).map_or("", |(class, _)| class);
            let has_class = class.split(' ').any(|class| HIDDEN.contains(&class));
            let is_hidden =
                open.last().is_some_and(|(parent, is_hidden)| *is_hidden || (parent == "details" && name != "summary"));
            open.push((name.to_owned(), is_hidden || has_class || ["button", "nav", "svg"].contains(&name)));
        }
        if !open.last().is_some_and(|(_, is_hidden)| *is_hidden) {
            words += text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        }
    }
    words
}

fn words_of(name: &str, view: &AssessmentView) -> usize {
    let (viewer, page, view) = (fixtures::viewer(), Html::new(&view.assessment), view.clone());
    let extras =
        Extras { change: Some(BeliefChange { leader_points: Some(-12), ..BeliefChange::default() }), ..Extras::default() };
    visible_words(&rendered(name, || view! { <AssessmentWhole viewer view html=page tab=Tab::Brief extras /> }))
}

#[test]
fn a_brief_shows_at_most_the_words_that_were_counted() {
    let mut view = crowded();
    for extra in ["", "It was dark on the quay. ", "Nobody saw who did it, and the log is lost. "] {
        let body = &mut view.assessment.body;
        body.indicators.iter_mut().for_each(|one| one.text.push_str(extra));
        body.gaps.iter_mut().for_each(|one| one.text.push_str(extra));
        body.key_judgements.iter_mut().for_each(|one| one.statement.push_str(extra));
        let (shown, counted) = (words_of("assessment-crowded", &view), Digest::new(&view.assessment).words());
        assert!(counted <= MOST_WORDS, "{counted} counted");
        assert!(shown > counted / 2 && shown <= counted, "{shown} shown, {counted} counted");
    }
    let plain = fixtures::assessment();
    let (shown, counted) = (words_of("assessment-plain", &plain), Digest::new(&plain.assessment).words());
    assert!(shown > counted / 2 && shown <= counted, "{shown} shown, {counted} counted");
}

#[test]
fn a_printed_brief_has_the_counts_of_its_page_and_only_the_notes_it_uses() {
    let view = crowded();
    let [paper, full] = [PrintForm::Brief, PrintForm::Full].map(|form| printed_body(view.clone(), form));
    let (viewer, page) = (fixtures::viewer(), Html::new(&view.assessment));
    let markers = view.assessment.markers();
    let html = rendered("assessment-counts", || view! { <AssessmentWhole viewer view html=page tab=Tab::Brief /> });
    let counts =
        ["2 excluded citations", "2 contested ratings", "2 cited pages no longer fit", "27 documents consulted, 3 cited"];
    for text in counts {
        assert!(html.contains(text) && paper.contains(text), "{text}");
    }
    assert!(html.contains("more gaps") && !paper.contains("more gaps") && !full.contains("more gaps"), "paper has no folds");
    for marker in markers {
        let is_used = paper.contains(&format!("href=\"#c{marker}\""));
        assert_eq!(is_used, marker < 4, "{marker}");
        assert_eq!(paper.contains(&format!("id=\"c{marker}\"")), is_used, "note {marker}");
        assert!(full.contains(&format!("id=\"c{marker}\"")), "source {marker}");
    }
}
