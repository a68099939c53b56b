//! Comparison of two assessments of one question: what moved, because of which new evidence, and what got lost.
//!
//! Invariant: statements are matched by their words, never by their ids, which each version counts anew.

mod belief;
mod lines;
mod pairs;
#[cfg(test)]
mod tests;

pub use belief::{BeliefChange, NOTABLE_POINTS, point_words};
pub use lines::{AnswerLine, answer_lines};
pub use pairs::Terms;

use super::{Answer, Assessment, Body, Citation, Hypothesis, Judgement, Marker, Question, shares};
use crate::{ConfidenceLevel, DocumentId};
use pairs::{Phrase, is_alike, partners, term_set};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Two assessments of one question, compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub question: String,
    pub earlier: ComparedAssessment,
    pub later: ComparedAssessment,
    /// Key judgements with the middle of their likelihood.
    pub judgements: Vec<StatementChange>,
    pub hypotheses: Vec<HypothesisChange>,
    /// The leading answer; of several parts of a question, the one that changed most. None without probabilities.
    pub leader: Option<LeaderChange>,
    /// Number of citations of the same places of the same documents.
    pub citations_kept: usize,
    pub citations_added: Vec<UnmatchedCitation>,
    pub citations_removed: Vec<UnmatchedCitation>,
    pub losses: Losses,
}

/// Summary of a compared assessment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedAssessment {
    pub provider: String,
    pub model: String,
    pub bottom_line: String,
    /// Confidence; none for an evidence brief.
    pub confidence: Option<ConfidenceLevel>,
}

/// Statement on both sides; none where it is missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementChange {
    pub earlier: Option<String>,
    pub later: Option<String>,
    /// Probability, 0 to 1; of a hypothesis, its share in whole percent. None in an evidence brief.
    pub probability: (Option<f64>, Option<f64>),
}

/// Hypothesis on both sides, with the evidence that came and went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HypothesisChange {
    #[serde(flatten)]
    pub change: StatementChange,
    /// Evidence that the earlier version does not cite: markers of the later one.
    pub new_evidence: EvidenceSides,
    /// Evidence that the later version cites no more: markers of the earlier one.
    pub lost_evidence: EvidenceSides,
}

/// Markers of the evidence for and against a hypothesis.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceSides {
    pub supporting: Vec<Marker>,
    pub against: Vec<Marker>,
}

/// The leading answers of both versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeaderChange {
    /// Part of the question; none where it has no parts.
    pub question: Option<String>,
    pub earlier: String,
    pub later: String,
    /// Whether they are different answers.
    pub is_other: bool,
    /// Points by which the share of the later leader moved; none where the earlier version lacks it.
    pub points: Option<i32>,
    /// Share of the later leader, in whole percent.
    pub share: u32,
}

/// Citation of one side only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnmatchedCitation {
    /// Its marker on that side.
    pub marker: Marker,
    pub document_id: DocumentId,
    pub document: String,
    pub quote: String,
}

/// Parts of the earlier version that the later one dropped, and that its account of the change does not mention. Empty where one of
/// the two is an evidence brief, whose parts are quotations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    pub hypotheses: Vec<LostHypothesis>,
    /// Gaps by their text.
    pub gaps: Vec<String>,
    pub citations: Vec<UnmatchedCitation>,
}

/// Hypothesis that got lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LostHypothesis {
    pub statement: String,
    /// Its last probability, 0 to 1.
    pub probability: Option<f64>,
}

impl StatementChange {
    /// Whether its words or its probability differ.
    pub fn is_change(&self) -> bool {
        self.earlier != self.later || self.probability.0 != self.probability.1
    }

    /// Returns the move of its probability in points; none where a side has no probability.
    pub fn points(&self) -> Option<i32> {
        let (before, after) = self.probability;
        Some(((after? - before?) * 100.0).round() as i32)
    }
}

impl EvidenceSides {
    /// Returns those of the evidence of a hypothesis that are among some citations.
    fn among(hypothesis: Option<&Hypothesis>, citations: &[UnmatchedCitation]) -> Self {
        let Some(one) = hypothesis else { return Self::default() };
        let among = |markers: &[Marker]| -> Vec<Marker> {
            let is_among = |marker: &Marker| citations.iter().any(|citation| citation.marker == *marker);
            markers.iter().copied().filter(is_among).collect()
        };
        Self { supporting: among(&one.supporting), against: among(&one.against) }
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.supporting.is_empty() && self.against.is_empty()
    }
}

impl Losses {
    /// Whether nothing got lost.
    pub const fn is_empty(&self) -> bool {
        self.hypotheses.is_empty() && self.gaps.is_empty() && self.citations.is_empty()
    }
}

impl Comparison {
    /// Compares two assessments of one question. Statements are alike by the terms that `terms` finds in them.
    pub fn new(earlier: &Assessment, later: &Assessment, terms: Terms) -> Self {
        let citations_added = without(later, &places(earlier));
        let citations_removed = without(earlier, &places(later));
        let pairs = hypothesis_pairs(&earlier.body, &later.body, terms);
        let (shares_before, shares_after) = (hypothesis_shares(&earlier.body), hypothesis_shares(&later.body));
        let hypotheses = pairs.iter().map(|(before, after)| HypothesisChange {
            change: StatementChange {
                earlier: before.map(|one| one.statement.clone()),
                later: after.map(|one| one.statement.clone()),
                probability: (share_in(&shares_before, *before), share_in(&shares_after, *after)),
            },
            new_evidence: EvidenceSides::among(*after, &citations_added),
            lost_evidence: EvidenceSides::among(*before, &citations_removed),
        });
        let hypotheses: Vec<HypothesisChange> = hypotheses.collect();
        Self {
            question: earlier.question.clone(),
            earlier: ComparedAssessment::new(earlier),
            later: ComparedAssessment::new(later),
            judgements: judgement_changes(&earlier.body, &later.body, terms),
            leader: leader_change(&earlier.body, &later.body, &pairs, terms),
            citations_kept: places(earlier).intersection(&places(later)).count(),
            losses: Losses::new(earlier, later, &hypotheses, &citations_removed, terms),
            hypotheses,
            citations_added,
            citations_removed,
        }
    }

    /// Returns whether both are equal, including evidence.
    pub fn is_same(&self) -> bool {
        self.earlier.bottom_line == self.later.bottom_line
            && self.earlier.confidence == self.later.confidence
            && !self.judgements.iter().any(StatementChange::is_change)
            && !self.hypotheses.iter().any(|one| one.change.is_change())
            && self.citations_added.is_empty()
            && self.citations_removed.is_empty()
    }
}

impl ComparedAssessment {
    fn new(assessment: &Assessment) -> Self {
        Self {
            provider: assessment.producer.provider.clone(),
            model: assessment.producer.model.clone(),
            bottom_line: assessment.bottom_line_text().into_owned(),
            confidence: assessment.body.overall_confidence.as_ref().map(|confidence| confidence.level),
        }
    }
}

/// Position of a citation: document and span.
type CitedSpan = (DocumentId, u64, u64);

fn place(citation: &Citation) -> CitedSpan {
    (citation.document_id, citation.span.start, citation.span.end)
}

fn places(assessment: &Assessment) -> BTreeSet<CitedSpan> {
    assessment.citations.iter().map(place).collect()
}

/// Returns the citations of an assessment at none of some places, each place once.
fn without(assessment: &Assessment, others: &BTreeSet<CitedSpan>) -> Vec<UnmatchedCitation> {
    let mut seen = BTreeSet::new();
    let only =
        assessment.citations.iter().filter(|citation| !others.contains(&place(citation)) && seen.insert(place(citation)));
    let quoted = only.map(|citation| UnmatchedCitation {
        marker: citation.marker,
        document_id: citation.document_id,
        document: citation.document_title.clone(),
        quote: citation.quote.clone(),
    });
    quoted.collect()
}

/// Earlier hypothesis with the later one; none where it is missing.
type HypothesisPair<'a> = (Option<&'a Hypothesis>, Option<&'a Hypothesis>);

fn hypothesis_pairs<'a>(earlier: &'a Body, later: &'a Body, terms: Terms) -> Vec<HypothesisPair<'a>> {
    let partners = partners(&Phrase::hypotheses(earlier, terms), &Phrase::hypotheses(later, terms));
    paired(&earlier.hypotheses, &later.hypotheses, &partners)
}

/// Returns each earlier item with its partner, then the later ones that have none.
fn paired<'a, T>(earlier: &'a [T], later: &'a [T], partners: &[Option<usize>]) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let taken: BTreeSet<usize> = partners.iter().flatten().copied().collect();
    let both = earlier.iter().zip(partners).map(|(one, partner)| (Some(one), partner.map(|m| &later[m])));
    let alone = later.iter().enumerate().filter(|(m, _)| !taken.contains(m)).map(|(_, one)| (None, Some(one)));
    both.chain(alone).collect()
}

fn judgement_changes(earlier: &Body, later: &Body, terms: Terms) -> Vec<StatementChange> {
    let [before, after] = [earlier, later].map(|body| -> Vec<Phrase> {
        body.key_judgements.iter().map(|judgement| Phrase::new(&judgement.statement, terms)).collect()
    });
    let pairs = paired(&earlier.key_judgements, &later.key_judgements, &partners(&before, &after));
    let change = |(before, after): (Option<&Judgement>, Option<&Judgement>)| {
        let point = |one: Option<&Judgement>| one.and_then(|one| one.likelihood).map(|likelihood| likelihood.point);
        StatementChange {
            earlier: before.map(|one| one.statement.clone()),
            later: after.map(|one| one.statement.clone()),
            probability: (point(before), point(after)),
        }
    };
    pairs.into_iter().map(change).collect()
}

/// Returns the hypotheses with their share of their part of the question, 0 to 1; none without a probability.
fn hypothesis_shares(body: &Body) -> Vec<(&Hypothesis, Option<f64>)> {
    let sets = body.hypothesis_sets();
    let shared = sets.iter().flat_map(|(_, set)| set.iter().copied().zip(shares(set)));
    shared.map(|(one, share)| (one, one.probability.map(|_| f64::from(share) / 100.0))).collect()
}

fn share_in(shares: &[(&Hypothesis, Option<f64>)], one: Option<&Hypothesis>) -> Option<f64> {
    shares.iter().find(|(other, _)| one.is_some_and(|one| std::ptr::eq(*other, one)))?.1
}

/// Hypotheses of one part of a question.
type HypothesisSet<'a> = (Option<&'a Question>, Vec<&'a Hypothesis>);

/// Returns the change of the leading answer; of several parts, the greatest.
fn leader_change(earlier: &Body, later: &Body, pairs: &[HypothesisPair<'_>], terms: Terms) -> Option<LeaderChange> {
    let (before, after) = (earlier.hypothesis_sets(), later.hypothesis_sets());
    let is_whole = before.len() == 1 && after.len() == 1;
    let is_part = |one: Option<&Question>, other: Option<&Question>| {
        is_whole || one.zip(other).is_some_and(|(one, other)| is_alike(&one.text, &other.text, terms))
    };
    let changes = after.iter().filter_map(|set| {
        let earlier = before.iter().find(|(question, _)| is_part(*question, set.0))?;
        leader_of_part(earlier, set, pairs, is_whole)
    });
    changes.max_by_key(|change| (change.is_other, change.points.unwrap_or_default().abs()))
}

fn leader_of_part(
    (_, before): &HypothesisSet<'_>,
    (question, after): &HypothesisSet<'_>,
    pairs: &[HypothesisPair<'_>],
    is_whole: bool,
) -> Option<LeaderChange> {
    let (before, after) = (Answer::ranked(before), Answer::ranked(after));
    let (old, new) = (before.first()?, after.first()?);
    let pair = pairs.iter().find(|(_, later)| later.is_some_and(|later| std::ptr::eq(later, new.lead)));
    let is_reworded = |answer: &&Answer<'_>| {
        let partner = pair.and_then(|(earlier, _)| *earlier);
        let has_positions = answer.lead.position.is_some() && new.lead.position.is_some();
        !has_positions && partner.is_some_and(|partner| answer.hypotheses.iter().any(|one| std::ptr::eq(*one, partner)))
    };
    let known = before.iter().find(|answer| new.is_same_answer(answer)).or_else(|| before.iter().find(is_reworded));
    Some(LeaderChange {
        question: question.filter(|_| !is_whole).map(|question| question.text.clone()),
        earlier: old.words().to_owned(),
        later: new.words().to_owned(),
        is_other: known.is_none_or(|known| !std::ptr::eq(known, old)),
        points: known.map(|known| new.share as i32 - known.share as i32),
        share: new.share,
    })
}

impl Losses {
    fn new(
        earlier: &Assessment,
        later: &Assessment,
        hypotheses: &[HypothesisChange],
        removed: &[UnmatchedCitation],
        terms: Terms,
    ) -> Self {
        if !earlier.kind.is_assessment() || !later.kind.is_assessment() {
            return Self::default();
        }
        let note = later.body.change.as_ref().map(|change| {
            let settled = change.settled.iter().filter_map(|item| item.text.as_deref());
            std::iter::once(&*change.summary).chain(settled).collect::<Vec<_>>().join("\n")
        });
        let note = note.unwrap_or_default();
        let note_terms = term_set(&note, terms);
        let is_silent = |statement: &str| !Phrase::new(statement, terms).is_named_in(&note_terms);
        let dropped = hypotheses.iter().map(|one| &one.change).filter(|change| change.later.is_none());
        let hypotheses = dropped.filter_map(|change| {
            let statement = change.earlier.clone().filter(|statement| is_silent(statement))?;
            Some(LostHypothesis { statement, probability: change.probability.0 })
        });
        let is_kept = |text: &str| later.body.gaps.iter().any(|gap| is_alike(text, &gap.text, terms));
        let gaps = earlier.body.gaps.iter().filter(|gap| !is_kept(&gap.text) && is_silent(&gap.text));
        let note = note.to_lowercase();
        let is_mentioned = |title: &str| !title.is_empty() && note.contains(&title.to_lowercase());
        Self {
            hypotheses: hypotheses.collect(),
            gaps: gaps.map(|gap| gap.text.clone()).collect(),
            citations: removed.iter().filter(|citation| !is_mentioned(&citation.document)).cloned().collect(),
        }
    }
}
