//! Guarded embedder: retry and breaker around a soft dependency, without which searches continue.

use super::{
    Breaker, BreakerHandle, CallIdentity, Failure, RetryConfig,
    breaker::{BreakerDeps, Permit},
    retry::{RetryAdvice, retry},
};
use crate::{
    Ids, StoreError,
    embeddings::{EmbedError, Embedder},
    engine::Parts,
    task_tracker::TaskTracker,
};
use async_trait::async_trait;
use std::sync::Arc;
use uuid::Uuid;

/// Embedder with a circuit breaker.
pub(crate) struct GuardedEmbedder {
    inner: Arc<dyn Embedder>,
    handle: BreakerHandle,
    ids: Arc<dyn Ids>,
    retry: RetryConfig,
    dependency: String,
    /// Turn of this process.
    turn: Uuid,
}

impl GuardedEmbedder {
    pub(crate) fn new(inner: Arc<dyn Embedder>, parts: &Parts, cleanup: TaskTracker) -> Self {
        Self {
            dependency: format!("embedder {}", inner.model()),
            inner,
            handle: BreakerHandle {
                circuits: parts.circuits.clone(),
                clock: parts.clock.clone(),
                config: parts.reliability.breaker.clone(),
                cleanup,
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
        let identity = CallIdentity { turn: self.turn, call: self.ids.next() };
        let deps = BreakerDeps { circuits: &*self.handle.circuits, clock: &*self.handle.clock, config: &self.handle.config };
        let breaker = Breaker::new(deps, self.dependency.clone(), identity);
        let mut permit = Permit::new(self.handle.clone(), &self.dependency, identity);
        // Searches continue without vectors instead of waiting for a probe.
        permit.acquire();
        if let Err(shut) = breaker.admit_now().await? {
            permit.settle();
            return Err(EmbedError(shut.reason));
        }
        let made = retry(&self.retry, &*self.ids, || self.inner.embed(texts), |_| RetryAdvice::Soon).await;
        match &made {
            Ok(_) => breaker.succeeded().await?,
            Err(error) => breaker.failed(Failure::NoAnswer { retry_after_ms: None }, &error.0).await?,
        }
        permit.settle();
        made
    }
}
