//! Confidence: a number for machines, a level for readers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "f64", into = "f64")]
#[schemars(with = "f64", extend("minimum" = 0, "maximum" = 1))]
pub struct Confidence(f64);

/// The number given is not from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{0} is not a confidence: give a number from 0 to 1")]
pub struct BadConfidence(f64);

impl Confidence {
    pub const FULL: Self = Self(1.0);

    pub const fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Confidence {
    type Error = BadConfidence;
    fn try_from(value: f64) -> Result<Self, BadConfidence> {
        if (0.0..=1.0).contains(&value) { Ok(Self(value)) } else { Err(BadConfidence(value)) }
    }
}

impl From<Confidence> for f64 {
    fn from(confidence: Confidence) -> f64 {
        confidence.0
    }
}

crate::words! {
    /// Analytic confidence: how good the basis of a judgement is, apart from how likely the judgement is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ConfidenceLevel {
        Low = "low",
        Moderate = "moderate",
        High = "high",
    }
}
