//! The answers to each part of a question, in their order. State, Brief, basis and dissent take the leading answer from here.

use super::{Body, Hypothesis, shares};
use std::cmp::Reverse;

/// Probabilities that are equal in so many parts of one are equal: sums of decimals are not exact.
const EQUAL_PARTS: f64 = 1_000_000.0;

/// Hypotheses of one question that answer it the same way.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<'a> {
    /// The likeliest of its hypotheses; of equals the first.
    pub lead: &'a Hypothesis,
    /// All of its hypotheses, in their order.
    pub hypotheses: Vec<&'a Hypothesis>,
    /// The sum of their probabilities.
    pub probability: f64,
    /// The sum of their shares, in whole percent.
    pub share: u32,
    /// True if another answer is as probable.
    pub is_level: bool,
}

impl<'a> Answer<'a> {
    /// Ranks the answers to one question by probability; of equals "none of these" stands first, then the order of the hypotheses
    /// counts. Hypotheses are summed by the way they answer only where each of them says its way. Those without a probability are
    /// left out.
    pub fn ranked(hypotheses: &[&'a Hypothesis]) -> Vec<Self> {
        let has_positions = hypotheses.iter().all(|one| one.is_none || one.position.is_some());
        let mut answers: Vec<Self> = vec![];
        for (one, share) in hypotheses.iter().copied().zip(shares(hypotheses)) {
            let Some(probability) = one.probability else { continue };
            let is_same = |answer: &Self| has_positions && !one.is_none && answer.answers_like(one);
            match answers.iter().position(is_same) {
                Some(place) => answers[place].add(one, probability, share),
                None => {
                    answers.push(Self { lead: one, hypotheses: vec![one], probability, share, is_level: false });
                }
            }
        }
        answers.sort_by_key(|answer| (Reverse(answer.parts()), !answer.is_none()));
        let parts: Vec<i64> = answers.iter().map(Self::parts).collect();
        for answer in &mut answers {
            answer.is_level = parts.iter().filter(|one| **one == answer.parts()).count() > 1;
        }
        answers
    }

    fn add(&mut self, hypothesis: &'a Hypothesis, probability: f64, share: u32) {
        if hypothesis.probability > self.lead.probability {
            self.lead = hypothesis;
        }
        self.hypotheses.push(hypothesis);
        self.probability += probability;
        self.share += share;
    }

    fn parts(&self) -> i64 {
        (self.probability * EQUAL_PARTS).round() as i64
    }

    /// Returns whether a hypothesis answers the same way; "none of these" answers in no way.
    fn answers_like(&self, hypothesis: &Hypothesis) -> bool {
        !self.is_none() && self.lead.position == hypothesis.position
    }

    /// Returns whether it is "none of these".
    pub const fn is_none(&self) -> bool {
        self.lead.is_none
    }

    /// Returns whether it is the same answer as one of another assessment: "none of these", the same way, or the same statement.
    pub(super) fn is_same_answer(&self, other: &Answer<'_>) -> bool {
        match (self.lead, other.lead) {
            (one, other) if one.is_none || other.is_none => one.is_none && other.is_none,
            (one, other) if one.position.is_some() && other.position.is_some() => one.position == other.position,
            (one, other) => one.statement.eq_ignore_ascii_case(&other.statement),
        }
    }

    /// Returns `Yes`, `No`, `In part`, or the statement of its likeliest hypothesis.
    pub fn words(&self) -> &'a str {
        match self.lead.position {
            Some(position) => position.words(),
            None => &self.lead.statement,
        }
    }
}

impl Body {
    /// Returns the answers to each question in the order of the questions, the leading answer first.
    pub fn answers(&self) -> Vec<Vec<Answer<'_>>> {
        self.hypothesis_sets().iter().map(|(_, hypotheses)| Answer::ranked(hypotheses)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::tests::hypothesis;

    #[test]
    fn none_of_these_leads_among_equals_and_otherwise_the_first_answer() {
        let all = [hypothesis("H1", 0.3, false), hypothesis("H2", 0.1 + 0.2, false), hypothesis("H3", 0.3, true)];
        let ids = |all: &[&Hypothesis]| -> Vec<(String, bool)> {
            Answer::ranked(all).iter().map(|answer| (answer.lead.id.clone(), answer.is_level)).collect()
        };
        let expected = [("H3".to_owned(), true), ("H1".to_owned(), true), ("H2".to_owned(), true)];
        assert_eq!(ids(&all.iter().collect::<Vec<_>>()), expected);
        assert_eq!(ids(&[&all[0]]), [("H1".to_owned(), false)]);
        assert_eq!(ids(&[&Hypothesis { probability: None, ..all[0].clone() }]), []);
    }
}
