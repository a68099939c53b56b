//! What a server has refused. Compatible servers differ in what they know; each tells by refusing it once.

use super::super::{
    config::{ProviderConfig, Structured},
    refusal::Refusal,
};
use engine::models::ModelRequest;

/// How a request is put so that this server takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Learned {
    pub structured: Structured,
    /// `max_completion_tokens`, the newer name, or `max_tokens`.
    pub completion_tokens: bool,
    pub stream_options: bool,
    /// Whether the name of the limit was changed already: not to and fro.
    swapped: bool,
}

impl Learned {
    pub fn new(config: &ProviderConfig) -> Self {
        let completion_tokens = config.base_url.is_none();
        Self { structured: config.structured(), completion_tokens, stream_options: true, swapped: false }
    }

    /// What to leave out after this refusal; none when nothing that can be left out was refused.
    pub fn after(self, refusal: &Refusal, request: &ModelRequest) -> Option<Self> {
        if !refusal.is_about_the_request() {
            return None;
        }
        let about_limit = refusal.mentions("max_tokens") || refusal.mentions("max_completion_tokens");
        let unknown = ["unsupported", "not supported", "unknown", "unrecognized", "extra inputs", "not permitted"];
        if about_limit && !self.swapped && unknown.iter().any(|word| refusal.mentions(word)) {
            return Some(Self { completion_tokens: !self.completion_tokens, swapped: true, ..self });
        }
        if self.stream_options && request.progress.is_some() && refusal.mentions("stream_options") {
            return Some(Self { stream_options: false, ..self });
        }
        request.output_schema.as_ref()?;
        let words: &[&str] = match self.structured {
            Structured::Schema => &["response_format", "json_schema", "schema", "grammar", "structured"],
            Structured::Json => &["response_format", "json_object", "json"],
            Structured::Tool => &["tool_choice", "tool"],
            Structured::Prompt => &[],
        };
        let simpler = match self.structured {
            Structured::Schema => Structured::Json,
            Structured::Json | Structured::Tool | Structured::Prompt => Structured::Prompt,
        };
        words.iter().any(|word| refusal.mentions(word)).then_some(Self { structured: simpler, ..self })
    }
}
