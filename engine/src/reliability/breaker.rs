//! The breaker of one dependency as callers use it: ask before a call, tell afterwards.

mod permit;

pub(crate) use permit::BreakerHandle;
pub(super) use permit::Permit;

use super::{Admission, BreakerConfig, CallIdentity, Circuit, CircuitState, Circuits, Failure};
use crate::{Clock, StoreResult, engine::Parts};
use domain::Timestamp;
use std::time::Duration;
use uuid::Uuid;

/// What a breaker needs of the program.
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

/// A dependency, and who wants to call it.
pub struct Breaker<'a> {
    deps: BreakerDeps<'a>,
    dependency: String,
    identity: CallIdentity,
}

/// The circuit is open: no call goes through for now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CircuitOpen {
    /// What its last failure said.
    pub reason: String,
}

impl<'a> Breaker<'a> {
    pub fn new(deps: impl Into<BreakerDeps<'a>>, dependency: String, identity: CallIdentity) -> Self {
        Self { deps: deps.into(), dependency, identity }
    }

    /// Waits while another call probes; then either this one may go out, or it must not.
    pub async fn admit(&self) -> StoreResult<Result<(), CircuitOpen>> {
        self.enter(true).await
    }

    /// Does not wait: while another call probes, this one must not go out. For what can be done without.
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
                        tracing::info!(dependency = self.dependency, "one call goes out to see whether it is back");
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

    /// Whether a call would be let through or would wait for a probe, without taking the probe.
    pub async fn open_circuit(&self) -> StoreResult<Option<CircuitOpen>> {
        let circuit = self.deps.circuits.circuit(&self.dependency).await?;
        let admission = circuit.admit(self.identity, self.deps.clock.now(), self.deps.config);
        let reason = circuit.reason.unwrap_or_default();
        Ok(matches!(admission, Admission::Denied(_)).then_some(CircuitOpen { reason }))
    }

    /// The call was answered.
    pub async fn succeeded(&self) -> StoreResult<()> {
        self.store(|circuit, _| circuit.succeeded()).await
    }

    /// The call was not answered.
    pub async fn failed(&self, failure: Failure, why: &str) -> StoreResult<()> {
        let config = self.deps.config;
        self.store(|circuit, now| circuit.failed(self.identity.call, failure, why, now, config)).await
    }

    /// The call that was let through is not made after all, or tells nothing: another may probe.
    pub async fn release_probe(&self) -> StoreResult<()> {
        self.store(|circuit, _| circuit.released_probe(self.identity.call, None)).await
    }

    /// The call was told to come back in so long. Where it was the one probe, nobody else asks before; while the circuit is closed each
    /// call is told for itself.
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

/// Waits until one of these dependencies can be called, or until it is the turn of `turn` to send the one probe: of many that
/// wait, one is let go.
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

/// A person may have mended what only a person can, at this provider or at any: what waits for that is tried again at once.
pub async fn reset_misconfigured(circuits: &dyn Circuits, provider: Option<&str>) -> StoreResult<()> {
    for circuit in circuits.circuits().await? {
        let is_meant = provider.is_none_or(|name| circuit.dependency.split(' ').next() == Some(name));
        if let Some(mended) = circuit.after_repair().filter(|_| is_meant) {
            // Where somebody else was faster, it is being tried already.
            circuits.put_circuit(&mended).await?;
        }
    }
    Ok(())
}

/// Waits for a change, but not longer than so long.
async fn wait(circuits: &dyn Circuits, seen: &[Circuit], at_most_ms: i64) -> StoreResult<()> {
    let pause = Duration::from_millis(at_most_ms.max(1).cast_unsigned());
    match tokio::time::timeout(pause, circuits.circuit_changed(seen)).await {
        Ok(changed) => changed,
        Err(_) => Ok(()),
    }
}

/// Tells the log and the metrics. An opened circuit of something that is needed is what an operator must hear of.
fn announce(from: &Circuit, to: &Circuit) {
    show(to);
    let (dependency, reason) = (to.dependency.as_str(), to.reason.as_deref().or(from.reason.as_deref()).unwrap_or_default());
    match (from.state, to.state) {
        (CircuitState::Open | CircuitState::HalfOpen, CircuitState::Closed) => tracing::info!(dependency, "it answers again"),
        (CircuitState::Closed, CircuitState::Open) => {
            metrics::counter!("autosint_circuit_opened_total", "dependency" => to.dependency.clone()).increment(1);
            tracing::error!(alert = "critical", dependency, reason, "a dependency is down; what needs it waits");
        }
        (CircuitState::HalfOpen, CircuitState::Open) => tracing::warn!(dependency, reason, "it is still down"),
        _ => {}
    }
}

fn show(circuit: &Circuit) {
    let value = match circuit.state {
        CircuitState::Closed => 0.0,
        CircuitState::HalfOpen => 0.5,
        CircuitState::Open => 1.0,
    };
    metrics::gauge!("autosint_circuit_open", "dependency" => circuit.dependency.clone()).set(value);
}
