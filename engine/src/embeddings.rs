//! Vectors: the port that makes them. They live apart from what they describe, one table or index per model.
//!
//! Invariant: nothing waits for a vector. Ingestion writes, the backfill follows.

mod backfill;
mod follow;

pub use backfill::{BackfillError, Progress, backfill_assessments, backfill_once};
pub use follow::backfill_forever;

use async_trait::async_trait;
use uuid::Uuid;

/// Makes vectors of texts.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Names the model, also in the store: `minilm`, `hashing` …
    fn model(&self) -> &str;
    fn dimensions(&self) -> usize;
    /// One vector of length 1 per text.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// The embedder cannot work; searches go on without vectors.
#[derive(Debug, thiserror::Error)]
#[error("no vectors: {0}")]
pub struct EmbedError(pub String);

/// What a vector describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VectorKind {
    Entity,
    Claim,
    Relationship,
}

impl VectorKind {
    pub const ALL: [Self; 3] = [Self::Claim, Self::Entity, Self::Relationship];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Claim => "claim",
            Self::Relationship => "relationship",
        }
    }
}

/// A text that waits for its vector (A-081: entity = name and summary, claim = content, relationship = description).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorText {
    /// The backend's own key of the text, to be given back to `put_vectors`.
    pub id: Uuid,
    pub text: String,
}
