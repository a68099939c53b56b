//! One circuit as a value: (state, what happened, time) -> state. Pure, so that every process decides alike.
//!
//! Invariant: in half-open exactly one call is under way. Whoever stores a state first wins; the others look again.

use super::BreakerConfig;
use domain::Timestamp;
use uuid::Uuid;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CircuitState {
    /// Calls go through.
    #[default]
    Closed,
    /// It counts as down: nothing is sent.
    Open,
    /// One call is under way to see whether it is back.
    HalfOpen,
}

impl CircuitState {
    pub const ALL: [Self; 3] = [Self::Closed, Self::Open, Self::HalfOpen];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// What is known of one dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuit {
    pub dependency: String,
    pub state: CircuitState,
    /// In a row.
    pub failures: u32,
    /// What the last failure said.
    pub reason: Option<String>,
    pub opened_at: Option<Timestamp>,
    /// When an open one may be tried again.
    pub retry_at: Option<Timestamp>,
    /// The call that probes (`CallIdentity::call`) or, while it is open, whose turn it is to probe (`CallIdentity::turn`); until when others wait.
    pub prober: Option<Uuid>,
    pub probe_until: Option<Timestamp>,
    /// Nothing but a person can make it work again: the last failure was one of a key or a name.
    pub needs_person: bool,
    /// Of the stored state; grows by one with each.
    pub version: u64,
}

/// Who wants to call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallIdentity {
    /// An investigation, or a process: a turn to probe is promised to it.
    pub turn: Uuid,
    /// This one call: of several of one investigation, one probes.
    pub call: Uuid,
}

/// What may be done now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    Through,
    /// Store this state first; who succeeds sends the one probe.
    Probe(Box<Circuit>),
    /// Somebody probes: its word comes before this moment.
    Probing(Timestamp),
    /// Nothing changes before this moment.
    Denied(Timestamp),
}

/// How a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// No answer; the other side may have named a time.
    NoAnswer { retry_after_ms: Option<u64> },
    /// It will not work before a person has acted.
    Misconfigured,
}

impl Circuit {
    /// A dependency of which nothing bad is known.
    pub fn closed(dependency: impl Into<String>) -> Self {
        Self {
            dependency: dependency.into(),
            state: CircuitState::Closed,
            failures: 0,
            reason: None,
            opened_at: None,
            retry_at: None,
            prober: None,
            probe_until: None,
            needs_person: false,
            version: 0,
        }
    }

    /// Whether `identity` may call now.
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

    /// The next probe is promised to `turn` for a while; for one of many that wait, so that the others stay where they are.
    pub fn claimed(&self, turn: Uuid, now: Timestamp, config: &BreakerConfig) -> Self {
        Self {
            state: CircuitState::Open,
            prober: Some(turn),
            probe_until: Some(now.plus_ms(config.claim_ms.cast_signed())),
            version: self.version + 1,
            ..self.clone()
        }
    }

    /// This call does not send the probe after all, or was told to come back at `retry_at`, before which nobody else is to try
    /// either; none where the probe was not its to send.
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

    /// After a call that was answered; none where that is no news. A late answer does not close what has opened since.
    pub fn succeeded(&self) -> Option<Self> {
        let is_news = match self.state {
            CircuitState::Closed => self.failures > 0,
            CircuitState::HalfOpen => true,
            CircuitState::Open => false,
        };
        is_news.then(|| Self { version: self.version + 1, ..Self::closed(self.dependency.clone()) })
    }

    /// After a person has perhaps mended what only a person can; none where that is not what it waits for.
    pub fn after_repair(&self) -> Option<Self> {
        let waits = self.needs_person && self.state == CircuitState::Open;
        waits.then(|| Self { version: self.version + 1, ..Self::closed(self.dependency.clone()) })
    }

    /// After a call that failed; none where that is no news. A late failure does not hinder the probe of another.
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
