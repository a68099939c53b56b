//! Structured answers of the roles. What they hold is checked before it is stored.

use crate::{response::ResponseKind, tension::Severity};
use schemars::JsonSchema;
use serde::Deserialize;

/// Answer of the response scout.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ResponseFinding {
    pub responses: Vec<FoundResponse>,
    pub emergent_tensions: Vec<FoundTension>,
    /// Search queries for the next time.
    pub future_queries: Vec<String>,
}

/// Answer of the curiosity.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StrainFinding {
    pub tensions: Vec<FoundTension>,
}

/// Effect of a response on a tension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResponseEffect {
    Diffuses,
    Escalates,
}

/// Response that a scout found.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundResponse {
    pub kind: ResponseKind,
    pub title: String,
    pub summary: String,
    /// Address of the page that was read.
    pub url: String,
    pub explanation: String,
    /// In free words.
    pub diffusion_mechanism: String,
    pub effect: ResponseEffect,
    /// 0 to 1.
    pub match_strength: f64,
    /// Such as 2031-03-14.
    pub event_date: Option<String>,
    pub place: Option<String>,
    /// Titles of other tensions that it eases.
    #[serde(default)]
    pub also_addresses: Vec<String>,
}

/// Tension that an agent found.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundTension {
    pub title: String,
    pub statement: String,
    /// Code of a theme.
    pub theme: String,
    pub severity: Severity,
    pub place: Option<String>,
    /// Numbers of given statements that show it.
    #[serde(default)]
    pub claims: Vec<usize>,
    /// Sentences of pages that were read, word for word.
    #[serde(default)]
    pub quotes: Vec<FoundQuote>,
}

/// Sentence of a page.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundQuote {
    pub url: String,
    pub quote: String,
}

/// Answer of the story role.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StoryAnswer {
    pub what_happened: Vec<CitedSentence>,
    pub what_feeds_it: Vec<CitedSentence>,
    pub what_eases_it: Vec<CitedSentence>,
}

/// Sentence with the number of what it rests on: a statement, or a response in the last part.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CitedSentence {
    pub text: String,
    pub source: usize,
}
