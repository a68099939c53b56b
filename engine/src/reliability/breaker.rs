//! Circuit breaker of one dependency: admission before a call, report afterwards.

mod permit;

pub(crate) use permit::BreakerHandle;
pub(super) use permit::Permit;

use super::{Admission, BreakerConfig, CallIdentity, Circuit, CircuitState, Circuits, Failure};
use crate::{Clock, StoreResult, engine::Parts};
use domain::Timestamp;
use std::time::Duration;
use uuid::Uuid;

/// Dependencies of a breaker.
#[derive(Clone, Copy)]
pub struct BreakerDeps<'a> {
    pub circuits: &'a dyn Circuits,
    pub clock: &'a dyn Clock,
    pub config: &'a BreakerConfig,
}

impl<'a> From<&'a Parts> for BreakerDeps<'a> {
    fn from(parts: &'a Parts) -> Self {
        Self { circuits: &*parts.circuits, clock: &*parts.clock, config: &parts.reliability.breaker }
    }
}

/// Breaker of one dependency for one call.
pub struct Breaker<'a> {
    deps: BreakerDeps<'a>,
    dependency: String,
    identity: CallIdentity,
}

/// Error of an open circuit: the call is not admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CircuitOpen {
    /// Text of the last failure.
    pub reason: String,
}

impl<'a> Breaker<'a> {
    pub fn new(deps: impl Into<BreakerDeps<'a>>, dependency: String, identity: CallIdentity) -> Self {
        Self { deps: deps.into(), dependency, identity }
    }

    /// Admits the call or not, after waiting for a running probe.
    pub async fn admit(&self) -> StoreResult<Result<(), CircuitOpen>> {
        self.enter(true).await
    }

    /// Admits the call or not, without waiting; a running probe denies it. For optional dependencies.
    pub async fn admit_now(&self) -> StoreResult<Result<(), CircuitOpen>> {
        self.enter(false).await
    }

    async fn enter(&self, waits: bool) -> StoreResult<Result<(), CircuitOpen>> {
        let BreakerDeps { circuits, clock, config } = self.deps;
        loop {
            let circuit = circuits.circuit(&self.dependency).await?;
            let now = clock.now();
            match circuit.admit(self.identity, now, config) {
                Admission::Through => return Ok(Ok(())),
                Admission::Probe(probing) => {
                    if circuits.put_circuit(&probing).await? {
                        tracing::info!(dependency = self.dependency, "circuit half-open, probing");
                        show(&probing);
                        return Ok(Ok(()));
                    }
                }
                Admission::Probing(until) if waits => self.wait(&circuit, until.ms_since(now)).await?,
                Admission::Probing(_) | Admission::Denied(_) => {
                    let reason = circuit.reason.unwrap_or_else(|| format!("{} does not answer", self.dependency));
                    return Ok(Err(CircuitOpen { reason }));
                }
            }
        }
    }

    /// Returns the reason when a call would be denied, without taking the probe.
    pub async fn open_circuit(&self) -> StoreResult<Option<CircuitOpen>> {
        let circuit = self.deps.circuits.circuit(&self.dependency).await?;
        let admission = circuit.admit(self.identity, self.deps.clock.now(), self.deps.config);
        let reason = circuit.reason.unwrap_or_default();
        Ok(matches!(admission, Admission::Denied(_)).then_some(CircuitOpen { reason }))
    }

    /// Reports a successful call.
    pub async fn succeeded(&self) -> StoreResult<()> {
        self.store(|circuit, _| circuit.succeeded()).await
    }

    /// Reports a failed call.
    pub async fn failed(&self, failure: Failure, why: &str) -> StoreResult<()> {
        let config = self.deps.config;
        self.store(|circuit, now| circuit.failed(self.identity.call, failure, why, now, config)).await
    }

    /// Releases the probe of a call that was not made, or was inconclusive.
    pub async fn release_probe(&self) -> StoreResult<()> {
        self.store(|circuit, _| circuit.released_probe(self.identity.call, None)).await
    }

    /// Reports a rate limit with a waiting time. A rate-limited probe delays other probes; with a closed circuit each call waits
    /// for itself.
    pub async fn rate_limited(&self, retry_after_ms: u64) -> StoreResult<()> {
        let wait_ms = retry_after_ms.min(self.deps.config.max_cooldown_ms).cast_signed();
        self.store(|circuit, now| circuit.released_probe(self.identity.call, Some(now.plus_ms(wait_ms)))).await
    }

    async fn store(&self, next: impl Fn(&Circuit, Timestamp) -> Option<Circuit>) -> StoreResult<()> {
        loop {
            let circuit = self.deps.circuits.circuit(&self.dependency).await?;
            let Some(next) = next(&circuit, self.deps.clock.now()) else { return Ok(()) };
            if self.deps.circuits.put_circuit(&next).await? {
                announce(&circuit, &next);
                return Ok(());
            }
        }
    }

    async fn wait(&self, seen: &Circuit, at_most_ms: i64) -> StoreResult<()> {
        wait(self.deps.circuits, std::slice::from_ref(seen), at_most_ms).await
    }
}

/// Waits until one of the dependencies is available, or until `turn` may send its probe. Of many waiters one proceeds.
pub(super) async fn await_turn(deps: BreakerDeps<'_>, dependencies: &[String], turn: Uuid) -> StoreResult<()> {
    let BreakerDeps { circuits, clock, config } = deps;
    loop {
        let mut seen = vec![];
        let mut soonest: Option<Timestamp> = None;
        for dependency in dependencies {
            let circuit = circuits.circuit(dependency).await?;
            let now = clock.now();
            match circuit.admit(CallIdentity { turn, call: turn }, now, config) {
                Admission::Through => return Ok(()),
                Admission::Probe(_) => {
                    if circuits.put_circuit(&circuit.claimed(turn, now, config)).await? {
                        return Ok(());
                    }
                    soonest = Some(now);
                }
                Admission::Probing(at) | Admission::Denied(at) => soonest = Some(soonest.map_or(at, |soonest| soonest.min(at))),
            }
            seen.push(circuit);
        }
        let now = clock.now();
        wait(circuits, &seen, soonest.map_or(0, |at| at.ms_since(now))).await?;
    }
}

/// Resets misconfigured circuits, of one provider or all, after a person's action, so that calls are retried at once.
pub async fn reset_misconfigured(circuits: &dyn Circuits, provider: Option<&str>) -> StoreResult<()> {
    for circuit in circuits.circuits().await? {
        let is_meant = provider.is_none_or(|name| circuit.dependency.split(' ').next() == Some(name));
        if let Some(mended) = circuit.after_repair().filter(|_| is_meant) {
            // On a concurrent change it is being retried already.
            circuits.put_circuit(&mended).await?;
        }
    }
    Ok(())
}

/// Waits for a change, at most for the given time.
async fn wait(circuits: &dyn Circuits, seen: &[Circuit], at_most_ms: i64) -> StoreResult<()> {
    let pause = Duration::from_millis(at_most_ms.max(1).cast_unsigned());
    match tokio::time::timeout(pause, circuits.circuit_changed(seen)).await {
        Ok(changed) => changed,
        Err(_) => Ok(()),
    }
}

/// Records a transition in log and metrics; an opened circuit alerts the operator if it is critical.
fn announce(from: &Circuit, to: &Circuit) {
    show(to);
    let (dependency, reason) = (to.dependency.as_str(), to.reason.as_deref().or(from.reason.as_deref()).unwrap_or_default());
    match (from.state, to.state) {
        (CircuitState::Open | CircuitState::HalfOpen, CircuitState::Closed) => tracing::info!(dependency, "circuit closed"),
        (CircuitState::Closed, CircuitState::Open) => {
            metrics::counter!("autosint_circuit_opened_total", "dependency" => to.dependency.clone()).increment(1);
            match is_critical(dependency) {
                true => tracing::error!(alert = "critical", dependency, reason, "circuit opened, dependency is down"),
                false => tracing::warn!(dependency, reason, "circuit opened, dependency is down"),
            }
        }
        (CircuitState::HalfOpen, CircuitState::Open) => {
            tracing::warn!(dependency, reason, "circuit reopened, dependency is still down")
        }
        _ => {}
    }
}

/// Returns whether investigations wait for the dependency. They go on without one source, or the browser of one machine.
fn is_critical(dependency: &str) -> bool {
    !["source ", "browser "].iter().any(|kind| dependency.starts_with(kind))
}

fn show(circuit: &Circuit) {
    let value = match circuit.state {
        CircuitState::Closed => 0.0,
        CircuitState::HalfOpen => 0.5,
        CircuitState::Open => 1.0,
    };
    metrics::gauge!("autosint_circuit_open", "dependency" => circuit.dependency.clone()).set(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};
    use tracing::{Event, Level, Metadata, Subscriber, span};

    /// Subscriber that keeps the level of each event.
    struct Levels(Arc<Mutex<Vec<Level>>>);

    impl Subscriber for Levels {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
            span::Id::from_u64(1)
        }

        fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

        fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

        fn event(&self, event: &Event<'_>) {
            self.0.lock().unwrap().push(*event.metadata().level());
        }

        fn enter(&self, _: &span::Id) {}

        fn exit(&self, _: &span::Id) {}
    }

    #[test]
    fn a_source_that_is_down_is_a_warning_and_a_model_an_error() {
        for (dependency, level) in [
            ("neo4j", Level::ERROR),
            ("anthropic claude", Level::ERROR),
            ("source gdelt", Level::WARN),
            ("browser desk-1", Level::WARN),
        ] {
            let seen = Arc::default();
            let opened = Circuit { state: CircuitState::Open, ..Circuit::closed(dependency) };
            tracing::subscriber::with_default(Levels(Arc::clone(&seen)), || announce(&Circuit::closed(dependency), &opened));
            assert_eq!(*seen.lock().unwrap(), [level], "{dependency}");
        }
    }
}
