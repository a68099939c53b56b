//! State of an assessment: what its numbers allow to be said, the same for every provider.

use super::{Assessment, Hypothesis};
use serde::{Deserialize, Serialize};

/// Probability from which the leading hypothesis is an answer.
const ANSWER: f64 = 0.55;

/// State of an assessment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AssessmentState {
    /// The leading hypothesis has at least 55 %.
    Answered,
    /// A hypothesis leads "none of these", but has less than 55 %.
    Contested,
    /// "None of these" leads.
    NotAnswered,
    /// Evidence brief with reported answers.
    Quotes,
    /// Evidence brief without a reported answer.
    NotSettled,
}

impl AssessmentState {
    pub fn from_assessment(assessment: &Assessment) -> Self {
        let hypotheses = &assessment.body.hypotheses;
        if !assessment.kind.is_assessment() {
            return if hypotheses.is_empty() { Self::NotSettled } else { Self::Quotes };
        }
        let best = |is_none: bool| {
            let rivals = hypotheses.iter().filter(|hypothesis| hypothesis.is_none == is_none);
            rivals.filter_map(|Hypothesis { probability, .. }| *probability).fold(0.0, f64::max)
        };
        match (best(false), best(true)) {
            (leader, none) if leader <= none => Self::NotAnswered,
            (leader, _) if leader >= ANSWER => Self::Answered,
            _ => Self::Contested,
        }
    }
}
