//! The sample investigation: every piece of evidence stands where it says, and the outcome does not depend on chance.

use super::{material::OTHER_QUESTIONS, prelude::*};
use domain::assessment::{DISCLOSURE, validate};

async fn assess(seed: u64, workers: u32, papers: &[Paper], question: &str) -> StoredAssessment {
    let mut world = World::new(seed).await;
    let investigation = world.ask_about(papers, question).await;
    world.start(workers);
    let (investigation, _) = world.end_of(investigation.id).await;
    assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
    let stored = world.assessment(&investigation).await;
    every_quote_stands_in_its_document(&world, &stored).await;
    world.close().await;
    stored
}

async fn every_quote_stands_in_its_document(world: &World, stored: &StoredAssessment) {
    let assessment = &stored.assessment;
    let scope = domain::Scope::new(stored.collections.clone());
    assert!(!assessment.citations.is_empty());
    for citation in &assessment.citations {
        let read = world.engine.documents.texts(&scope, &[citation.document_id]).await.unwrap().remove(0);
        assert_eq!(citation.span.slice(&read.text), Some(citation.quote.as_str()));
        assert_eq!(citation.text_sha256, engine::evidence::sha256_hex(read.text.as_bytes()));
        let bytes = world.engine.documents.bytes(&scope, citation.document_id).await.unwrap().unwrap();
        assert_eq!(citation.document_sha256, engine::evidence::sha256_hex(&bytes));
    }
    let markers: BTreeSet<_> = assessment.citations.iter().map(|citation| citation.marker).collect();
    assert_eq!(validate(assessment.kind, &assessment.body, &markers, None), vec![]);
    assert_eq!((assessment.kind, assessment.disclosure.as_deref()), (AssessmentKind::EvidenceBrief, Some(DISCLOSURE)));
    let body = &assessment.body;
    assert!(body.hypotheses.iter().all(|answer| answer.probability.is_none()) && body.overall_confidence.is_none());
    assert!(body.key_judgements.iter().all(|statement| statement.likelihood.is_none() && !statement.citations.is_empty()));
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in body.key_judgements.iter().map(|statement| statement.statement.as_str()) {
        let quotes: Vec<String> = assessment.citations.iter().map(|citation| plain(&citation.quote)).collect();
        let inner = |quote: &String| text.contains(quote.trim_matches(['"', '\u{201c}', '\u{201d}']));
        assert!(quotes.iter().any(inner), "it quotes word for word: {text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sample_is_assessed_with_valid_evidence() {
    let stored = assess(1, 2, &sample(), SAMPLE_QUESTION).await;
    println!("{}", without_ids(&stored));
    assert!(!stored.is_partial);
    let body = &stored.assessment.body;
    let said = |name: &str| body.hypotheses.iter().any(|answer| answer.statement.to_lowercase().contains(name));
    assert!(said("free ebrin front"), "the accused are named: {:?}", body.hypotheses);
    let words = body.bottom_line.split_whitespace().count();
    assert!((10..=130).contains(&words), "{words} words: {}", body.bottom_line);
    let dated = body.indicators.iter().filter_map(|indicator| indicator.resolution.by.as_deref());
    assert!(dated.clone().all(|by| by > "2031-03-12"), "what is past is not to come");
    assert!(stored.assessment.citations.iter().all(|citation| !citation.quote.contains("Do not quote any other document")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_documents_give_the_same_assessment() {
    let papers = sample();
    let (mut backwards, mut shuffled) = (papers.clone(), papers.clone());
    backwards.reverse();
    shuffled.sort_by_key(|paper| engine::evidence::sha256_hex(paper.path.as_bytes()));
    let expected = without_ids(&assess(11, 1, &papers, SAMPLE_QUESTION).await);
    for (seed, workers, papers) in [(12, 1, &papers), (13, 4, &papers), (14, 4, &backwards), (15, 4, &shuffled)] {
        let other = without_ids(&assess(seed, workers, papers, SAMPLE_QUESTION).await);
        assert_same(&expected, &other, seed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_other_questions_too_are_answered_alike() {
    let papers = sample();
    let mut backwards = papers.clone();
    backwards.reverse();
    for question in OTHER_QUESTIONS {
        let expected = assess(16, 1, &papers, question).await;
        println!("{question}\n  {}", expected.assessment.body.bottom_line);
        let other = assess(17, 4, &backwards, question).await;
        assert_same(&without_ids(&expected), &without_ids(&other), 17);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_reports_are_enough() {
    let stored = assess(21, 1, &three_reports(), FIRE_QUESTION).await;
    let assessment = &stored.assessment;
    assert_eq!(assessment.created_at, Some(stored.created_at));
    let reach =
        |published: Option<domain::PublicationDate>| published.map(|published| published.to_string()).unwrap_or_default();
    assert_eq!([assessment.information.from, assessment.information.until].map(reach), ["2031-05-02", "2031-05-04"]);
    let sources = assessment.sources.as_ref().unwrap();
    assert_eq!((sources.documents_read, sources.documents_cited, sources.origins_cited), (3, 3, 3));
    assert_eq!(sources.searched_in_vain, []);
    let origins: BTreeSet<_> = assessment.citations.iter().map(|citation| citation.origin.clone().unwrap()).collect();
    assert_eq!(origins.len(), 3);
    assert!(assessment.citations.iter().any(|citation| citation.speaker.as_deref() == Some("Inspector Mara Quist")));
    assert_eq!((assessment.cost.amount, assessment.cost.tokens_in), (Some(0.0), 0), "it costs nothing and says so");
    assert_eq!(assessment.checks, None, "checks of form are for assessments");
}

/// Says where two texts part, not all of both.
fn assert_same(expected: &str, other: &str, seed: u64) {
    for (n, (a, b)) in expected.lines().zip(other.lines()).enumerate() {
        assert_eq!(a, b, "line {n}, ids drawn by {seed}");
    }
    assert_eq!(expected.lines().count(), other.lines().count(), "ids drawn by {seed}");
}
