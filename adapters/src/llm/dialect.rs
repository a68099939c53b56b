//! The request dialect of a server. Servers differ in the options they accept and refuse others once; the simpler request is remembered
//! per model. Both APIs use this module.

use super::{ApiKind, ModelSpec, ProviderConfig, StructuredOutput, error_response::ErrorResponse, http::Failure};
use async_trait::async_trait;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, Price, StopReason, Usage};
use std::sync::{Arc, Mutex, PoisonError};

/// Minimum reply length to ask for, in tokens.
const SHORTEST_REPLY: u32 = 1024;

/// The options that a server accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dialect {
    pub kind: ApiKind,
    pub structured: StructuredOutput,
    /// Whether the limit is called `max_completion_tokens`, the newer name, or `max_tokens`.
    pub completion_tokens: bool,
    pub stream_options: bool,
    /// Chat completions only: maximum reply length to ask for. A small context has no room for a long reply beside the conversation.
    pub max_output_tokens: u32,
    /// Whether the name of the limit was changed already; it changes only once.
    swapped: bool,
    /// The server's reason for refusing the earlier method of structured output.
    pub shape_error: Option<String>,
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
            shape_error: None,
        }
    }

    /// Returns the dialect to try after this error; `None` when no refused option can be left out.
    fn after(&self, response: &ErrorResponse, request: &ModelRequest) -> Option<Self> {
        let asked = request.max_output_tokens.min(self.max_output_tokens);
        let about_reply = ["max_tokens", "completion", "output tokens"].iter().any(|word| response.mentions(word));
        // Servers of small models say so of every request; Anthropic says it of one conversation that is too long.
        let is_small = self.kind == ApiKind::Openai && response.is_too_long() && about_reply;
        if is_small && asked > SHORTEST_REPLY {
            return Some(Self { max_output_tokens: (asked / 4).max(SHORTEST_REPLY), ..self.clone() });
        }
        if !response.is_about_the_request() {
            return None;
        }
        self.without_option(response, request).or_else(|| self.without_shape(response, request))
    }

    /// Leaves out a chat-completion option that the server refused.
    fn without_option(&self, response: &ErrorResponse, request: &ModelRequest) -> Option<Self> {
        if self.kind != ApiKind::Openai {
            return None;
        }
        let about_limit = response.mentions("max_tokens") || response.mentions("max_completion_tokens");
        let unknown = ["unsupported", "not supported", "unknown", "unrecognized", "extra inputs", "not permitted"];
        if about_limit && !self.swapped && unknown.iter().any(|word| response.mentions(word)) {
            return Some(Self { completion_tokens: !self.completion_tokens, swapped: true, ..self.clone() });
        }
        let about_options = self.stream_options && request.progress.is_some() && response.mentions("stream_options");
        about_options.then(|| Self { stream_options: false, ..self.clone() })
    }

    fn without_shape(&self, response: &ErrorResponse, request: &ModelRequest) -> Option<Self> {
        request.output_schema.as_ref()?;
        let words: &[&str] = match self.structured {
            StructuredOutput::Schema => &["response_format", "output_config", "json_schema", "schema", "grammar", "structured"],
            StructuredOutput::Json => &["response_format", "json_object", "json"],
            StructuredOutput::Tool => &["tool_choice", "tool", "schema"],
            StructuredOutput::Prompt => &[],
        };
        let structured = match (self.structured, self.kind) {
            (StructuredOutput::Schema, ApiKind::Openai) => StructuredOutput::Json,
            (StructuredOutput::Schema, ApiKind::Anthropic) => StructuredOutput::Tool,
            _ => StructuredOutput::Prompt,
        };
        let is_about_shape = words.iter().any(|word| response.mentions(word));
        is_about_shape.then(|| Self { structured, shape_error: Some(response.message.clone()), ..self.clone() })
    }
}

/// The dialect of one model, shared by all its callers.
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

/// A wire format: sends a request in a dialect and reads the reply.
#[async_trait]
pub(super) trait WireFormat: Send + Sync {
    fn spec(&self) -> &ModelSpec;
    async fn send(&self, request: &ModelRequest, dialect: &Dialect) -> Result<ModelReply, Failure>;
}

/// A model behind a wire format.
pub(super) struct RemoteModel(pub Box<dyn WireFormat>);

#[async_trait]
impl Model for RemoteModel {
    fn provider(&self) -> &str {
        &self.0.spec().provider
    }

    fn model(&self) -> &str {
        &self.0.spec().model
    }

    fn can_dissent(&self) -> bool {
        true
    }

    fn price(&self) -> Price {
        self.0.spec().price.clone()
    }

    fn context_tokens(&self) -> Option<u32> {
        self.0.spec().context_tokens
    }

    fn streams(&self) -> bool {
        self.0.spec().config.streams()
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        call(&*self.0, request).await
    }
}

/// Calls the model, simplifying the request as long as the server refuses options that can be left out.
async fn call(format: &dyn WireFormat, request: &ModelRequest) -> Result<ModelReply, ModelError> {
    let spec = format.spec();
    let known = spec.dialect.get();
    let mut dialect = known.clone();
    loop {
        let response = match format.send(request, &dialect).await {
            Ok(reply) => {
                if dialect != known {
                    tracing::info!(model = %spec.name, now = ?dialect, "request option refused by the server, simplified");
                    spec.dialect.set(dialect);
                }
                return Ok(reply);
            }
            Err(Failure::Response(response)) => response,
            Err(failure) => return Err(spec.client.endpoint().explain(failure)),
        };
        if response.is_filter() {
            return Ok(declined(&response.message));
        }
        // Each refusal takes away one thing that can be refused, so this ends.
        match dialect.after(&response, request) {
            Some(simpler) => dialect = simpler,
            None => return Err(spec.client.endpoint().explain(Failure::Response(response))),
        }
    }
}

/// Returns the reply for a request stopped by the provider's filter.
fn declined(why: &str) -> ModelReply {
    let stop = StopReason::Refused;
    ModelReply { text: why.into(), tool_calls: vec![], stop, usage: Usage::default(), thinking: vec![] }
}

#[cfg(test)]
mod tests {
    use super::{super::redaction::Redaction, *};
    use domain::agent::AgentRole;

    fn dialect_after(kind: ApiKind, message: &str) -> Option<Dialect> {
        let body = serde_json::json!({"error": {"type": "invalid_request_error", "message": message}}).to_string();
        let response = ErrorResponse::read(400, body.as_bytes(), None, &Redaction::default());
        let request = ModelRequest {
            role: AgentRole::Analyst,
            system: "".into(),
            messages: vec![],
            tools: Arc::new([]),
            max_output_tokens: 16_384,
            output_schema: None,
            progress: None,
        };
        Dialect::new(&ProviderConfig::new(kind)).after(&response, &request)
    }

    #[test]
    fn only_servers_of_small_models_keep_a_shorter_reply_limit() {
        let too_long = "input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000";
        assert_eq!(dialect_after(ApiKind::Openai, too_long).map(|dialect| dialect.max_output_tokens), Some(4_096));
        assert_eq!(dialect_after(ApiKind::Anthropic, too_long), None, "the conversation is shortened instead");
    }

    #[test]
    fn an_error_in_a_conversation_changes_no_dialect() {
        for kind in [ApiKind::Anthropic, ApiKind::Openai] {
            for message in ["messages: roles must alternate", "tools.3.custom.input_schema: JSON schema is invalid"] {
                assert_eq!(dialect_after(kind, message), None, "{kind:?}: no answer of a given shape was asked for: {message}");
            }
        }
    }
}
