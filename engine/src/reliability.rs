//! Reliability: retries, circuit breakers, and fallback chains of models.
//!
//! Invariant: one retry utility and one breaker for all dependencies. Clock, randomness and store are ports; nothing here is
//! specific to a provider.

pub mod breaker;
pub mod chain;
pub mod circuit;
mod config;
mod embedder;
mod guard;
pub mod retry;

pub(crate) use breaker::BreakerHandle;
pub use breaker::{Breaker, CircuitOpen};
pub use chain::{CallError, Caller, Chain, Outage, TrialModel, dependency};
pub use circuit::{Admission, CallIdentity, Circuit, CircuitState, Failure};
pub(crate) use embedder::GuardedEmbedder;
pub use guard::DependencyGuard;

pub use config::{BreakerConfig, ReliabilityConfig, RetryConfig};

use crate::StoreResult;
use async_trait::async_trait;

/// Port of circuit states, stored so that processes share them and restarts keep them.
#[async_trait]
pub trait Circuits: Send + Sync {
    /// Returns the circuit of a dependency; closed when none is stored.
    async fn circuit(&self, dependency: &str) -> StoreResult<Circuit>;
    /// Stores a state derived from the stored one. Returns false on a concurrent change (`Circuit::version`).
    async fn put_circuit(&self, circuit: &Circuit) -> StoreResult<bool>;
    /// Returns all circuits, by name.
    async fn circuits(&self) -> StoreResult<Vec<Circuit>>;
    /// Waits until one of these circuits changes, in any process.
    async fn circuit_changed(&self, seen: &[Circuit]) -> StoreResult<()>;
}
