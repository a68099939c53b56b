//! Embedders: a sentence model in process, feature hashing as a fallback, or a model over HTTP (`llm`).

mod hashing;
#[cfg(feature = "embed")]
mod idle;
#[cfg(feature = "embed")]
mod minilm;

pub use hashing::HashingEmbedder;

use crate::llm::{BadProvider, ModelRef, Providers};
use engine::{Clock, embeddings::Embedder};
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, sync::Arc};

/// The configured embedder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// all-MiniLM-L6-v2 in process; `hashing` where its weights are missing.
    #[default]
    Minilm,
    /// Feature hashing: finds shared words, not shared meaning.
    Hashing,
    /// A model behind the embeddings API of OpenAI and compatible servers.
    Openai,
    /// No vectors: searches use words alone.
    None,
}

domain::settings! {
    /// The `embed` part of the configuration.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct EmbedConfig {
        pub provider: Provider = Provider::Minilm,
        /// Folder with `model.safetensors`, `tokenizer.json` and `config.json`; empty: the cache filled by the set-up.
        pub model_dir: PathBuf = PathBuf::new(),
        /// Maximum length of a text in tokens; longer texts are cut.
        pub max_tokens: usize = 256,
        /// Time without use after which the weights of `minilm` are freed; they are read again on demand. Zero keeps them.
        pub idle_minutes: u64 = 10,
        /// Dimensions of a `hashing` vector.
        pub hashing_dimensions: usize = 256,
        /// Model of `openai`, as `PROVIDER:MODEL` with a provider of `models`.
        pub model: Option<ModelRef> = None,
        /// Dimensions of its vectors.
        pub dimensions: usize = 768,
    }
}

/// Characters of a token, as far as texts for a model over HTTP are cut by `max_tokens`.
const CHARS_PER_TOKEN: usize = 4;

impl EmbedConfig {
    /// Returns the first invalid setting, with the remedy.
    pub fn problem(&self) -> Option<String> {
        if self.provider == Provider::Openai && !matches!(self.model, Some(ModelRef::Remote { .. })) {
            let remedy = "name one, such as model = \"ollama:nomic-embed-text\" with dimensions = 768";
            return Some(format!("embed.provider is \"openai\" and embed.model names no model over HTTP: {remedy}"));
        }
        (self.dimensions == 0).then(|| "embed.dimensions is 0; it must be at least 1".to_owned())
    }
}

/// The chosen embedder and the reason, for `autosint doctor`.
pub struct EmbedderChoice {
    pub embedder: Option<Arc<dyn Embedder>>,
    pub why: String,
}

/// Chooses the embedder for a configuration. Cheap: a model is loaded or called on first use.
pub fn choose(config: &EmbedConfig, providers: &Providers, clock: Arc<dyn Clock>) -> Result<EmbedderChoice, BadProvider> {
    let hashing = || -> Option<Arc<dyn Embedder>> { Some(Arc::new(HashingEmbedder::new(config.hashing_dimensions))) };
    Ok(match config.provider {
        Provider::None => EmbedderChoice { embedder: None, why: "embed.provider is \"none\": searches use words alone".into() },
        Provider::Hashing => EmbedderChoice { embedder: hashing(), why: "embed.provider is \"hashing\"".into() },
        Provider::Openai => {
            let Some(ModelRef::Remote { provider, model }) = &config.model else {
                return Ok(EmbedderChoice { embedder: None, why: config.problem().unwrap_or_default() });
            };
            let max_chars = config.max_tokens.saturating_mul(CHARS_PER_TOKEN);
            let embedder = providers.embedder(provider, model, config.dimensions, max_chars)?;
            let why = format!("embed.provider is \"openai\": {provider}:{model}, {} dimensions", config.dimensions);
            EmbedderChoice { embedder: Some(Arc::new(embedder)), why }
        }
        Provider::Minilm => match minilm(config, clock) {
            Ok(model) => EmbedderChoice {
                embedder: Some(model),
                why: format!("embed.provider is \"minilm\" and its weights are in {}", config.model_dir.display()),
            },
            Err(missing) => EmbedderChoice { embedder: hashing(), why: format!("{missing}; hashing is used, the last resort") },
        },
    })
}

/// Returns the embedding model in process, or the reason for its absence.
#[cfg(feature = "embed")]
fn minilm(config: &EmbedConfig, clock: Arc<dyn Clock>) -> Result<Arc<dyn Embedder>, String> {
    let idle = std::time::Duration::from_secs(config.idle_minutes.saturating_mul(60));
    let model = minilm::MiniLm::at(&config.model_dir, config.max_tokens, idle, clock);
    model.map(|model| Arc::new(model) as Arc<dyn Embedder>).map_err(|missing| missing.to_string())
}

#[cfg(not(feature = "embed"))]
fn minilm(_: &EmbedConfig, _: Arc<dyn Clock>) -> Result<Arc<dyn Embedder>, String> {
    Err("this build has no embedding model (feature `embed` of the crate `server`)".to_owned())
}

/// Scales a vector to length 1; a zero vector stays.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|value| *value /= length);
    }
}
