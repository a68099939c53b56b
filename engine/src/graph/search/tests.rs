use super::{score::Scores, *};
use crate::graph::Candidate;

fn candidate(text: &str, similarity: Option<f64>) -> Candidate<String> {
    Candidate { item: text.to_owned(), similarity, text_matched: true }
}

fn scores(query: Option<&str>, found: Vec<Candidate<String>>) -> Vec<f64> {
    let config = SearchConfig::default();
    Scores::compute(query, &config, &found, |text| vec![text.as_str()]).apply(found).map(|scored| scored.score).collect()
}

#[test]
fn rare_words_weigh_more() {
    let found = vec![candidate("the harbour", None), candidate("the explosion", None), candidate("the harbour again", None)];
    let scores = scores(Some("harbour explosion"), found);
    assert!(scores[1] > scores[0], "{scores:?}");
    assert_eq!(scores[0], scores[2]);
}

#[test]
fn a_missing_vector_gets_a_neutral_rank() {
    let found = vec![candidate("fire", Some(0.9)), candidate("fire", None), candidate("fire", Some(0.1))];
    let scores = scores(Some("fires"), found);
    assert!(scores[0] > scores[1] && scores[1] > scores[2], "{scores:?}");
}

#[test]
fn candidates_without_a_word_or_similarity_are_left_out() {
    let found = vec![
        candidate("fire", Some(0.1)),
        candidate("flood", Some(0.1)),
        candidate("blaze", Some(0.6)),
        candidate("rain", None),
    ];
    assert_eq!(scores(Some("fires"), found).len(), 2, "the word itself, and what is alike");
}

#[test]
fn without_a_query_nothing_scores() {
    assert_eq!(scores(None, vec![candidate("fire", None)]), [0.0]);
}
