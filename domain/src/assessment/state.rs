//! State of an assessment: whether its numbers answer the question.

use super::{Assessment, AssessmentKind, Body, Hypothesis};
use serde::{Deserialize, Serialize};

/// Probability from which the leading answer settles its question: the start of "likely".
pub const ANSWERED_FROM: f64 = 0.55;

/// Whether the numbers of an assessment answer its question. Decided by code, for every provider alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AssessmentState {
    /// The leading answer of every question has at least [`ANSWERED_FROM`].
    Answered,
    /// An answer leads, but not by enough.
    Contested,
    /// "None of these" leads, or there is no hypothesis.
    NotAnswered,
    /// An evidence brief that has quotations.
    Quotes,
    /// An evidence brief without any: nothing was found.
    NotSettled,
}

impl AssessmentState {
    pub const ALL: [Self; 5] = [Self::Answered, Self::Contested, Self::NotAnswered, Self::Quotes, Self::NotSettled];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Contested => "contested",
            Self::NotAnswered => "not_answered",
            Self::Quotes => "quotes",
            Self::NotSettled => "not_settled",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// The kind of the assessments that can have it.
    pub const fn kind(self) -> AssessmentKind {
        match self {
            Self::Answered | Self::Contested | Self::NotAnswered => AssessmentKind::Assessment,
            Self::Quotes | Self::NotSettled => AssessmentKind::EvidenceBrief,
        }
    }

    /// Computes the state from the hypotheses; of several questions, the least settled one decides.
    pub fn from_assessment(assessment: &Assessment) -> Self {
        if !assessment.kind.is_assessment() {
            return if assessment.citations.is_empty() { Self::NotSettled } else { Self::Quotes };
        }
        let states = assessment.body.hypothesis_sets().into_iter().map(|(_, hypotheses)| Self::of_question(&hypotheses));
        states.max_by_key(|state| *state as u8).unwrap_or(Self::NotAnswered)
    }

    fn of_question(hypotheses: &[&Hypothesis]) -> Self {
        match leader(hypotheses) {
            Some(leader) if leader.is_none => Self::NotAnswered,
            Some(leader) if leader.probability.unwrap_or_default() >= ANSWERED_FROM => Self::Answered,
            Some(_) => Self::Contested,
            None => Self::NotAnswered,
        }
    }

    /// The name that people read.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Answered => "Answered",
            Self::Contested => "Contested",
            Self::NotAnswered => "Not answered",
            Self::Quotes => "Quotations only",
            Self::NotSettled => "Nothing found",
        }
    }
}

impl Body {
    /// The headline where the bottom line may not stand alone: what the numbers say of a question that is not answered.
    /// `None` for an answered one, and for an evidence brief.
    pub fn headline(&self, state: AssessmentState) -> Option<String> {
        match state {
            AssessmentState::Answered | AssessmentState::Quotes | AssessmentState::NotSettled => None,
            AssessmentState::NotAnswered => Some("The documents do not answer this question.".to_owned()),
            AssessmentState::Contested => match self.hypothesis_sets().as_slice() {
                [(_, hypotheses)] => {
                    let best = leader(hypotheses)?;
                    let share = hypotheses.iter().zip(shares(hypotheses)).find(|(one, _)| one.id == best.id)?.1;
                    Some(format!("Not settled: “{}” leads with {share} %.", best.statement.trim_end_matches('.')))
                }
                _ => Some("Not every part of this question is settled.".to_owned()),
            },
        }
    }
}

impl Body {
    /// Points by which the share of its leading answer moved since an earlier assessment of the question.
    /// None with several questions, or where the earlier one does not have the answer.
    pub fn leader_points_since(&self, earlier: &Self) -> Option<i32> {
        let (now, before) = (self.hypothesis_sets(), earlier.hypothesis_sets());
        let ([(_, now)], [(_, before)]) = (now.as_slice(), before.as_slice()) else { return None };
        let leader = leader(now)?;
        let is_leader =
            |one: &Hypothesis| if leader.is_none { one.is_none } else { one.statement.eq_ignore_ascii_case(&leader.statement) };
        let share =
            |set: &[&Hypothesis]| set.iter().zip(shares(set)).find(|(one, _)| is_leader(one)).map(|(_, share)| share as i32);
        Some(share(now)? - share(before)?)
    }
}

/// The hypothesis with the highest probability; of equals "none of these", otherwise the first.
fn leader<'a>(hypotheses: &[&'a Hypothesis]) -> Option<&'a Hypothesis> {
    let mut leader: Option<&Hypothesis> = None;
    for hypothesis in hypotheses {
        let best = leader.and_then(|leader| leader.probability);
        if hypothesis.probability > best || (hypothesis.is_none && hypothesis.probability == best) {
            leader = Some(hypothesis);
        }
    }
    leader
}

/// Probabilities of the hypotheses of one question in whole percent that add up to 100, by the largest-remainder method.
/// Hypotheses without a probability get 0.
pub fn shares(hypotheses: &[&Hypothesis]) -> Vec<u32> {
    let probabilities: Vec<f64> = hypotheses.iter().map(|one| one.probability.unwrap_or_default().max(0.0)).collect();
    let total: f64 = probabilities.iter().sum();
    if total <= 0.0 {
        return vec![0; hypotheses.len()];
    }
    let exact: Vec<f64> = probabilities.iter().map(|probability| probability * 100.0 / total).collect();
    let mut shares: Vec<u32> = exact.iter().map(|value| value.floor() as u32).collect();
    let missing = 100_u32.saturating_sub(shares.iter().sum());
    let mut by_remainder: Vec<usize> = (0..exact.len()).collect();
    by_remainder.sort_by(|a, b| exact[*b].fract().total_cmp(&exact[*a].fract()).then(a.cmp(b)));
    for n in by_remainder.into_iter().take(missing as usize) {
        shares[n] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::EvidenceBrief;

    fn hypothesis(id: &str, probability: f64, is_none: bool) -> Hypothesis {
        Hypothesis {
            id: id.into(),
            question: None,
            statement: format!("Statement {id}"),
            is_none,
            position: None,
            probability: Some(probability),
            reasoning: String::new(),
            supporting: vec![],
            against: vec![],
            weaknesses: String::new(),
        }
    }

    fn state(probabilities: &[(f64, bool)]) -> AssessmentState {
        let hypotheses: Vec<_> =
            probabilities.iter().enumerate().map(|(n, (p, is_none))| hypothesis(&format!("H{n}"), *p, *is_none)).collect();
        AssessmentState::of_question(&hypotheses.iter().collect::<Vec<_>>())
    }

    #[test]
    fn the_leader_decides_whether_a_question_is_answered() {
        assert_eq!(state(&[(0.55, false), (0.45, true)]), AssessmentState::Answered);
        assert_eq!(state(&[(0.54, false), (0.46, true)]), AssessmentState::Contested);
        assert_eq!(state(&[(0.06, false), (0.94, true)]), AssessmentState::NotAnswered);
        assert_eq!(state(&[(0.4, false), (0.4, true)]), AssessmentState::NotAnswered);
        assert_eq!(state(&[]), AssessmentState::NotAnswered);
    }

    #[test]
    fn shares_add_up_to_one_hundred() {
        let all = [hypothesis("H1", 0.335, false), hypothesis("H2", 0.335, false), hypothesis("H3", 0.33, true)];
        let shares = shares(&all.iter().collect::<Vec<_>>());
        assert_eq!(shares, [34, 33, 33]);
        assert_eq!(super::shares(&[]), Vec::<u32>::new());
    }

    #[test]
    fn the_leader_moves_by_points_of_the_same_answer() {
        let body = |first: f64| {
            let mut body: Body = EvidenceBrief::default().into();
            body.hypotheses = vec![hypothesis("H1", first, false), hypothesis("H2", 1.0 - first, false)];
            body
        };
        assert_eq!(body(0.62).leader_points_since(&body(0.5)), Some(12));
        let mut other = body(0.5);
        other.hypotheses[0].statement = "Another answer".to_owned();
        assert_eq!(body(0.62).leader_points_since(&other), None);
    }

    #[test]
    fn a_contested_question_has_a_headline_with_its_leader() {
        let mut body: Body = EvidenceBrief::default().into();
        body.hypotheses = vec![hypothesis("H1", 0.27, false), hypothesis("H2", 0.49, false), hypothesis("H3", 0.24, true)];
        assert_eq!(body.headline(AssessmentState::Contested).as_deref(), Some("Not settled: “Statement H2” leads with 49 %."));
        assert_eq!(body.headline(AssessmentState::Answered), None);
    }
}
