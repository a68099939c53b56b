//! Embeddings: the embedder port. Vectors are stored apart from their texts, one table or index per model.
//!
//! Invariant: nothing waits for a vector. Ingestion writes; the backfill follows.

mod backfill;
mod follow;

pub use backfill::{BackfillError, Progress, backfill_assessments, backfill_once};
pub use follow::backfill_forever;

use async_trait::async_trait;
use uuid::Uuid;

/// Port of an embedding model.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Returns the model name, also used by the store: `minilm`, `hashing` …
    fn model(&self) -> &str;
    fn dimensions(&self) -> usize;
    /// Returns one unit vector per text.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Error of the embedder; searches continue without vectors.
#[derive(Debug, thiserror::Error)]
#[error("no vectors: {0}")]
pub struct EmbedError(pub String);

/// Returns the model and the vector of a query; none without a text or an embedder, or when it fails: then words alone are searched.
pub async fn query_vector(embedder: Option<&dyn Embedder>, text: &str) -> Option<(String, Vec<f32>)> {
    let (embedder, text) = (embedder?, text.trim());
    if text.is_empty() {
        return None;
    }
    match embedder.embed(&[text.to_owned()]).await {
        Ok(mut vectors) => Some((embedder.model().to_owned(), vectors.pop()?)),
        Err(error) => {
            tracing::warn!(%error, "embedding failed, searching by words only");
            None
        }
    }
}

/// Cosine of two unit vectors; 0 for vectors of different models.
pub fn cosine(one: &[f32], other: &[f32]) -> f64 {
    if one.len() != other.len() {
        return 0.0;
    }
    one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

domain::words! {
    /// Kind of text that a vector describes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum VectorKind {
        Claim = "claim",
        Entity = "entity",
        Relationship = "relationship",
    }
}

/// Text without a vector yet (entity = name and summary, claim = content, relationship = description).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorText {
    /// The backend's key of the text, passed back to `put_vectors`.
    pub id: Uuid,
    pub text: String,
}
