//! Arguments and result of the tool that divides a question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecomposeQuestion {
    pub parts: Vec<QuestionPart>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionPart {
    pub question: String,
    /// For whoever reads the record of the session.
    pub why: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct QuestionDecomposed {
    pub parts: usize,
}
