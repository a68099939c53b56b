//! The embedder behind a retry and a breaker: a soft dependency, without which searches go on.

use super::{
    Breaker, Failure, Heir, RetryConfig, Who,
    breaker::{Pass, Wires},
    retry::{Again, retry},
};
use crate::{
    Ids, StoreError,
    afterwards::Afterwards,
    embeddings::{EmbedError, Embedder},
    engine::Parts,
};
use async_trait::async_trait;
use std::sync::Arc;
use uuid::Uuid;

/// An embedder that is left alone while it is down.
pub(crate) struct GuardedEmbedder {
    inner: Arc<dyn Embedder>,
    heir: Heir,
    ids: Arc<dyn Ids>,
    retry: RetryConfig,
    dependency: String,
    /// This process.
    turn: Uuid,
}

impl GuardedEmbedder {
    pub(crate) fn new(inner: Arc<dyn Embedder>, parts: &Parts, afterwards: Afterwards) -> Self {
        Self {
            dependency: format!("embedder {}", inner.model()),
            inner,
            heir: Heir {
                circuits: parts.circuits.clone(),
                clock: parts.clock.clone(),
                config: parts.reliability.breaker.clone(),
                afterwards,
            },
            ids: parts.ids.clone(),
            retry: parts.reliability.module,
            turn: parts.ids.next(),
        }
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
        let who = Who { turn: self.turn, call: self.ids.next() };
        let wires = Wires { circuits: &*self.heir.circuits, clock: &*self.heir.clock, config: &self.heir.config };
        let breaker = Breaker::new(wires, self.dependency.clone(), who);
        let mut pass = Pass::new(self.heir.clone(), &self.dependency, who);
        // A search goes on without vectors rather than wait for the probe of another.
        pass.enter();
        if let Err(shut) = breaker.admit_now().await? {
            pass.told();
            return Err(EmbedError(shut.reason));
        }
        let made = retry(&self.retry, &*self.ids, || self.inner.embed(texts), |_| Again::Soon).await;
        match &made {
            Ok(_) => breaker.succeeded().await?,
            Err(error) => breaker.failed(Failure::NoAnswer { retry_after_ms: None }, &error.0).await?,
        }
        pass.told();
        made
    }
}
