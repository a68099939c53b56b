//! State of an assessment: whether its numbers answer the question.

use super::{
    AnalyticConfidence, Answer, Assessment, AssessmentKind, Hypothesis, Judgement, Position, Question, lenient::last_day_of,
};
use crate::ConfidenceLevel;
use serde::{Deserialize, Serialize};

/// Probability from which the leading answer settles its question: the start of "likely".
pub const ANSWERED_FROM: f64 = 0.55;

crate::words! {
    /// Whether an assessment answers its question. Decided by code, for every provider alike, from probabilities, confidence and time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AssessmentState {
        /// The leading answer of every question has at least [`ANSWERED_FROM`].
        Answered = "answered",
        /// Its first judgement speaks of what has not happened yet; a forecast is never settled.
        Forecast = "forecast",
        /// The leading answer has at least [`ANSWERED_FROM`], but low confidence or no evidence.
        Tentative = "tentative",
        /// An answer leads, but not by enough.
        Contested = "contested",
        /// "None of these" leads, or there is no hypothesis.
        NotAnswered = "not_answered",
        /// An evidence brief that has quotations.
        Quotes = "quotes",
        /// An evidence brief without any: nothing was found.
        NotSettled = "not_settled",
    }
}

impl AssessmentState {
    /// The kind of the assessments that can have it.
    pub const fn kind(self) -> AssessmentKind {
        match self {
            Self::Answered | Self::Forecast | Self::Tentative | Self::Contested | Self::NotAnswered => {
                AssessmentKind::Assessment
            }
            Self::Quotes | Self::NotSettled => AssessmentKind::EvidenceBrief,
        }
    }

    /// Computes the state from the parts of the question; the least settled part decides.
    pub fn from_assessment(assessment: &Assessment) -> Self {
        assessment.parts().into_iter().map(|part| part.state).max().unwrap_or(Self::NotAnswered)
    }

    /// The name that people read. What is open begins with the word that a report says of it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Answered => "Answered",
            Self::Forecast => "Forecast",
            Self::Tentative => "Tentative",
            Self::Contested => "Open, no clear lead",
            Self::NotAnswered => "Open, no answer",
            Self::Quotes => "Quotations only",
            Self::NotSettled => "Nothing found",
        }
    }
}

/// The state of one part of a question, with the answer that leads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartState {
    /// The question of the part; none where the assessment has one question.
    pub question: Option<String>,
    pub state: AssessmentState,
    /// `Yes`, `No`, `In part`, or the statement of the leading hypothesis; none where no answer leads.
    pub answer: Option<String>,
    /// Share of the leading answer in whole percent: the sum of the hypotheses that answer the same way.
    pub share: u32,
}

impl PartState {
    /// Returns what the badge says: `Who placed the charge: answered, 88 %`, `Who paid: open, no answer above 40 %`,
    /// `Forecast: No, 75 %`.
    pub fn words(&self) -> String {
        let state = match self.state {
            AssessmentState::NotAnswered => "Open".to_owned(),
            AssessmentState::Quotes | AssessmentState::NotSettled => self.state.words().to_owned(),
            AssessmentState::Contested => format!("Open, no answer above {}\u{a0}%", self.share),
            state => {
                let short = self.answer.as_deref().filter(|answer| Position::ALL.map(Position::words).contains(answer));
                let answer = short.map(|answer| format!(": {answer}")).unwrap_or_default();
                format!("{}{answer}, {}\u{a0}%", state.words(), self.share)
            }
        };
        match &self.question {
            Some(question) => format!("{}: {}", question.trim_end_matches(['?', ' ']), lower_first(&state)),
            None => state,
        }
    }
}

/// Numbers of answered and all parts of a question, where some are open: the state of the least settled part hides the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnsweredParts {
    pub answered: usize,
    pub total: usize,
}

impl AnsweredParts {
    /// Counts the parts; none where all of them are answered, or no part is.
    pub fn from_assessment(assessment: &Assessment) -> Option<Self> {
        let parts = assessment.parts();
        let answered = parts.iter().filter(|part| part.state == AssessmentState::Answered).count();
        (1..parts.len()).contains(&answered).then_some(Self { answered, total: parts.len() })
    }

    /// The words that people read.
    pub fn words(self) -> String {
        format!("{} of {} answered", self.answered, self.total)
    }
}

pub(super) fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

impl Assessment {
    /// Returns the state of each part of its question, in their order; one where the question has one part.
    /// An evidence brief has one, without an answer.
    pub fn parts(&self) -> Vec<PartState> {
        if !self.kind.is_assessment() {
            let has_quotes = !self.citations.is_empty();
            let state = if has_quotes { AssessmentState::Quotes } else { AssessmentState::NotSettled };
            return vec![PartState { question: None, state, answer: None, share: 0 }];
        }
        let sets = self.body.hypothesis_sets();
        let is_only = sets.len() == 1;
        let part = |(question, hypotheses): (Option<&Question>, Vec<&Hypothesis>)| {
            let question = question.filter(|_| !is_only).map(|question| question.text.clone());
            let answers = Answer::ranked(&hypotheses);
            let Some(leading) = answers.first() else {
                return PartState { question, state: AssessmentState::NotAnswered, answer: None, share: 0 };
            };
            let state = if leading.is_none() {
                AssessmentState::NotAnswered
            } else if self.is_forecast(&hypotheses, is_only) {
                AssessmentState::Forecast
            } else if leading.probability < ANSWERED_FROM {
                AssessmentState::Contested
            } else if self.is_tentative(leading) {
                AssessmentState::Tentative
            } else {
                AssessmentState::Answered
            };
            let answer = (!leading.is_none()).then(|| leading.words().to_owned());
            PartState { question, state, answer, share: leading.share }
        };
        sets.into_iter().map(part).collect()
    }

    /// Returns whether the first judgement about these hypotheses speaks of a time after the day until which the author looked. Further
    /// ones may be of what follows from a fact. With one question, the first of all is about it also if it names no hypotheses.
    fn is_forecast(&self, hypotheses: &[&Hypothesis], is_only: bool) -> bool {
        let written = self.created_at.map(|at| at.to_datetime().date_naive());
        let Some(as_of) = self.body.argument.as_of.as_deref().and_then(last_day_of).or(written) else { return false };
        let first = self.body.key_judgements.iter().enumerate().find(|(n, judgement)| {
            let names = hypotheses.iter().any(|one| judgement.hypotheses.contains(&one.id));
            names || (is_only && *n == 0 && judgement.hypotheses.is_empty())
        });
        let horizon = first.and_then(|(_, judgement)| last_day_of(judgement.horizon.as_deref()?));
        horizon.is_some_and(|horizon| horizon > as_of)
    }

    /// Whether the leading answer has low confidence, or nothing is cited for it.
    fn is_tentative(&self, leading: &Answer<'_>) -> bool {
        let is_low = |one: &Option<AnalyticConfidence>| one.as_ref().is_some_and(|one| one.level == ConfidenceLevel::Low);
        let names = |judgement: &&Judgement| leading.hypotheses.iter().any(|one| judgement.hypotheses.contains(&one.id));
        let mut about = self.body.key_judgements.iter().filter(names).peekable();
        let has_low_judgements = about.peek().is_some() && about.all(|judgement| is_low(&judgement.confidence));
        let is_bare = leading.hypotheses.iter().all(|one| one.supporting.is_empty());
        is_low(&self.body.overall_confidence) || has_low_judgements || is_bare
    }
}

/// Probabilities of the hypotheses of one question in whole percent that add up to 100, by the largest-remainder method.
/// Hypotheses without a probability get 0.
pub fn shares(hypotheses: &[&Hypothesis]) -> Vec<u32> {
    whole_shares(hypotheses.iter().map(|one| one.probability.unwrap_or_default()))
}

/// Returns probabilities in whole percent that add up to 100; all 0 where none is above 0.
pub(super) fn whole_shares(probabilities: impl Iterator<Item = f64>) -> Vec<u32> {
    let probabilities: Vec<f64> = probabilities.map(|probability| probability.max(0.0)).collect();
    let total: f64 = probabilities.iter().sum();
    if total <= 0.0 {
        return vec![0; probabilities.len()];
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
    use crate::assessment::tests::hypothesis;

    fn assessment(hypotheses: Vec<Hypothesis>) -> Assessment {
        let mut assessment: Assessment = serde_json::from_str(include_str!("tests/stored_before.json")).unwrap();
        assessment.body.questions = vec![];
        assessment.body.key_judgements = vec![];
        assessment.body.overall_confidence = None;
        assessment.body.hypotheses = hypotheses;
        assessment
    }

    fn cited(id: &str, probability: f64, position: Option<Position>) -> Hypothesis {
        Hypothesis { position, supporting: vec![1], ..hypothesis(id, probability, false) }
    }

    fn state(probabilities: &[(f64, bool)]) -> AssessmentState {
        let numbered = probabilities.iter().enumerate();
        let hypotheses = numbered.map(|(n, (probability, is_none))| {
            let supporting = vec![1];
            Hypothesis { supporting, ..hypothesis(&format!("H{n}"), *probability, *is_none) }
        });
        AssessmentState::from_assessment(&assessment(hypotheses.collect()))
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
    fn answers_that_say_the_same_are_summed_before_the_state_is_named() {
        let (yes, no) = (Some(Position::Yes), Some(Position::No));
        let hypotheses = || vec![cited("H1", 0.17, yes), cited("H2", 0.5, no), cited("H3", 0.08, yes), cited("H4", 0.22, no)];
        let parts = assessment([hypotheses(), vec![hypothesis("H5", 0.03, true)]].concat()).parts();
        assert_eq!((parts[0].state, parts[0].answer.as_deref(), parts[0].share), (AssessmentState::Answered, Some("No"), 72));
        assert_eq!(parts[0].words(), "Answered: No, 72\u{a0}%");
        let mut unmarked = hypotheses();
        unmarked[0].position = None;
        assert_eq!(AssessmentState::from_assessment(&assessment(unmarked)), AssessmentState::Contested);
    }

    #[test]
    fn a_forecast_is_named_so_and_low_confidence_is_tentative() {
        let mut one = assessment(vec![cited("H1", 0.9, None), hypothesis("H2", 0.1, true)]);
        one.body.key_judgements = crate::assessment::tests::complete().body.key_judgements[..1].to_vec();
        one.body.key_judgements[0].hypotheses = vec!["H1".into()];
        one.body.key_judgements[0].horizon = Some("2031-06-30".into());
        one.body.argument.as_of = Some("2031-06-01".into());
        assert_eq!(AssessmentState::from_assessment(&one), AssessmentState::Forecast);
        one.body.argument.as_of = Some("2031-07-01".into());
        assert_eq!(AssessmentState::from_assessment(&one), AssessmentState::Answered, "the day has passed");
        one.body.overall_confidence = Some(AnalyticConfidence { level: ConfidenceLevel::Low, basis: "one page".into() });
        assert_eq!(AssessmentState::from_assessment(&one), AssessmentState::Tentative);
        one.body.overall_confidence = None;
        let later = one.body.key_judgements[0].clone();
        one.body.key_judgements.push(Judgement { horizon: Some("2031-12-31".into()), ..later });
        assert_eq!(AssessmentState::from_assessment(&one), AssessmentState::Answered, "a later judgement is of what follows");
        one.body.hypotheses[0].supporting.clear();
        assert_eq!(AssessmentState::from_assessment(&one), AssessmentState::Tentative, "nothing is cited for it");
    }

    #[test]
    fn each_part_of_a_question_has_a_state_of_its_own() {
        let part = |id: &str, question: &str, probability: f64| Hypothesis {
            question: Some(question.into()),
            ..cited(id, probability, None)
        };
        let mut one = assessment(vec![part("H1", "Q1", 0.88), part("H2", "Q1", 0.12), part("H3", "Q2", 0.3)]);
        one.body.hypotheses.push(Hypothesis { question: Some("Q2".into()), ..hypothesis("H4", 0.7, true) });
        let question = |id: &str, text: &str| Question { id: id.into(), text: text.into(), answer: None };
        one.body.questions = vec![question("Q1", "Who placed the charge?"), question("Q2", "Who paid?")];
        let words: Vec<String> = one.parts().iter().map(PartState::words).collect();
        assert_eq!(words, ["Who placed the charge: answered, 88\u{a0}%", "Who paid: open"]);
        let contested = assessment(vec![cited("H1", 0.4, None), cited("H2", 0.35, None), hypothesis("H3", 0.25, true)]);
        assert_eq!(contested.parts()[0].words(), "Open, no answer above 40\u{a0}%");
        let open = [AssessmentState::Contested, AssessmentState::NotAnswered];
        assert!(open.iter().all(|state| state.words().starts_with("Open, ")), "lists say the word of the report");
        let answered = |one: &Assessment| AnsweredParts::from_assessment(one).map(AnsweredParts::words);
        assert_eq!(answered(&one).as_deref(), Some("1 of 2 answered"));
        assert_eq!(answered(&assessment(vec![cited("H1", 0.88, None)])), None);
        assert_eq!(AssessmentState::from_assessment(&one), AssessmentState::NotAnswered);
    }

    #[test]
    fn shares_add_up_to_one_hundred() {
        let all = [hypothesis("H1", 0.335, false), hypothesis("H2", 0.335, false), hypothesis("H3", 0.33, true)];
        let shares = shares(&all.iter().collect::<Vec<_>>());
        assert_eq!(shares, [34, 33, 33]);
        assert_eq!(super::shares(&[]), Vec::<u32>::new());
    }
}
