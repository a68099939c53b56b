//! Language models over HTTP: Anthropic's Messages, and the chat completions that OpenAI and most local servers speak.
//!
//! Thin: a request is translated, sent once, and its reply translated back. Retries, fall-back, breakers and budgets are the
//! engine's. Invariant: no key and no text of a conversation reaches a log or an error message (`redaction`).

mod anthropic;
mod config;
mod conversation;
mod dialect;
mod http;
mod json;
mod openai;
mod place;
pub mod probe;
mod redaction;
mod refusal;
mod sse;
mod strict;

pub use config::{BadProvider, Kind, ModelRef, PriceConfig, ProviderConfig, Structured, ThinkingMode};

use config::Prices;
use dialect::SharedDialect;
use engine::models::Keys;
use http::Wire;
use protocol::model::{Model, ModelRequest, Price};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// All that is configured about models over HTTP.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LlmConfig {
    /// By name; `anthropic`, `openai`, `ollama`, `vllm` and `llamacpp` are there without being named.
    pub providers: BTreeMap<String, ProviderConfig>,
    /// By `MODEL` or `PROVIDER:MODEL`.
    pub prices: BTreeMap<String, PriceConfig>,
    /// By `MODEL` or `PROVIDER:MODEL`.
    pub context_tokens: BTreeMap<String, u32>,
}

/// Makes models out of what is configured.
pub struct Providers {
    config: LlmConfig,
    keys: Arc<dyn Keys>,
    /// By `provider:model`: what one call has found out holds for all.
    dialects: Mutex<BTreeMap<Arc<str>, SharedDialect>>,
}

/// What every model over HTTP has.
struct Card {
    /// `provider:model`.
    name: Arc<str>,
    provider: String,
    model: String,
    price: Price,
    context_tokens: Option<u32>,
    config: ProviderConfig,
    wire: Wire,
    dialect: SharedDialect,
}

impl Card {
    /// What the request asks for, but no more than half of a context that is known to be small.
    fn max_output_tokens(&self, request: &ModelRequest) -> u32 {
        self.context_tokens.map_or(request.max_output_tokens, |context| request.max_output_tokens.min((context / 2).max(1)))
    }
}

impl Providers {
    pub fn new(config: LlmConfig, keys: Arc<dyn Keys>) -> Self {
        Self { config, keys, dialects: Mutex::default() }
    }

    /// The model, ready to be called.
    pub fn model(&self, provider: &str, model: &str) -> Result<Arc<dyn Model>, BadProvider> {
        let card = self.card(provider, model)?;
        Ok(match card.config.kind {
            Kind::Anthropic => Arc::new(anthropic::Anthropic::new(card)),
            Kind::Openai => Arc::new(openai::OpenAi::new(card)),
        })
    }

    /// The provider as it is configured, or as it is built in.
    pub fn provider(&self, name: &str) -> Result<ProviderConfig, BadProvider> {
        let configured = self.config.providers.get(name).cloned().or_else(|| ProviderConfig::built_in(name));
        configured.ok_or_else(|| BadProvider::Unknown { name: name.to_owned(), known: self.names() })
    }

    fn card(&self, provider: &str, model: &str) -> Result<Card, BadProvider> {
        let config = self.provider(provider)?;
        let name: Arc<str> = format!("{provider}:{model}").into();
        let wire = Wire::new(provider, model, &config, self.keys.clone())?;
        Ok(Card {
            price: Prices(&self.config.prices).of(&name, model),
            dialect: self.dialect(&name, &config),
            context_tokens: self.config.context_tokens.get(&*name).or_else(|| self.config.context_tokens.get(model)).copied(),
            name,
            provider: provider.to_owned(),
            model: model.to_owned(),
            config,
            wire,
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
