//! The dissent: the best case against the leading answer, written by another session with the same claims.

use super::{ConditionalProbability, Marker, lenient};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The best case against the leading answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dissent {
    /// One paragraph, with `[n]` markers of the assessment's citations.
    pub paragraph: String,
    /// Whether its author holds the leading answer to be refuted after the attempt.
    pub is_refuted: bool,
    /// Its own probabilities of the hypotheses.
    pub probabilities: Vec<ConditionalProbability>,
    /// Outlets that might deceive, as far as considered.
    #[serde(default)]
    pub deception: Vec<DeceptionNote>,
    /// Markers that the paragraph cites.
    #[serde(default, deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// Whether an outlet might deceive: motive, opportunity, means and record (after Heuer's checklist for deception).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeceptionNote {
    pub outlet: String,
    pub motive: String,
    pub opportunity: String,
    pub means: String,
    /// What it did before.
    pub record: String,
}
