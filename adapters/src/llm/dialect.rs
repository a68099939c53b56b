//! What a server has refused. Compatible servers differ in what they know; each tells by refusing it once.

use super::super::{
    config::{ProviderConfig, Structured},
    refusal::Refusal,
};
use engine::models::ModelRequest;

/// A reply is not asked to be shorter than this, in tokens.
const SHORTEST_REPLY: u32 = 1024;

/// How a request is put so that this server takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Learned {
    pub structured: Structured,
    /// `max_completion_tokens`, the newer name, or `max_tokens`.
    pub completion_tokens: bool,
    pub stream_options: bool,
    /// Longest reply that is asked for: a small context has no room for a long one beside the conversation.
    pub max_output_tokens: u32,
    /// Whether the name of the limit was changed already: not to and fro.
    swapped: bool,
}

impl Learned {
    pub fn new(config: &ProviderConfig) -> Self {
        let completion_tokens = config.base_url.is_none();
        Self {
            structured: config.structured(),
            completion_tokens,
            stream_options: true,
            max_output_tokens: u32::MAX,
            swapped: false,
        }
    }

    /// What to leave out after this refusal; none when nothing that can be left out was refused.
    pub fn after(self, refusal: &Refusal, request: &ModelRequest) -> Option<Self> {
        let asked = request.max_output_tokens.min(self.max_output_tokens);
        let about_reply = ["max_tokens", "completion", "output tokens"].iter().any(|word| refusal.mentions(word));
        if refusal.is_too_long() && about_reply && asked > SHORTEST_REPLY {
            return Some(Self { max_output_tokens: (asked / 4).max(SHORTEST_REPLY), ..self });
        }
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
