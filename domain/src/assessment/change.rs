//! Differences from the previous assessment, and the outcome of its indicators.

use super::{Marker, lenient};
use crate::AssessmentId;
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
    pub outcome: ItemOutcome,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
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
