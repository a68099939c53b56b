//! The argument of an assessment: reasons, the strongest objection, actors, chronology, figures and scenarios.
//! Every part may be left out; assessments that were stored before have none.

use super::{Marker, Statement, lenient};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an assessment argues with, beside its judgements and hypotheses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Argument {
    /// The last day until which the author looked (`YYYY-MM-DD`); null for the day of writing.
    #[serde(default, deserialize_with = "lenient::last_day")]
    pub as_of: Option<String>,
    /// Up to three reasons for the answer, the strongest first. Each is one sentence that names its source in words.
    #[serde(default)]
    pub reasons: Vec<Statement>,
    /// The strongest objection to the answer, in one sentence.
    #[serde(default)]
    pub objection: Option<Statement>,
    /// Those who act in the matter.
    #[serde(default)]
    pub actors: Vec<Actor>,
    /// What happened, in order; not when it was published.
    #[serde(default)]
    pub chronology: Vec<DatedEvent>,
    /// Quantities that are known as a range.
    #[serde(default)]
    pub ranges: Vec<QuantityRange>,
    /// How often like cases ended as the leading answer says; null where no class of cases is known.
    #[serde(default)]
    pub base_rate: Option<BaseRate>,
    /// Forks ahead: conditions under which the probabilities of the hypotheses differ.
    #[serde(default)]
    pub scenarios: Vec<Scenario>,
}

/// Somebody who acts in the matter: what they want, can do and are bound by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Actor {
    pub name: String,
    /// What they want.
    pub interests: String,
    /// What they can do.
    #[serde(default)]
    pub means: Option<String>,
    /// What binds them.
    #[serde(default)]
    pub limits: Option<String>,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// Something that happened, with its day as far as it is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DatedEvent {
    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`: when it happened.
    pub when: String,
    pub event: String,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// A quantity between two bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuantityRange {
    /// What is counted or measured.
    pub quantity: String,
    #[serde(deserialize_with = "lenient::number")]
    #[schemars(schema_with = "lenient::number_schema")]
    pub low: f64,
    #[serde(deserialize_with = "lenient::number")]
    #[schemars(schema_with = "lenient::number_schema")]
    pub high: f64,
    /// Unit: `people`, `EUR`, `%`.
    pub unit: String,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// A class of like cases with its count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaseRate {
    /// The class: "strikes of lock keepers since 2020".
    pub class: String,
    /// How many cases it has.
    pub cases: u32,
    /// How many of them ended as `outcome` says.
    pub matching: u32,
    /// The outcome that is counted.
    pub outcome: String,
    #[serde(default, deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// A fork ahead with what follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scenario {
    /// What would have to happen.
    pub condition: String,
    /// How probable the condition is, 0 to 1; null where that cannot be said.
    #[serde(default, deserialize_with = "lenient::optional_number")]
    #[schemars(schema_with = "lenient::optional_number_schema")]
    pub probability: Option<f64>,
    /// The probabilities of hypotheses if it happens.
    pub then: Vec<ConditionalProbability>,
}

/// The probability of a hypothesis if something happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConditionalProbability {
    /// Id of the hypothesis.
    pub hypothesis: String,
    /// 0 to 1.
    #[serde(deserialize_with = "lenient::number")]
    #[schemars(schema_with = "lenient::number_schema")]
    pub probability: f64,
}
