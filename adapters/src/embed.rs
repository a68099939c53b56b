//! Embedders: the sentence model in process, and hashing as the last resort.

mod hashing;
mod minilm;

pub use hashing::Hashing;
pub use minilm::MiniLm;

use engine::embeddings::Embedder;
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, sync::Arc};

/// Which embedder to use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// all-MiniLM-L6-v2 in process; `hashing` where its weights are missing.
    #[default]
    Minilm,
    /// Words hashed into a vector: finds shared words, not shared meaning.
    Hashing,
    /// No vectors: searches use words alone.
    None,
}

/// The `embed` part of the configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmbedConfig {
    pub provider: Provider,
    /// Folder with `model.safetensors`, `tokenizer.json` and `config.json`; empty: the cache that set-up fills.
    pub model_dir: PathBuf,
    /// Longest text, in tokens; what is longer is cut.
    pub max_tokens: usize,
    /// Numbers in a vector of `hashing`.
    pub hashing_dimensions: usize,
}

impl Default for EmbedConfig {
    fn default() -> Self {
        Self { provider: Provider::Minilm, model_dir: PathBuf::new(), max_tokens: 256, hashing_dimensions: 256 }
    }
}

/// An embedder with the reason why it is the one in use, for `autosint doctor`.
pub struct Chosen {
    pub embedder: Option<Arc<dyn Embedder>>,
    pub why: String,
}

/// The embedder that the configuration asks for. Cheap: a model is loaded when it is first used.
pub fn choose(config: &EmbedConfig) -> Chosen {
    let hashing = || -> Option<Arc<dyn Embedder>> { Some(Arc::new(Hashing::new(config.hashing_dimensions))) };
    match config.provider {
        Provider::None => Chosen { embedder: None, why: "embed.provider is \"none\": searches use words alone".into() },
        Provider::Hashing => Chosen { embedder: hashing(), why: "embed.provider is \"hashing\"".into() },
        Provider::Minilm => match MiniLm::at(&config.model_dir, config.max_tokens) {
            Ok(model) => Chosen {
                embedder: Some(Arc::new(model)),
                why: format!("embed.provider is \"minilm\" and its weights are in {}", config.model_dir.display()),
            },
            Err(missing) => Chosen { embedder: hashing(), why: format!("{missing}; hashing is used, the last resort") },
        },
    }
}
