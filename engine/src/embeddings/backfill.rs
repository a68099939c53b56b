//! Embedding backfill: finds texts without a vector, embeds them and stores the vectors.

use super::{EmbedError, Embedder, VectorKind, VectorText};
use crate::{StoreError, assessments::Assessments, graph::Graph};
use uuid::Uuid;

/// Backfill progress of one model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    pub pending: u64,
    pub done: u64,
    /// Vectors added by this step; zero with `pending` above zero means no progress.
    pub added: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum BackfillError {
    #[error(transparent)]
    Embed(#[from] EmbedError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Embeds up to `batch` texts of each kind. Call it until `pending` is zero; an interrupted step loses at most its batch.
pub async fn backfill_once(graph: &dyn Graph, embedder: &dyn Embedder, batch: u32) -> Result<Progress, BackfillError> {
    let (pending, done) = graph.vector_progress(embedder.model()).await?;
    if pending == 0 {
        return Ok(Progress { pending, done, added: 0 });
    }
    let mut added = 0;
    for kind in VectorKind::ALL {
        let waiting = graph.without_vector(embedder.model(), kind, batch).await?;
        if waiting.is_empty() {
            continue;
        }
        let vectors = vectors_of(embedder, waiting).await?;
        graph.put_vectors(embedder.model(), kind, &vectors).await?;
        added += vectors.len() as u64;
    }
    let (pending, done) = graph.vector_progress(embedder.model()).await?;
    Ok(Progress { pending, done, added })
}

/// Embeds up to `batch` assessments.
pub async fn backfill_assessments(
    assessments: &dyn Assessments,
    embedder: &dyn Embedder,
    batch: u32,
) -> Result<Progress, BackfillError> {
    let waiting = assessments.without_vector(embedder.model(), batch).await?;
    if waiting.is_empty() {
        return Ok(Progress::default());
    }
    let vectors = vectors_of(embedder, waiting).await?;
    assessments.put_vectors(embedder.model(), &vectors).await?;
    let (pending, done) = assessments.vector_progress(embedder.model()).await?;
    Ok(Progress { pending, done, added: vectors.len() as u64 })
}

async fn vectors_of(embedder: &dyn Embedder, waiting: Vec<VectorText>) -> Result<Vec<(Uuid, Vec<f32>)>, EmbedError> {
    let texts: Vec<String> = waiting.iter().map(|item| item.text.clone()).collect();
    let vectors = embedder.embed(&texts).await?;
    if vectors.len() != waiting.len() {
        return Err(EmbedError(format!("{} gave {} vectors for {} texts", embedder.model(), vectors.len(), texts.len())));
    }
    Ok(waiting.into_iter().map(|item| item.id).zip(vectors).collect())
}
