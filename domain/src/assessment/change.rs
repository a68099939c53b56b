//! Differences from the previous assessment, and the outcome of its indicators.

use super::{Marker, basis::plural, lenient};
use crate::{AssessmentId, likelihood::percent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Settled forecasts from which several reports have a score.
const MIN_SCORED: usize = 5;

/// The difference from the previous assessment of the same question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Its id, from `search_assessments`.
    pub previous_id: AssessmentId,
    /// What is different now, and why.
    pub summary: String,
    /// What became of its indicators and judgements, above all of those whose day has come.
    #[serde(default)]
    pub settled: Vec<SettledItem>,
}

/// An indicator or judgement of the previous assessment with its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettledItem {
    /// Its id there: `I2`, `J3`.
    pub previous_item: String,
    /// Its words there; leave it out: the program fills it in.
    #[serde(default)]
    pub text: Option<String>,
    /// Its probability there; leave it out: the program fills it in.
    #[serde(default, deserialize_with = "lenient::optional_number")]
    #[schemars(schema_with = "lenient::optional_number_schema")]
    pub probability: Option<f64>,
    pub outcome: ItemOutcome,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

impl Change {
    /// Returns the mean Brier score of the items that had a probability and happened or not; none without such an item.
    pub fn score(&self) -> Option<String> {
        let scores: Vec<f64> = self.settled.iter().filter_map(SettledItem::brier).collect();
        let (forecasts, mean) = (plural(scores.len(), "forecast", "forecasts"), mean(&scores)?);
        Some(format!("Brier score of {forecasts}: {mean:.2} (0 is best; always saying 50\u{a0}% gives 0.25)."))
    }
}

/// Brier scores of the forecasts that the versions of a question settled, each with the model that made them, where it is known: of all
/// forecasts, then of each model where there are several. An item counts once, as the last of `changes` settled it; fewer than
/// [`MIN_SCORED`] have no score.
pub fn brier_lines(changes: &[(&Change, Option<&str>)]) -> Vec<String> {
    let mut settled: BTreeMap<(AssessmentId, &str), (Option<&str>, f64)> = BTreeMap::new();
    for (change, model) in changes {
        for item in &change.settled {
            if let Some(score) = item.brier() {
                settled.insert((change.previous_id, item.previous_item.as_str()), (*model, score));
            }
        }
    }
    let mut by_model: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (model, score) in settled.values() {
        by_model.entry(model.unwrap_or("unknown model")).or_default().push(*score);
    }
    let all: Vec<f64> = settled.values().map(|(_, score)| *score).collect();
    let line = |name: &str, scores: &[f64]| {
        let mean = mean(scores).filter(|_| scores.len() >= MIN_SCORED)?;
        Some(format!("{name}: Brier score {mean:.2} over {} settled forecasts.", scores.len()))
    };
    let models = by_model.iter().filter(|_| by_model.len() > 1).filter_map(|(model, scores)| line(model, scores));
    line("All models", &all).into_iter().chain(models).collect()
}

/// Returns the mean of scores; none without any.
fn mean(scores: &[f64]) -> Option<f64> {
    (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
}

impl SettledItem {
    /// Squared difference between its probability and what happened, 0 to 1.
    fn brier(&self) -> Option<f64> {
        let happened = match self.outcome {
            ItemOutcome::Happened => 1.0,
            ItemOutcome::DidNotHappen => 0.0,
            ItemOutcome::Partly | ItemOutcome::StillOpen | ItemOutcome::CannotBeTold => return None,
        };
        self.probability.map(|probability| (probability - happened).powi(2))
    }

    /// The outcome in words, with the probability that it had: `happened (was 85 %)`.
    pub fn outcome_words(&self) -> String {
        let outcome = self.outcome.words();
        self.probability.map_or_else(|| outcome.to_owned(), |probability| format!("{outcome} (was {})", percent(probability)))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemOutcome {
    Happened,
    DidNotHappen,
    Partly,
    StillOpen,
    CannotBeTold,
}

impl ItemOutcome {
    /// The words readers see.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Happened => "happened",
            Self::DidNotHappen => "did not happen",
            Self::Partly => "happened in part",
            Self::StillOpen => "still open",
            Self::CannotBeTold => "cannot be told",
        }
    }

    /// Whether it says that something came to pass or not, which wants evidence.
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Happened | Self::DidNotHappen | Self::Partly)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(probability: Option<f64>, outcome: ItemOutcome) -> SettledItem {
        SettledItem { previous_item: "I1".into(), text: None, probability, outcome, citations: vec![] }
    }

    #[test]
    fn forecasts_with_a_probability_and_a_clear_outcome_are_scored() {
        let mut change = Change {
            previous_id: AssessmentId(uuid::Uuid::nil()),
            summary: String::new(),
            settled: vec![settled(None, ItemOutcome::Happened), settled(Some(0.9), ItemOutcome::StillOpen)],
        };
        assert_eq!(change.score(), None);
        change.settled.push(settled(Some(0.9), ItemOutcome::Happened));
        assert!(change.score().is_some_and(|score| score.starts_with("Brier score of 1 forecast: 0.01 (0 is best")));
        change.settled.push(settled(Some(0.7), ItemOutcome::DidNotHappen));
        assert!(change.score().is_some_and(|score| score.starts_with("Brier score of 2 forecasts: 0.25 (")));
        assert_eq!(change.settled[3].outcome_words(), "did not happen (was 70\u{a0}%)");
        assert_eq!(change.settled[0].outcome_words(), "happened");
    }

    #[test]
    fn several_reports_are_scored_together_and_by_model_from_five_forecasts_on() {
        let change = |number: u128, probabilities: &[f64]| Change {
            previous_id: AssessmentId(uuid::Uuid::from_u128(number)),
            summary: String::new(),
            settled: (1..)
                .zip(probabilities)
                .map(|(n, probability)| SettledItem {
                    previous_item: format!("I{n}"),
                    ..settled(Some(*probability), ItemOutcome::Happened)
                })
                .collect(),
        };
        let (four, five) = (change(1, &[0.5; 4]), change(2, &[1.0; 5]));
        assert_eq!(brier_lines(&[(&four, Some("a")), (&four, Some("a"))]), [""; 0], "each item counts once");
        assert_eq!(
            brier_lines(&[(&four, Some("a")), (&five, Some("b"))]),
            ["All models: Brier score 0.11 over 9 settled forecasts.", "b: Brier score 0.00 over 5 settled forecasts."]
        );
        assert_eq!(brier_lines(&[(&five, Some("b"))]), ["All models: Brier score 0.00 over 5 settled forecasts."]);
    }
}
