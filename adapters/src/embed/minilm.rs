//! all-MiniLM-L6-v2 in process (candle): the mean of the last layer over the tokens, scaled to length 1.

use super::{idle::IdleValue, normalise};
use async_trait::async_trait;
use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};
use engine::{
    Clock,
    embeddings::{EmbedError, Embedder},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokenizers::{Encoding, PaddingDirection, Tokenizer, TruncationParams};

/// Dimensions of its vectors.
const DIMENSIONS: usize = 384;
/// Number of texts per batch.
const BATCH: usize = 16;
const FILES: [&str; 3] = ["model.safetensors", "tokenizer.json", "config.json"];

/// The embedder; its weights are read on demand and freed when idle.
pub struct MiniLm {
    folder: PathBuf,
    max_tokens: usize,
    loaded: Arc<IdleValue<LoadedModel>>,
}

struct LoadedModel {
    model: BertModel,
    tokenizer: Tokenizer,
}

/// A missing model file.
#[derive(Debug, thiserror::Error)]
#[error("the weights of minilm are not in {folder} ({file} is missing): run make run, or set embed.model_dir")]
pub struct MissingWeights {
    folder: String,
    file: &'static str,
}

impl MiniLm {
    /// Checks that the model's files are in `folder`, without reading them. The model is freed after the time `idle` without use;
    /// zero keeps it.
    pub fn at(folder: &Path, max_tokens: usize, idle: Duration, clock: Arc<dyn Clock>) -> Result<Self, MissingWeights> {
        if let Some(file) = FILES.into_iter().find(|file| !folder.join(file).is_file()) {
            return Err(MissingWeights { folder: folder.display().to_string(), file });
        }
        Ok(Self { folder: folder.to_owned(), max_tokens, loaded: Arc::new(IdleValue::new(idle, clock)) })
    }
}

#[async_trait]
impl Embedder for MiniLm {
    fn model(&self) -> &'static str {
        "minilm"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    /// Embeds on a thread for blocking work, so that the runtime goes on.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let (texts, loaded) = (texts.to_vec(), self.loaded.clone());
        let (folder, max_tokens) = (self.folder.clone(), self.max_tokens);
        self.loaded.watch();
        let work = move || loaded.get_or_load(|| LoadedModel::read(&folder, max_tokens))?.embed(&texts);
        let vectors = tokio::task::spawn_blocking(work).await.map_err(|error| EmbedError(error.to_string()))?;
        vectors.map_err(|error: BoxError| EmbedError(error.to_string()))
    }
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

impl LoadedModel {
    fn read(folder: &Path, max_tokens: usize) -> Result<Self, BoxError> {
        let config: Config = serde_json::from_slice(&std::fs::read(folder.join("config.json"))?)?;
        let mut tokenizer = Tokenizer::from_file(folder.join("tokenizer.json"))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(Some(TruncationParams { max_length: max_tokens, ..TruncationParams::default() }))?;
        let weights = std::fs::read(folder.join("model.safetensors"))?;
        let weights = VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu)?;
        Ok(Self { model: BertModel::load(weights, &config)?, tokenizer })
    }

    /// Embeds texts sorted by length, because padding is wasted work.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, BoxError> {
        let mut encodings: Vec<_> = self.tokenizer.encode_batch(texts.to_vec(), true)?.into_iter().enumerate().collect();
        encodings.sort_by_key(|(_, encoding)| encoding.len());
        let mut vectors = vec![vec![]; texts.len()];
        for batch in encodings.chunks_mut(BATCH) {
            let longest = batch.iter().map(|(_, encoding)| encoding.len()).max().unwrap_or_default();
            for (_, encoding) in batch.iter_mut() {
                encoding.pad(longest, 0, 0, "[PAD]", PaddingDirection::Right);
            }
            for ((place, _), vector) in batch.iter().zip(self.forward(batch)?) {
                vectors[*place] = vector;
            }
        }
        Ok(vectors)
    }

    /// Returns the vectors of texts padded to one length.
    fn forward(&self, batch: &[(usize, Encoding)]) -> Result<Vec<Vec<f32>>, BoxError> {
        let rows = |of: fn(&Encoding) -> &[u32]| {
            let rows: Vec<Tensor> =
                batch.iter().map(|(_, encoding)| Tensor::new(of(encoding), &Device::Cpu)).collect::<Result<_, _>>()?;
            Tensor::stack(&rows, 0)
        };
        let (ids, mask) = (rows(Encoding::get_ids)?, rows(Encoding::get_attention_mask)?);
        let tokens = self.model.forward(&ids, &ids.zeros_like()?, Some(&mask))?;
        // Padding counts for nothing in the mean.
        let mask = mask.to_dtype(DType::F32)?.unsqueeze(2)?;
        let sums = tokens.broadcast_mul(&mask)?.sum(1)?;
        let means = sums.broadcast_div(&mask.sum(1)?)?;
        let mut vectors = means.to_vec2::<f32>()?;
        vectors.iter_mut().for_each(|vector| normalise(vector));
        Ok(vectors)
    }
}
