//! Pairs of statements of two versions, by the terms that they share.

use crate::assessment::{Body, Hypothesis};
use std::collections::{BTreeMap, BTreeSet};

/// Function that splits a text into the terms by which statements are compared.
pub type Terms = fn(&str) -> Vec<String>;

/// Share of common terms from which statements count as reworded.
const LIKE_FROM: f64 = 0.5;
/// Share of the long terms of a statement from which a note names it.
const NAMED_FROM: f64 = 0.6;
/// Letters of a long term. Shorter ones are in any text.
const LONG_TERM_CHARS: usize = 4;
/// Statements from which they have a frame: terms of more than half of them, as in "X set the fire" and "Y set the fire".
const FRAME_FROM: usize = 4;

/// Statement as its terms.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    terms: BTreeSet<String>,
    /// Terms of the part of the question that it answers; empty where the question has no parts.
    question: BTreeSet<String>,
    /// Whether it is "none of these".
    is_none: bool,
}

pub(super) fn term_set(text: &str, terms: Terms) -> BTreeSet<String> {
    terms(text).into_iter().collect()
}

impl Phrase {
    pub fn new(text: &str, terms: Terms) -> Self {
        Self { terms: term_set(text, terms), question: BTreeSet::new(), is_none: false }
    }

    /// Returns the hypotheses of an assessment, in their order.
    pub fn hypotheses(body: &Body, terms: Terms) -> Vec<Self> {
        let phrase = |one: &Hypothesis| {
            let part = body.questions.iter().find(|question| Some(&question.id) == one.question.as_ref());
            let question = part.map(|part| term_set(&part.text, terms)).unwrap_or_default();
            Self { question, is_none: one.is_none, ..Self::new(&one.statement, terms) }
        };
        body.hypotheses.iter().map(phrase).collect()
    }

    /// Returns the likeness of the statements, the terms of a frame aside, then that of their parts of the question, each 0 to 1.
    fn likeness(&self, other: &Self, frame: &BTreeSet<&String>) -> (f64, f64) {
        let own =
            |phrase: &Self| -> BTreeSet<String> { phrase.terms.iter().filter(|term| !frame.contains(term)).cloned().collect() };
        let statements = match (self.is_none, other.is_none) {
            (true, true) => 1.0,
            (false, false) => common_share(&own(self), &own(other)),
            _ => 0.0,
        };
        (statements, common_share(&self.question, &other.question))
    }

    /// Whether the terms of a note contain most long terms of the statement.
    pub fn is_named_in(&self, note: &BTreeSet<String>) -> bool {
        let is_long = |term: &&String| term.chars().count() >= LONG_TERM_CHARS;
        let mut compared: Vec<&String> = self.terms.iter().filter(is_long).collect();
        if compared.is_empty() {
            compared = self.terms.iter().collect();
        }
        let found = compared.iter().filter(|term| note.contains(**term)).count();
        !compared.is_empty() && found as f64 >= NAMED_FROM * compared.len() as f64
    }
}

/// Whether two texts count as one, reworded.
pub(super) fn is_alike(one: &str, other: &str, terms: Terms) -> bool {
    common_share(&term_set(one, terms), &term_set(other, terms)) >= LIKE_FROM
}

/// Returns the share of common terms, 0 to 1; of texts without any, 1.
fn common_share(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let all = one.union(other).count();
    if all == 0 { 1.0 } else { one.intersection(other).count() as f64 / all as f64 }
}

/// Returns the terms that more than half of the statements have, by which none differs from another.
fn frame<'a>(earlier: &'a [Phrase], later: &'a [Phrase]) -> BTreeSet<&'a String> {
    let statements: Vec<&Phrase> = earlier.iter().chain(later).filter(|phrase| !phrase.is_none).collect();
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for term in statements.iter().flat_map(|phrase| &phrase.terms) {
        *counts.entry(term).or_default() += 1;
    }
    let has_frame = statements.len() >= FRAME_FROM;
    counts.into_iter().filter(|(_, count)| has_frame && count * 2 > statements.len()).map(|(term, _)| term).collect()
}

/// Pairs each earlier statement with the most similar later one. Returns the place of the later one; none of those that stand alone.
pub(super) fn partners(earlier: &[Phrase], later: &[Phrase]) -> Vec<Option<usize>> {
    let frame = frame(earlier, later);
    let mut likeness: Vec<((f64, f64), usize, usize)> = vec![];
    for (n, one) in earlier.iter().enumerate() {
        likeness.extend(later.iter().enumerate().map(|(m, other)| (one.likeness(other, &frame), n, m)));
    }
    likeness.retain(|((statements, _), ..)| *statements >= LIKE_FROM);
    likeness.sort_by(|(a, n, m), (b, other_n, other_m)| {
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then_with(|| (n, m).cmp(&(other_n, other_m)))
    });
    let mut partner = vec![None; earlier.len()];
    let mut taken = BTreeSet::new();
    for (_, n, m) in likeness {
        if partner[n].is_none() && taken.insert(m) {
            partner[n] = Some(m);
        }
    }
    partner
}
