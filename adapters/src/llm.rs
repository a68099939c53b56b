//! Language models over HTTP: Anthropic's Messages API, and the chat completions of OpenAI and most local servers.
//!
//! A thin client: it translates a request, sends it once and translates the reply. Retries, fall-back, breakers and budgets belong to the
//! engine.
//!
//! Invariant: no key and no text of a conversation reaches a log or an error message (`redaction`).

mod anthropic;
mod config;
mod conversation;
mod dialect;
mod embedder;
mod endpoint;
mod error_response;
mod http;
mod json;
mod models;
mod openai;
pub mod probe;
mod redaction;
mod sse;
mod strict;
mod text_calls;

pub use config::{ApiKind, BadProvider, ModelRef, PriceConfig, ProviderConfig, StructuredOutput, ThinkingMode};
pub use embedder::RemoteEmbedder;

use config::Prices;
use dialect::{RemoteModel, SharedDialect, WireFormat};
use engine::models::Keys;
use http::HttpClient;
use protocol::model::{Model, ModelRequest, Price};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Configuration of models over HTTP.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LlmConfig {
    /// Providers by name; `anthropic`, `openai`, `ollama`, `vllm` and `llamacpp` are built in.
    pub providers: BTreeMap<String, ProviderConfig>,
    pub prices: BTreeMap<String, PriceConfig>,
    pub context_tokens: BTreeMap<String, u32>,
}

/// Factory of the configured models.
pub struct Providers {
    config: LlmConfig,
    keys: Arc<dyn Keys>,
    /// Dialects by `provider:model`, shared by all calls of a model.
    dialects: Mutex<BTreeMap<Arc<str>, SharedDialect>>,
}

/// Common properties of a model over HTTP.
struct ModelSpec {
    /// `provider:model`.
    name: Arc<str>,
    provider: String,
    model: String,
    price: Price,
    context_tokens: Option<u32>,
    config: ProviderConfig,
    client: HttpClient,
    dialect: SharedDialect,
}

impl ModelSpec {
    /// Returns the requested output limit, but at most half of a context known to be small.
    fn max_output_tokens(&self, request: &ModelRequest) -> u32 {
        self.context_tokens.map_or(request.max_output_tokens, |context| request.max_output_tokens.min((context / 2).max(1)))
    }
}

impl Providers {
    pub fn new(config: LlmConfig, keys: Arc<dyn Keys>) -> Self {
        Self { config, keys, dialects: Mutex::default() }
    }

    /// Returns the model, ready to be called.
    pub fn model(&self, provider: &str, model: &str) -> Result<Arc<dyn Model>, BadProvider> {
        let spec = self.spec(provider, model)?;
        let format: Box<dyn WireFormat> = match spec.config.kind {
            ApiKind::Anthropic => Box::new(anthropic::Anthropic::new(spec)),
            ApiKind::Openai => Box::new(openai::OpenAi::new(spec)),
        };
        Ok(Arc::new(RemoteModel(format)))
    }

    /// Returns the provider's configuration, or its built-in one.
    pub fn provider(&self, name: &str) -> Result<ProviderConfig, BadProvider> {
        let configured = self.config.providers.get(name).cloned().or_else(|| ProviderConfig::built_in(name));
        configured.ok_or_else(|| BadProvider::Unknown { name: name.to_owned(), known: self.names() })
    }

    fn spec(&self, provider: &str, model: &str) -> Result<ModelSpec, BadProvider> {
        let config = self.provider(provider)?;
        let name: Arc<str> = format!("{provider}:{model}").into();
        let client = HttpClient::new(provider, model, &config, self.keys.clone())?;
        Ok(ModelSpec {
            price: Prices(&self.config.prices).find(&name, model),
            dialect: self.dialect(&name, &config),
            context_tokens: self.config.context_tokens.get(&*name).or_else(|| self.config.context_tokens.get(model)).copied(),
            name,
            provider: provider.to_owned(),
            model: model.to_owned(),
            config,
            client,
        })
    }

    fn dialect(&self, name: &Arc<str>, config: &ProviderConfig) -> SharedDialect {
        let mut dialects = self.dialects.lock().unwrap_or_else(PoisonError::into_inner);
        dialects.entry(name.clone()).or_insert_with(|| SharedDialect::new(config)).clone()
    }

    fn names(&self) -> String {
        let built_in = config::BUILT_IN.iter().copied();
        let mut names: Vec<&str> = self.config.providers.keys().map(String::as_str).chain(built_in).collect();
        names.sort_unstable();
        names.dedup();
        names.join(", ")
    }
}
