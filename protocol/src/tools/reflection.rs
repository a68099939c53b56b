//! Verdict of a model on a tool result.

use domain::agent::Quality;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict on one result.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct ReflectionAnswer {
    /// Whether the question is answered by it.
    pub answers: bool,
    pub quality: Quality,
    #[serde(default)]
    pub key_facts: Vec<KeyFact>,
    /// One or two sentences.
    #[serde(default)]
    pub summary: String,
    /// 0 to 100.
    pub confidence: u32,
}

/// A statement of the result that bears on the question.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct KeyFact {
    pub statement: String,
    /// Copied from the result.
    pub words: String,
}
