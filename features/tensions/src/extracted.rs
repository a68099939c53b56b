//! Tensions that the model names that reads a document: a field of the extraction, of which the kernel checks the quotes.

use crate::{
    agents::{FoundResponse, FoundTension, ResponseEffect},
    response::ResponseKind,
    store::TensionStore,
    tension::Severity,
};
use async_trait::async_trait;
use domain::DocumentId;
use engine::{
    StoreResult,
    agents::{AddedField, FieldStore},
};
use feature::ToolParts;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// Name of the prompt of the field.
pub const PROMPT: &str = "extracted_tensions";

/// Tension of one document. Its schema has no unions: Anthropic enforces few of them, and those of the extraction come first.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtractedTension {
    pub title: String,
    pub statement: String,
    /// Code of a theme.
    pub theme: String,
    pub severity: Severity,
    /// Empty or null where the document names none.
    #[serde(default)]
    #[schemars(with = "String")]
    pub place: Option<String>,
    /// 0 to 1.
    pub confidence: f64,
    pub quotes: Vec<ExtractedQuote>,
    #[serde(default)]
    pub responses: Vec<ExtractedResponse>,
}

/// Sentence of the document.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtractedQuote {
    pub quote: String,
}

/// Response that the document describes.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtractedResponse {
    pub kind: ResponseKind,
    pub title: String,
    pub summary: String,
    pub explanation: String,
    /// In free words.
    pub diffusion_mechanism: String,
    pub effect: ResponseEffect,
    /// 0 to 1.
    pub match_strength: f64,
    /// Such as 2031-03-14; empty or null where there is none.
    #[serde(default)]
    #[schemars(with = "String")]
    pub event_date: Option<String>,
    /// Empty or null where the document names none.
    #[serde(default)]
    #[schemars(with = "String")]
    pub place: Option<String>,
    pub quote: String,
}

impl ExtractedTension {
    /// Returns it as agents give one; its evidence is the document's.
    pub fn found(&self) -> FoundTension {
        FoundTension {
            title: self.title.clone(),
            statement: self.statement.clone(),
            theme: self.theme.clone(),
            severity: self.severity,
            place: self.place.clone(),
            claims: vec![],
            quotes: vec![],
        }
    }
}

impl ExtractedResponse {
    /// Returns it as agents give one, at the address of its document.
    pub fn found(self, url: String) -> FoundResponse {
        FoundResponse {
            kind: self.kind,
            title: self.title,
            summary: self.summary,
            url,
            explanation: self.explanation,
            diffusion_mechanism: self.diffusion_mechanism,
            effect: self.effect,
            match_strength: self.match_strength.clamp(0.0, 1.0),
            event_date: self.event_date,
            place: self.place,
            also_addresses: vec![],
        }
    }
}

#[async_trait]
impl FieldStore for TensionStore {
    async fn add_items(&self, document: DocumentId, items: &[Value]) -> StoreResult<()> {
        self.add_extracted(document, items).await
    }
}

/// Returns the fields of the feature.
pub fn fields(parts: &ToolParts) -> Vec<AddedField> {
    let store = Arc::new(TensionStore::from(parts.store.clone()));
    vec![AddedField::new::<ExtractedTension>("tensions", PROMPT, store)]
}

#[cfg(test)]
mod tests {
    use crate::taxonomy::Taxonomy;

    #[test]
    fn the_prompt_names_every_theme() {
        let prompt = include_str!("../prompts/extracted_tensions.md");
        for theme in &Taxonomy::shared().themes {
            assert!(prompt.contains(&format!("`{}`", theme.code)), "{}", theme.code);
        }
    }
}
