//! Circuit state machine: (state, event, time) -> state. Pure, so that every process decides alike.
//!
//! Invariant: half-open has exactly one running call. The first process to store a state wins; the others reload.

use super::BreakerConfig;
use domain::Timestamp;
use uuid::Uuid;

domain::words! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum CircuitState {
        /// Calls go through.
        #[default]
        Closed = "closed",
        /// Down: no calls.
        Open = "open",
        /// One call probes for recovery.
        HalfOpen = "half_open",
    }
}

/// Circuit of one dependency.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Circuit {
    pub dependency: String,
    pub state: CircuitState,
    /// Consecutive failures.
    pub failures: u32,
    /// Text of the last failure.
    pub reason: Option<String>,
    pub opened_at: Option<Timestamp>,
    /// Earliest time of the next probe.
    pub retry_at: Option<Timestamp>,
    /// Call that probes (`CallIdentity::call`) or, while open, the holder of the next turn (`CallIdentity::turn`); others wait
    /// until `probe_until`.
    pub prober: Option<Uuid>,
    pub probe_until: Option<Timestamp>,
    /// Whether a person must act: the last failure was a wrong key or name.
    pub needs_person: bool,
    /// Version of the stored state; grows by one per change.
    pub version: u64,
}

/// Identity of a call at a breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallIdentity {
    /// Investigation or process that gets a turn to probe.
    pub turn: Uuid,
    /// Call; of several in one investigation, one probes.
    pub call: Uuid,
}

/// Admission decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    Through,
    /// Store this state first; the process that succeeds sends the probe.
    Probe(Box<Circuit>),
    /// A probe runs until this time at most.
    Probing(Timestamp),
    /// Denied until this time.
    Denied(Timestamp),
}

/// Failure of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// No answer; the provider may name a waiting time.
    NoAnswer { retry_after_ms: Option<u64> },
    /// Misconfigured until a person acts.
    Misconfigured,
}

impl Circuit {
    /// Builds a closed circuit.
    pub fn closed(dependency: impl Into<String>) -> Self {
        Self { dependency: dependency.into(), ..Self::default() }
    }

    /// Decides whether a call is admitted now.
    pub fn admit(&self, identity: CallIdentity, now: Timestamp, config: &BreakerConfig) -> Admission {
        let claimed = self.probe_until.filter(|until| *until > now && self.prober != Some(identity.turn));
        match self.state {
            CircuitState::Closed => Admission::Through,
            CircuitState::HalfOpen => match self.probe_until {
                Some(until) if until > now => Admission::Probing(until),
                _ => Admission::Probe(Box::new(self.probing(identity, now, config))),
            },
            CircuitState::Open => match (self.retry_at.filter(|at| *at > now), claimed) {
                (Some(at), _) | (None, Some(at)) => Admission::Denied(at),
                (None, None) => Admission::Probe(Box::new(self.probing(identity, now, config))),
            },
        }
    }

    fn probing(&self, identity: CallIdentity, now: Timestamp, config: &BreakerConfig) -> Self {
        Self {
            state: CircuitState::HalfOpen,
            prober: Some(identity.call),
            probe_until: Some(now.plus_ms(config.probe_ms.cast_signed())),
            version: self.version + 1,
            ..self.clone()
        }
    }

    /// Reserves the next probe for `turn` for a while, so that other waiters stay idle.
    pub fn claimed(&self, turn: Uuid, now: Timestamp, config: &BreakerConfig) -> Self {
        Self {
            state: CircuitState::Open,
            prober: Some(turn),
            probe_until: Some(now.plus_ms(config.claim_ms.cast_signed())),
            version: self.version + 1,
            ..self.clone()
        }
    }

    /// Releases the probe of a call, optionally blocking probes until `retry_at`; none when the call does not hold it.
    pub fn released_probe(&self, call: Uuid, retry_at: Option<Timestamp>) -> Option<Self> {
        let is_his = self.state == CircuitState::HalfOpen && self.prober == Some(call);
        is_his.then(|| Self {
            state: CircuitState::Open,
            retry_at: retry_at.or(self.retry_at),
            prober: None,
            probe_until: None,
            version: self.version + 1,
            ..self.clone()
        })
    }

    /// Returns the state after a success; none without a change. A late success does not close a circuit that opened since.
    pub fn succeeded(&self) -> Option<Self> {
        let is_news = match self.state {
            CircuitState::Closed => self.failures > 0,
            CircuitState::HalfOpen => true,
            CircuitState::Open => false,
        };
        is_news.then(|| Self { version: self.version + 1, ..Self::closed(self.dependency.clone()) })
    }

    /// Returns the closed state after a person's action; none unless it waits for one.
    pub fn after_repair(&self) -> Option<Self> {
        self.reset().filter(|_| self.needs_person && self.state == CircuitState::Open)
    }

    /// Returns the closed state, in which the next call is made at once; none if it is closed.
    pub fn reset(&self) -> Option<Self> {
        let is_held = self.state != CircuitState::Closed;
        is_held.then(|| Self { version: self.version + 1, ..Self::closed(self.dependency.clone()) })
    }

    /// Returns the state after a failure; none without a change. A late failure does not affect another call's probe.
    pub fn failed(&self, call: Uuid, failure: Failure, why: &str, now: Timestamp, config: &BreakerConfig) -> Option<Self> {
        let is_probe = self.state == CircuitState::HalfOpen && self.prober == Some(call);
        if self.state != CircuitState::Closed && !is_probe {
            return None;
        }
        let failures = self.failures.saturating_add(1);
        let needs_person = failure == Failure::Misconfigured;
        let next = Self { failures, reason: Some(why.to_owned()), needs_person, version: self.version + 1, ..self.clone() };
        let (is_severe, cooldown_ms) = match failure {
            Failure::Misconfigured => (true, config.misconfigured_cooldown_ms),
            Failure::NoAnswer { retry_after_ms } => {
                (false, retry_after_ms.unwrap_or(0).min(config.max_cooldown_ms).max(config.cooldown_ms))
            }
        };
        if !(is_probe || is_severe || failures >= config.failure_threshold) {
            return Some(next);
        }
        Some(Self {
            state: CircuitState::Open,
            opened_at: Some(self.opened_at.unwrap_or(now)),
            retry_at: Some(now.plus_ms(cooldown_ms.cast_signed())),
            prober: None,
            probe_until: None,
            ..next
        })
    }
}

#[cfg(test)]
mod tests;
