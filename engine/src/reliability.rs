//! What happens when something that is needed does not answer: retries, circuit breakers, and chains of models.
//!
//! Invariant: one retry utility and one breaker for everything. Clock, chance and the store come in; nothing here knows a provider.

pub mod breaker;
pub mod chain;
pub mod circuit;
mod config;
mod embedder;
pub mod retry;

pub(crate) use breaker::BreakerHandle;
pub use breaker::{Breaker, CircuitOpen};
pub use chain::{CallError, Caller, Chain, Outage, TrialModel};
pub use circuit::{Admission, CallIdentity, Circuit, CircuitState, Failure};
pub(crate) use embedder::GuardedEmbedder;

pub use config::{BreakerConfig, ReliabilityConfig, RetryConfig};

use crate::StoreResult;
use async_trait::async_trait;

/// The circuits of all dependencies, in the store: several processes agree on them, and a restart keeps them.
#[async_trait]
pub trait Circuits: Send + Sync {
    /// Closed where nothing was stored.
    async fn circuit(&self, dependency: &str) -> StoreResult<Circuit>;
    /// Stores a state that was made from the stored one; false when somebody else was faster (`Circuit::version`).
    async fn put_circuit(&self, circuit: &Circuit) -> StoreResult<bool>;
    /// By name.
    async fn circuits(&self) -> StoreResult<Vec<Circuit>>;
    /// Waits until one of these circuits, as they were seen, has changed here or in another process.
    async fn circuit_changed(&self, seen: &[Circuit]) -> StoreResult<()>;
}
