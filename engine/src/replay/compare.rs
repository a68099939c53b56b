//! Comparison of two assessments of one question.

use crate::graph::terms;
use domain::{
    ConfidenceLevel, DocumentId,
    assessment::{Assessment, Citation},
};
use serde::Serialize;
use std::collections::BTreeSet;

/// Share of common words from which statements count as reworded.
const LIKE_FROM: f64 = 0.5;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    pub question: String,
    pub recorded: ComparedAssessment,
    pub rerun: ComparedAssessment,
    pub judgements: Vec<JudgementChange>,
    pub hypotheses: Vec<HypothesisChange>,
    pub citations_kept: usize,
    pub citations_added: Vec<UnmatchedCitation>,
    pub citations_removed: Vec<UnmatchedCitation>,
}

/// Summary of a compared assessment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedAssessment {
    pub provider: String,
    pub model: String,
    pub bottom_line: String,
    /// Confidence; none for an evidence brief.
    pub confidence: Option<ConfidenceLevel>,
}

/// Key judgement on both sides; null where missing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgementChange {
    pub recorded: Option<String>,
    pub rerun: Option<String>,
    /// Likelihood points.
    pub likelihood: (Option<f64>, Option<f64>),
}

/// Hypothesis with its probability on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HypothesisChange {
    pub recorded: Option<String>,
    pub rerun: Option<String>,
    pub probability: (Option<f64>, Option<f64>),
}

/// Citation of one side only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnmatchedCitation {
    pub document_id: DocumentId,
    pub document: String,
    pub quote: String,
}

impl JudgementChange {
    pub fn is_change(&self) -> bool {
        self.recorded != self.rerun || self.likelihood.0 != self.likelihood.1
    }
}

impl HypothesisChange {
    pub fn is_change(&self) -> bool {
        self.recorded != self.rerun || self.probability.0 != self.probability.1
    }
}

impl Comparison {
    /// Returns whether both are equal, including evidence.
    pub fn is_same(&self) -> bool {
        self.recorded.bottom_line == self.rerun.bottom_line
            && self.recorded.confidence == self.rerun.confidence
            && !self.judgements.iter().any(JudgementChange::is_change)
            && !self.hypotheses.iter().any(HypothesisChange::is_change)
            && self.citations_added.is_empty()
            && self.citations_removed.is_empty()
    }
}

/// Compares a recorded assessment with a rerun.
pub fn compare(recorded: &Assessment, rerun: &Assessment) -> Comparison {
    let statements = |assessment: &Assessment| -> Vec<Statement> {
        let judgements = assessment.body.key_judgements.iter();
        judgements.map(|judgement| (judgement.statement.clone(), judgement.likelihood.map(|one| one.point))).collect()
    };
    let judgements = paired(&statements(recorded), &statements(rerun))
        .into_iter()
        .map(|(recorded, rerun, likelihood)| JudgementChange { recorded, rerun, likelihood });
    let beliefs = |assessment: &Assessment| -> Vec<Statement> {
        let hypotheses = assessment.body.hypotheses.iter();
        hypotheses.map(|hypothesis| (hypothesis.statement.clone(), hypothesis.probability)).collect()
    };
    let hypotheses = paired(&beliefs(recorded), &beliefs(rerun))
        .into_iter()
        .map(|(recorded, rerun, probability)| HypothesisChange { recorded, rerun, probability });
    let (ours, theirs) = (places(recorded), places(rerun));
    Comparison {
        question: recorded.question.clone(),
        recorded: side(recorded),
        rerun: side(rerun),
        judgements: judgements.collect(),
        hypotheses: hypotheses.collect(),
        citations_kept: ours.intersection(&theirs).count(),
        citations_added: without(rerun, &ours),
        citations_removed: without(recorded, &theirs),
    }
}

fn side(assessment: &Assessment) -> ComparedAssessment {
    ComparedAssessment {
        provider: assessment.producer.provider.clone(),
        model: assessment.producer.model.clone(),
        bottom_line: assessment.bottom_line_text().into_owned(),
        confidence: assessment.body.overall_confidence.as_ref().map(|confidence| confidence.level),
    }
}

/// Returns the position of a citation: document and span.
fn place(citation: &Citation) -> (DocumentId, u64, u64) {
    (citation.document_id, citation.span.start, citation.span.end)
}

fn places(assessment: &Assessment) -> BTreeSet<(DocumentId, u64, u64)> {
    assessment.citations.iter().map(place).collect()
}

fn without(assessment: &Assessment, others: &BTreeSet<(DocumentId, u64, u64)>) -> Vec<UnmatchedCitation> {
    let mut seen = BTreeSet::new();
    let only =
        assessment.citations.iter().filter(|citation| !others.contains(&place(citation)) && seen.insert(place(citation)));
    let quoted = only.map(|citation| UnmatchedCitation {
        document_id: citation.document_id,
        document: citation.document_title.clone(),
        quote: citation.quote.clone(),
    });
    quoted.collect()
}

/// Statement with its probability; none in an evidence brief.
type Statement = (String, Option<f64>);
type Pair = (Option<String>, Option<String>, (Option<f64>, Option<f64>));

/// Pairs each statement with the most similar one; others stand alone.
fn paired(recorded: &[Statement], rerun: &[Statement]) -> Vec<Pair> {
    let mut likeness: Vec<(f64, usize, usize)> = vec![];
    for (n, (ours, _)) in recorded.iter().enumerate() {
        for (m, (theirs, _)) in rerun.iter().enumerate() {
            likeness.push((like(ours, theirs), n, m));
        }
    }
    likeness.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    let mut partner = vec![None; recorded.len()];
    let mut taken = BTreeSet::new();
    for (_, n, m) in likeness.into_iter().filter(|(likeness, ..)| *likeness >= LIKE_FROM) {
        if partner[n].is_none() && taken.insert(m) {
            partner[n] = Some(m);
        }
    }
    let both = recorded.iter().zip(partner).map(|((statement, point), partner)| {
        let other = partner.map(|m| &rerun[m]);
        (Some(statement.clone()), other.map(|(statement, _)| statement.clone()), (*point, other.and_then(|(_, point)| *point)))
    });
    let alone = (0..rerun.len()).filter(|m| !taken.contains(m)).map(|m| (None, Some(rerun[m].0.clone()), (None, rerun[m].1)));
    both.chain(alone).collect()
}

/// Returns the share of common words, 0 to 1.
fn like(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    let (one, other) = (words(one), words(other));
    let all = one.union(&other).count();
    if all == 0 { 0.0 } else { one.intersection(&other).count() as f64 / all as f64 }
}

fn words(text: &str) -> BTreeSet<String> {
    terms::terms(text).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reworded_statements_are_paired_and_new_ones_are_alone() {
        let statement = |text: &str, point| (text.to_owned(), Some(point));
        let recorded = [statement("The guards opened the lock gate", 70.0), statement("The Front planned it", 20.0)];
        let rerun = [statement("It was an accident", 30.0), statement("The guards opened the gate of the lock", 60.0)];
        let pairs = paired(&recorded, &rerun);
        assert_eq!(pairs.len(), 3);
        assert_eq!(pairs[0].2, (Some(70.0), Some(60.0)));
        assert_eq!((pairs[1].1.clone(), pairs[2].0.clone()), (None, None));
    }
}
