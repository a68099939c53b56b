//! How a server takes requests. Servers differ in what they know; each says so by refusing a request once, and the simpler way is
//! remembered for its model. Both wires go through here.

use super::{Card, Kind, ProviderConfig, Structured, http::Failure, refusal::Refusal};
use async_trait::async_trait;
use protocol::model::{ModelError, ModelReply, ModelRequest, StopReason, Usage};
use std::sync::{Arc, Mutex, PoisonError};

/// A reply is not asked to be shorter than this, in tokens.
const SHORTEST_REPLY: u32 = 1024;

/// How a request is put so that this server takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dialect {
    pub kind: Kind,
    pub structured: Structured,
    /// `max_completion_tokens`, the newer name, or `max_tokens`.
    pub completion_tokens: bool,
    pub stream_options: bool,
    /// Chat completions only: longest reply that is asked for. A small context has no room for a long one beside the conversation.
    pub max_output_tokens: u32,
    /// Whether the name of the limit was changed already: not to and fro.
    swapped: bool,
    /// Why the answer of a given shape is no longer asked for as it was, in the server's words.
    pub shape_refusal: Option<String>,
}

impl Dialect {
    pub fn new(config: &ProviderConfig) -> Self {
        Self {
            kind: config.kind,
            structured: config.structured(),
            completion_tokens: config.base_url.is_none(),
            stream_options: true,
            max_output_tokens: u32::MAX,
            swapped: false,
            shape_refusal: None,
        }
    }

    /// The way to ask after this refusal; none when nothing that can be left out was refused.
    fn after(&self, refusal: &Refusal, request: &ModelRequest) -> Option<Self> {
        let asked = request.max_output_tokens.min(self.max_output_tokens);
        let about_reply = ["max_tokens", "completion", "output tokens"].iter().any(|word| refusal.mentions(word));
        // Servers of small models say so of every request; Anthropic says it of one conversation that is too long.
        let is_small = self.kind == Kind::Openai && refusal.is_too_long() && about_reply;
        if is_small && asked > SHORTEST_REPLY {
            return Some(Self { max_output_tokens: (asked / 4).max(SHORTEST_REPLY), ..self.clone() });
        }
        if !refusal.is_about_the_request() {
            return None;
        }
        self.without_option(refusal, request).or_else(|| self.without_shape(refusal, request))
    }

    /// Fields that only chat completions have, and not every server.
    fn without_option(&self, refusal: &Refusal, request: &ModelRequest) -> Option<Self> {
        if self.kind != Kind::Openai {
            return None;
        }
        let about_limit = refusal.mentions("max_tokens") || refusal.mentions("max_completion_tokens");
        let unknown = ["unsupported", "not supported", "unknown", "unrecognized", "extra inputs", "not permitted"];
        if about_limit && !self.swapped && unknown.iter().any(|word| refusal.mentions(word)) {
            return Some(Self { completion_tokens: !self.completion_tokens, swapped: true, ..self.clone() });
        }
        let about_options = self.stream_options && request.progress.is_some() && refusal.mentions("stream_options");
        about_options.then(|| Self { stream_options: false, ..self.clone() })
    }

    fn without_shape(&self, refusal: &Refusal, request: &ModelRequest) -> Option<Self> {
        request.output_schema.as_ref()?;
        let words: &[&str] = match self.structured {
            Structured::Schema => &["response_format", "output_config", "json_schema", "schema", "grammar", "structured"],
            Structured::Json => &["response_format", "json_object", "json"],
            Structured::Tool => &["tool_choice", "tool", "schema"],
            Structured::Prompt => &[],
        };
        let structured = match (self.structured, self.kind) {
            (Structured::Schema, Kind::Openai) => Structured::Json,
            (Structured::Schema, Kind::Anthropic) => Structured::Tool,
            _ => Structured::Prompt,
        };
        let is_about_shape = words.iter().any(|word| refusal.mentions(word));
        is_about_shape.then(|| Self { structured, shape_refusal: Some(refusal.message.clone()), ..self.clone() })
    }
}

/// The dialect of one model, shared by all who call it.
#[derive(Clone)]
pub(super) struct SharedDialect(Arc<Mutex<Dialect>>);

impl SharedDialect {
    pub fn new(config: &ProviderConfig) -> Self {
        Self(Arc::new(Mutex::new(Dialect::new(config))))
    }

    pub fn get(&self) -> Dialect {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set(&self, dialect: Dialect) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = dialect;
    }
}

/// One wire: sends a request in a dialect and reads the reply.
#[async_trait]
pub(super) trait Exchange: Sync {
    fn card(&self) -> &Card;
    async fn once(&self, request: &ModelRequest, dialect: &Dialect) -> Result<ModelReply, Failure>;
}

/// The reply to a request, which is put more simply for as long as the server refuses what can be left out.
pub(super) async fn call(wire: &dyn Exchange, request: &ModelRequest) -> Result<ModelReply, ModelError> {
    let card = wire.card();
    let known = card.dialect.get();
    let mut dialect = known.clone();
    loop {
        let refusal = match wire.once(request, &dialect).await {
            Ok(reply) => {
                if dialect != known {
                    tracing::info!(model = %card.name, now = ?dialect, "the server does not take every request; it is asked more simply from now on");
                    card.dialect.set(dialect);
                }
                return Ok(reply);
            }
            Err(Failure::Refused(refusal)) => refusal,
            Err(failure) => return Err(card.wire.place().explain(failure)),
        };
        if refusal.is_filter() {
            return Ok(declined(&refusal.message));
        }
        // Each refusal takes away one thing that can be refused, so this ends.
        match dialect.after(&refusal, request) {
            Some(simpler) => dialect = simpler,
            None => return Err(card.wire.place().explain(Failure::Refused(refusal))),
        }
    }
}

/// A filter of the provider stopped the request.
fn declined(why: &str) -> ModelReply {
    let stop = StopReason::Refused;
    ModelReply { text: why.into(), tool_calls: vec![], stop, usage: Usage::default(), thinking: vec![] }
}

#[cfg(test)]
mod tests {
    use super::{super::redaction::Redaction, *};
    use domain::agent::AgentRole;

    fn dialect_after(kind: Kind, message: &str) -> Option<Dialect> {
        let body = serde_json::json!({"error": {"type": "invalid_request_error", "message": message}}).to_string();
        let refusal = Refusal::read(400, body.as_bytes(), None, &Redaction::default());
        let request = ModelRequest {
            role: AgentRole::Analyst,
            system: "".into(),
            messages: vec![],
            tools: Arc::new([]),
            max_output_tokens: 16_384,
            output_schema: None,
            progress: None,
        };
        Dialect::new(&ProviderConfig::new(kind)).after(&refusal, &request)
    }

    #[test]
    fn only_servers_of_small_models_are_asked_for_shorter_replies_from_then_on() {
        let too_long = "input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000";
        assert_eq!(dialect_after(Kind::Openai, too_long).map(|dialect| dialect.max_output_tokens), Some(4_096));
        assert_eq!(dialect_after(Kind::Anthropic, too_long), None, "the conversation is shortened instead");
    }

    #[test]
    fn what_is_wrong_with_a_conversation_changes_no_dialect() {
        for kind in [Kind::Anthropic, Kind::Openai] {
            for message in ["messages: roles must alternate", "tools.3.custom.input_schema: JSON schema is invalid"] {
                assert_eq!(dialect_after(kind, message), None, "{kind:?}: no answer of a given shape was asked for: {message}");
            }
        }
    }
}
