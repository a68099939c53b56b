//! The `[models]` configuration: providers, prices, and model names.

use crate::replay;
use protocol::model::Price;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fmt, str::FromStr};

const MIB: usize = 1024 * 1024;

/// Built-in providers.
pub(super) const BUILT_IN: [&str; 5] = ["anthropic", "openai", "ollama", "vllm", "llamacpp"];

/// The name of a model: `extractive`, `replay:RECORDING`, or `PROVIDER:MODEL`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub enum ModelRef {
    /// The built-in provider: no model, no network, deterministic.
    Extractive,
    /// Recorded replies, by the name of the recording, such as `varrow-lock/who`.
    Replay {
        recording: String,
    },
    Remote {
        provider: String,
        model: String,
    },
}

impl FromStr for ModelRef {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().split_once(':') {
            None if text.trim() == "extractive" => Ok(Self::Extractive),
            Some((replay::PROVIDER, recording)) if !recording.is_empty() => {
                Ok(Self::Replay { recording: recording.to_owned() })
            }
            Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
                Ok(Self::Remote { provider: provider.to_owned(), model: model.to_owned() })
            }
            _ => {
                Err(format!("'{text}' names no model: write \"extractive\", or \"PROVIDER:MODEL\" such as \"ollama:qwen3:8b\""))
            }
        }
    }
}

impl TryFrom<String> for ModelRef {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extractive => out.write_str("extractive"),
            Self::Replay { recording } => write!(out, "{}:{recording}", replay::PROVIDER),
            Self::Remote { provider, model } => write!(out, "{provider}:{model}"),
        }
    }
}

/// The API of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApiKind {
    /// Anthropic Messages.
    Anthropic,
    /// Chat completions: OpenAI, Ollama, vLLM, llama.cpp and many more.
    Openai,
}

/// The method for requesting structured output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StructuredOutput {
    /// One forced tool call.
    Tool,
    /// The provider's own JSON schema output.
    Schema,
    /// Any JSON object, with the schema in the prompt.
    Json,
    /// Only the prompt.
    Prompt,
}

/// The thinking mode of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingMode {
    #[default]
    Off,
    /// The model decides.
    Adaptive,
    /// At most so many tokens; the only mode of older models.
    #[serde(untagged)]
    Tokens(u32),
}

/// The `[models.providers.NAME]` configuration.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderConfig {
    pub kind: ApiKind,
    /// Base URL before `/v1/messages` or `/chat/completions`. `None`: Anthropic's or OpenAI's own.
    pub base_url: Option<String>,
    /// Environment variable with the key. `None`: `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` for their own addresses, else no key.
    pub key_env: Option<String>,
    /// Headers of every request.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Fields added to every request, such as `{ temperature = 0 }` or `{ reasoning_effort = "high" }`.
    #[serde(default)]
    pub extra: Map<String, Value>,
    /// Proxy URL.
    pub proxy: Option<String>,
    #[serde(default = "ten_seconds")]
    pub connect_timeout_ms: u64,
    /// Time limit of a whole call.
    #[serde(default = "ten_minutes")]
    pub timeout_ms: u64,
    /// Time limit of a silence in a stream that has begun.
    #[serde(default = "one_minute")]
    pub idle_timeout_ms: u64,
    #[serde(default = "sixteen_mib")]
    pub max_reply_bytes: usize,
    /// Whether session replies are streamed: then a stopped call has known usage, and a silence is noticed after `idle_timeout_ms`.
    /// `None`: only at Anthropic's and OpenAI's own addresses, since not every other server streams tool calls.
    pub stream: Option<bool>,
    /// `None`: `tool` for Anthropic, `schema` for others. A method that the server refuses is replaced by the next one.
    pub structured: Option<StructuredOutput>,
    /// Anthropic only.
    #[serde(default)]
    pub thinking: ThinkingMode,
    /// Anthropic only: marks prompt parts for the provider's cache.
    #[serde(default = "yes")]
    pub cache: bool,
}

impl ProviderConfig {
    pub fn new(kind: ApiKind) -> Self {
        Self {
            kind,
            base_url: None,
            key_env: None,
            headers: BTreeMap::new(),
            extra: Map::new(),
            proxy: None,
            connect_timeout_ms: ten_seconds(),
            timeout_ms: ten_minutes(),
            idle_timeout_ms: one_minute(),
            max_reply_bytes: sixteen_mib(),
            stream: None,
            structured: None,
            thinking: ThinkingMode::Off,
            cache: true,
        }
    }

    /// Returns the configuration of a built-in provider.
    pub fn built_in(name: &str) -> Option<Self> {
        let local = |base_url: &str| Self { base_url: Some(base_url.to_owned()), ..Self::new(ApiKind::Openai) };
        match name {
            "anthropic" => Some(Self::new(ApiKind::Anthropic)),
            "openai" => Some(Self::new(ApiKind::Openai)),
            "ollama" => Some(local("http://127.0.0.1:11434/v1")),
            "vllm" => Some(local("http://127.0.0.1:8000/v1")),
            "llamacpp" => Some(local("http://127.0.0.1:8080/v1")),
            _ => None,
        }
    }

    /// Returns the base URL without a trailing slash.
    pub fn address(&self) -> &str {
        let address = self.base_url.as_deref().unwrap_or(match self.kind {
            ApiKind::Anthropic => "https://api.anthropic.com",
            ApiKind::Openai => "https://api.openai.com/v1",
        });
        address.trim_end_matches('/')
    }

    /// Returns the base URL without user, password and query, fit for display.
    pub fn shown_address(&self) -> String {
        let Ok(mut url) = reqwest::Url::parse(self.address()) else { return without_secrets(self.address()).to_owned() };
        // Neither fails for an address with a host.
        let _ = (url.set_username(""), url.set_password(None));
        url.set_query(None);
        url.set_fragment(None);
        url.as_str().trim_end_matches('/').to_owned()
    }

    /// Returns the environment variable of the key; `None` when no key is needed. A default key is never sent to another address.
    pub fn key_variable(&self) -> Option<&str> {
        match (&self.key_env, &self.base_url, self.kind) {
            (Some(name), _, _) => Some(name),
            (None, Some(_), _) => None,
            (None, None, ApiKind::Anthropic) => Some("ANTHROPIC_API_KEY"),
            (None, None, ApiKind::Openai) => Some("OPENAI_API_KEY"),
        }
    }

    pub fn streams(&self) -> bool {
        self.stream.unwrap_or(self.base_url.is_none())
    }

    pub fn structured(&self) -> StructuredOutput {
        self.structured.unwrap_or(match self.kind {
            ApiKind::Anthropic => StructuredOutput::Tool,
            ApiKind::Openai => StructuredOutput::Schema,
        })
    }
}

/// Returns the displayable part of an invalid address, whose password has no known end.
fn without_secrets(address: &str) -> &str {
    let (base, rest) = address.split_at(address.find(['?', '#']).unwrap_or(address.len()));
    match (base.rsplit_once('@'), rest.contains('@')) {
        (_, true) => "(no address)",
        (Some((_, host)), false) => host,
        (None, false) => base,
    }
}

/// Hides headers and address, which may hold secrets.
impl fmt::Debug for ProviderConfig {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<_> = self.headers.keys().collect();
        let (kind, address) = (self.kind, self.shown_address());
        out.debug_struct("ProviderConfig")
            .field("kind", &kind)
            .field("address", &address)
            .field("headers", &headers)
            .finish_non_exhaustive()
    }
}

/// The `[models.prices."MODEL"]` configuration, per million tokens.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceConfig {
    pub input: f64,
    pub output: f64,
    /// `None`: the price of `input`.
    pub cache_read: Option<f64>,
    /// `None`: the price of `input`.
    pub cache_written: Option<f64>,
    /// ISO 4217 code.
    #[serde(default = "usd")]
    pub currency: String,
}

impl PriceConfig {
    /// Returns a problem with this price, if any.
    pub fn problem(&self) -> Option<&'static str> {
        let prices = [Some(self.input), Some(self.output), self.cache_read, self.cache_written];
        if prices.into_iter().flatten().any(|price| !price.is_finite() || price < 0.0) {
            return Some("has a price that is no amount of money");
        }
        let is_code = self.currency.len() == 3 && self.currency.bytes().all(|byte| byte.is_ascii_uppercase());
        (!is_code).then_some("has a currency that is no code like USD")
    }
}

/// Prices: the configured ones, else those known at release.
pub(super) struct Prices<'a>(pub &'a BTreeMap<String, PriceConfig>);

/// Prices of November 2026 in US dollars: input, output, cache read, cache write.
const KNOWN: [(&str, [f64; 4]); 3] = [
    ("claude-opus-4-8", [5.0, 25.0, 0.5, 6.25]),
    ("claude-sonnet-4-6", [3.0, 15.0, 0.3, 3.75]),
    ("claude-haiku-4-5", [1.0, 5.0, 0.1, 1.25]),
];

impl Prices<'_> {
    pub fn find(&self, name: &str, model: &str) -> Price {
        if let Some(price) = self.0.get(name).or_else(|| self.0.get(model)) {
            return Price {
                input: price.input,
                output: price.output,
                cache_read: price.cache_read.unwrap_or(price.input),
                cache_written: price.cache_written.unwrap_or(price.input),
                currency: price.currency.as_str().into(),
            };
        }
        let known = KNOWN.iter().find(|(known, _)| name.starts_with("anthropic:") && model.starts_with(known));
        known.map_or_else(Price::default, |(_, [input, output, cache_read, cache_written])| Price {
            input: *input,
            output: *output,
            cache_read: *cache_read,
            cache_written: *cache_written,
            currency: usd().into(),
        })
    }
}

/// An unusable provider configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadProvider {
    #[error("there is no provider '{name}'; known: {known}. Add [models.providers.{name}] with a kind, or correct the name")]
    Unknown { name: String, known: String },
    #[error("models.providers.{name}: {problem}")]
    Unusable { name: String, problem: String },
}

fn ten_seconds() -> u64 {
    10_000
}

fn one_minute() -> u64 {
    60_000
}

fn ten_minutes() -> u64 {
    600_000
}

fn sixteen_mib() -> usize {
    16 * MIB
}

fn yes() -> bool {
    true
}

fn usd() -> String {
    "USD".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_by_its_provider_and_its_name() {
        let remote = |provider: &str, model: &str| ModelRef::Remote { provider: provider.into(), model: model.into() };
        assert_eq!("extractive".parse(), Ok(ModelRef::Extractive));
        assert_eq!("ollama:qwen3:8b".parse(), Ok(remote("ollama", "qwen3:8b")));
        for bad in ["", "anthropic", ":m", "p:"] {
            assert!(bad.parse::<ModelRef>().is_err(), "{bad}");
        }
        assert_eq!(remote("ollama", "qwen3:8b").to_string(), "ollama:qwen3:8b");
    }

    #[test]
    fn an_invalid_address_is_reported_without_its_secret() {
        for (base, shown) in [
            ("http://ada:pass@host:99999/v1", "host:99999/v1"),
            ("http://ada:p@ss@host:99999/v1?key=secret", "host:99999/v1"),
            ("http://ada:pa?ss@w@host/v1", "(no address)"),
            ("host/v1#secret", "host/v1"),
            ("http://host:99999/v1", "http://host:99999/v1"),
        ] {
            let config = ProviderConfig { base_url: Some(base.into()), ..ProviderConfig::new(ApiKind::Openai) };
            assert_eq!(config.shown_address(), shown);
            assert!(!format!("{config:?}").contains("ss@"), "{config:?}");
        }
    }

    #[test]
    fn a_key_is_sent_to_another_address_only_if_configured() {
        let own = ProviderConfig::new(ApiKind::Openai);
        assert_eq!(own.key_variable(), Some("OPENAI_API_KEY"));
        let other = ProviderConfig { base_url: Some("http://127.0.0.1:11434/v1/".into()), ..own };
        assert_eq!(other.key_variable(), None);
        assert_eq!(other.address(), "http://127.0.0.1:11434/v1");
        let named = ProviderConfig { key_env: Some("MY_KEY".into()), ..other };
        assert_eq!(named.key_variable(), Some("MY_KEY"));
    }

    #[test]
    fn an_address_is_shown_without_its_credentials() {
        let shown = ["https://api.example/v1", "http://ada:pass@10.0.0.8:8000/v1", "http://a@b@c.example?x=@y", "c.example/v1"];
        let provider = |base: &str| ProviderConfig { base_url: Some(base.to_owned()), ..ProviderConfig::new(ApiKind::Openai) };
        let shown = shown.map(|base| provider(base).shown_address());
        assert_eq!(shown, ["https://api.example/v1", "http://10.0.0.8:8000/v1", "http://c.example", "c.example/v1"]);
    }

    #[test]
    fn prices_are_found_by_full_name_then_by_model_then_in_the_built_in_list() {
        let price = |input| PriceConfig { input, output: 2.0, cache_read: None, cache_written: None, currency: "EUR".into() };
        let table = BTreeMap::from([("a:m".to_owned(), price(1.0)), ("m".to_owned(), price(9.0))]);
        let prices = Prices(&table);
        assert!((prices.find("a:m", "m").input - 1.0).abs() < 1e-9);
        assert!((prices.find("b:m", "m").cache_read - 9.0).abs() < 1e-9);
        assert!((prices.find("anthropic:claude-haiku-4-5-20251001", "claude-haiku-4-5-20251001").output - 5.0).abs() < 1e-9);
        assert!(prices.find("ollama:qwen3:8b", "qwen3:8b").is_free());
        assert!(price(-1.0).problem().is_some() && price(1.0).problem().is_none());
    }
}
