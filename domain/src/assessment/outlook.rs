//! The outlook of an assessment: causes and effects, impacts, indicators and gaps.

use super::{ConditionalProbability, Marker, lenient};
use crate::{EntityId, likelihood::Likelihood};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    pub text: String,
    pub if_wrong: String,
}

/// Which way an indicator moves the hypotheses and judgements it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Supports,
    Weakens,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Indicator {
    /// `I1`, `I2` …
    pub id: String,
    pub text: String,
    /// How probable it is that it comes true by its day, 0 to 1; null where that cannot be said.
    #[serde(default, deserialize_with = "lenient::optional_number")]
    #[schemars(schema_with = "lenient::optional_number_schema")]
    pub probability: Option<f64>,
    pub hypotheses: Vec<String>,
    /// Ids of judgements that it moves.
    #[serde(default)]
    pub judgements: Vec<String>,
    #[schemars(schema_with = "lenient::asked_for::<Direction>")]
    pub direction: Option<Direction>,
    /// How far it moves hypotheses if it comes true.
    #[serde(default)]
    pub effects: Vec<ConditionalProbability>,
    pub resolution: Resolution,
}

/// How it will be settled whether an indicator came true.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resolution {
    #[schemars(schema_with = "lenient::asked_for::<String>")]
    pub question: Option<String>,
    #[schemars(schema_with = "lenient::asked_for::<String>")]
    pub criteria: Option<String>,
    /// The last day on which it can come true (`YYYY-MM-DD`); null only with `no_date_because`.
    #[serde(default, deserialize_with = "lenient::last_day")]
    pub by: Option<String>,
    /// Why no day can be named.
    #[serde(default)]
    pub no_date_because: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    pub text: String,
    #[schemars(schema_with = "lenient::asked_for::<String>")]
    pub impact: Option<String>,
    #[schemars(schema_with = "lenient::asked_for::<String>")]
    pub how_to_close: Option<String>,
}

/// A cause, its effect, and how the one brings about the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    pub from: String,
    pub to: String,
    /// How it works.
    pub mechanism: String,
    pub strength: CauseStrength,
    /// How likely it is that the one brings about the other; null where it is not in doubt.
    #[serde(default)]
    pub likelihood: Option<Likelihood>,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

crate::words! {
    /// How much of the effect is due to the cause.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum CauseStrength {
        /// One of several causes.
        Weak = "weak",
        /// A main cause among others.
        Moderate = "moderate",
        /// Without it the effect would not be.
        Strong = "strong",
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Impact {
    #[schemars(schema_with = "lenient::asked_for::<String>")]
    pub who: Option<String>,
    pub effect: String,
    #[serde(default)]
    pub size: Option<ImpactSize>,
    /// Whether it is good or bad for them.
    #[serde(default)]
    pub direction: Option<ImpactDirection>,
    /// Null where it has happened already, or nothing can be said.
    #[serde(default)]
    pub likelihood: Option<Likelihood>,
    /// A day or a few words; null where that is not known.
    #[serde(default)]
    pub when: Option<String>,
    /// Ids of the judgements and hypotheses that must hold for it.
    #[serde(default)]
    pub depends_on: Vec<String>,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

impl Impact {
    /// Returns its size and direction: `major, worse`; none without either.
    pub fn magnitude(&self) -> Option<String> {
        let (size, direction) = (self.size.map(ImpactSize::as_str), self.direction.map(ImpactDirection::as_str));
        let words: Vec<&str> = size.into_iter().chain(direction).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

crate::words! {
    /// How large an effect is for those whom it hits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ImpactSize {
        /// Noticed, without lasting harm or gain.
        Minor = "minor",
        /// Changes what they can do for a time.
        Moderate = "moderate",
        /// Changes what they can do for good, or threatens them.
        Major = "major",
    }

    /// Whether an effect is good or bad for those whom it hits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ImpactDirection {
        Better = "better",
        Worse = "worse",
        /// Better in one way, worse in another.
        Mixed = "mixed",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutletNote {
    pub entity_id: EntityId,
    pub name: String,
    pub notes: String,
}
