//! The embedder behind a retry and a breaker: a soft dependency, without which searches go on.

use super::{
    Breaker, BreakerConfig, Circuits, Failure, RetryConfig,
    breaker::Wires,
    retry::{Again, retry},
};
use crate::{
    Clock, Ids, StoreError,
    embeddings::{EmbedError, Embedder},
    engine::Parts,
};
use async_trait::async_trait;
use std::sync::Arc;
use uuid::Uuid;

/// An embedder that is left alone while it is down.
pub(crate) struct GuardedEmbedder {
    inner: Arc<dyn Embedder>,
    circuits: Arc<dyn Circuits>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    retry: RetryConfig,
    breaker: BreakerConfig,
    /// This process.
    who: Uuid,
}

impl GuardedEmbedder {
    pub(crate) fn new(inner: Arc<dyn Embedder>, parts: &Parts) -> Self {
        Self {
            inner,
            circuits: parts.circuits.clone(),
            clock: parts.clock.clone(),
            ids: parts.ids.clone(),
            retry: parts.reliability.module,
            breaker: parts.reliability.breaker.clone(),
            who: parts.ids.next(),
        }
    }

    fn breaker(&self) -> Breaker<'_> {
        let wires = Wires { circuits: &*self.circuits, clock: &*self.clock, config: &self.breaker };
        Breaker::new(wires, format!("embedder {}", self.inner.model()), self.who)
    }
}

impl From<StoreError> for EmbedError {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}

#[async_trait]
impl Embedder for GuardedEmbedder {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let breaker = self.breaker();
        if let Err(shut) = breaker.admit().await? {
            return Err(EmbedError(shut.reason));
        }
        let made = retry(&self.retry, &*self.ids, || self.inner.embed(texts), |_| Again::Soon).await;
        match &made {
            Ok(_) => breaker.succeeded().await?,
            Err(error) => breaker.failed(Failure::NoAnswer { retry_after_ms: None }, &error.0).await?,
        }
        made
    }
}
