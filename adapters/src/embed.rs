//! Embedders: a sentence model in process, and feature hashing as a fallback.

mod hashing;
mod minilm;

pub use hashing::HashingEmbedder;
pub use minilm::MiniLm;

use engine::embeddings::Embedder;
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
    /// No vectors: searches use words alone.
    None,
}

/// The `embed` part of the configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmbedConfig {
    pub provider: Provider,
    /// Folder with `model.safetensors`, `tokenizer.json` and `config.json`; empty: the cache filled by the set-up.
    pub model_dir: PathBuf,
    /// Maximum length of a text in tokens; longer texts are cut.
    pub max_tokens: usize,
    /// Dimensions of a `hashing` vector.
    pub hashing_dimensions: usize,
}

impl Default for EmbedConfig {
    fn default() -> Self {
        Self { provider: Provider::Minilm, model_dir: PathBuf::new(), max_tokens: 256, hashing_dimensions: 256 }
    }
}

/// The chosen embedder and the reason, for `autosint doctor`.
pub struct EmbedderChoice {
    pub embedder: Option<Arc<dyn Embedder>>,
    pub why: String,
}

/// Chooses the embedder for a configuration. Cheap: a model is loaded on first use.
pub fn choose(config: &EmbedConfig) -> EmbedderChoice {
    let hashing = || -> Option<Arc<dyn Embedder>> { Some(Arc::new(HashingEmbedder::new(config.hashing_dimensions))) };
    match config.provider {
        Provider::None => EmbedderChoice { embedder: None, why: "embed.provider is \"none\": searches use words alone".into() },
        Provider::Hashing => EmbedderChoice { embedder: hashing(), why: "embed.provider is \"hashing\"".into() },
        Provider::Minilm => match MiniLm::at(&config.model_dir, config.max_tokens) {
            Ok(model) => EmbedderChoice {
                embedder: Some(Arc::new(model)),
                why: format!("embed.provider is \"minilm\" and its weights are in {}", config.model_dir.display()),
            },
            Err(missing) => EmbedderChoice { embedder: hashing(), why: format!("{missing}; hashing is used, the last resort") },
        },
    }
}
