//! Differences from the previous assessment, and the outcome of its indicators.

use super::{Marker, lenient};
use crate::{AssessmentId, likelihood::percent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
        let forecasts = match scores.len() {
            0 => return None,
            1 => "1 forecast".to_owned(),
            several => format!("{several} forecasts"),
        };
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        Some(format!("Brier score of {forecasts}: {mean:.2} (0 is best; always saying 50\u{a0}% gives 0.25)."))
    }
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
}
