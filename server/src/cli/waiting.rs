//! What a suspended investigation waits for, in words for whoever watches: until when, or that a person must act.

use super::{Exit, Failure};
use crate::Program;
use domain::{
    InvestigationId, Timestamp,
    agent::AgentRole,
    investigation::{ResumeFrom, Status},
};
use engine::{
    StoreResult,
    reliability::{Circuit, CircuitState, chain},
};

/// What it waits for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// It goes on already, or will in a moment.
    Nothing,
    /// These do not answer; the soonest try comes then.
    Models { names: Vec<String>, retry_at: Timestamp },
    /// Nothing but a person can make it go on; what the models said.
    Person { reasons: Vec<String> },
}

impl Wait {
    /// Looks at the circuits of the models that the investigation needs next.
    pub(super) async fn of(program: &Program, id: InvestigationId) -> StoreResult<Self> {
        let engine = &program.engine;
        let Some(investigation) = engine.investigations.investigation(id).await? else { return Ok(Self::Nothing) };
        if investigation.progress.status != Status::Suspended {
            return Ok(Self::Nothing);
        }
        let role = match investigation.progress.resume_from {
            Some(ResumeFrom::Processing) => AgentRole::Processor,
            Some(ResumeFrom::Analyst) | None => AgentRole::Analyst,
        };
        let mut circuits = vec![];
        for model in engine.cast_of(&investigation).models(role).iter() {
            circuits.push(engine.circuits.circuit(&chain::dependency(&**model)).await?);
        }
        Ok(Self::on(&circuits))
    }

    /// One that answers is enough, so that all must be down; one that is being tried may come back.
    fn on(circuits: &[Circuit]) -> Self {
        let needs_person = |circuit: &Circuit| circuit.needs_person && circuit.state == CircuitState::Open;
        if circuits.iter().all(needs_person) {
            let mut reasons: Vec<String> = circuits.iter().filter_map(|circuit| circuit.reason.clone()).collect();
            reasons.dedup();
            return Self::Person { reasons };
        }
        let down = circuits.iter().filter(|circuit| circuit.state == CircuitState::Open && !circuit.needs_person);
        let names = down.clone().map(|circuit| circuit.dependency.clone()).collect();
        match down.filter_map(|circuit| circuit.retry_at).min() {
            Some(retry_at) => Self::Models { names, retry_at },
            None => Self::Nothing,
        }
    }

    /// One line about models that do not answer.
    pub(super) fn line(&self, now: Timestamp) -> Option<String> {
        let Self::Models { names, retry_at } = self else { return None };
        let seconds = u64::try_from(retry_at.ms_since(now)).unwrap_or(0).div_ceil(1_000);
        let at = retry_at.to_string();
        let clock = at.get(11..19).unwrap_or(&at);
        Some(format!("  waiting for {}: tried again in {seconds} s, at {clock} UTC", names.join(" and ")))
    }

    /// Ends a command that would wait for its own user.
    pub(super) fn for_nobody(self) -> Result<(), Failure> {
        match self {
            Self::Person { reasons } => {
                let message = format!("the investigation waits for you: {}", reasons.join("; "));
                Err(Failure::new(Exit::Configuration, message))
            }
            Self::Nothing | Self::Models { .. } => Ok(()),
        }
    }
}

/// What stays of an investigation whose command ended before it did, added to why.
pub(super) fn kept(failure: Failure, id: InvestigationId) -> Failure {
    let first = match failure.exit {
        Exit::Configuration => "mend that, and it goes on",
        Exit::Interrupted => "it goes on",
        _ => return failure,
    };
    let message = format!(
        "{}\nInvestigation {id} is kept: {first} with the next `autosint serve` on this data directory.",
        failure.message
    );
    Failure { message, ..failure }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::reliability::{BreakerConfig, Failure as Why};
    use uuid::Uuid;

    fn circuit(name: &str, why: Option<Why>) -> Circuit {
        let closed = Circuit::closed(name);
        let config = BreakerConfig { failure_threshold: 1, ..BreakerConfig::default() };
        let at = Timestamp::from_micros(0);
        why.map_or(closed.clone(), |why| closed.failed(Uuid::nil(), why, &format!("{name} said no"), at, &config).unwrap())
    }

    #[test]
    fn a_person_is_waited_for_only_when_no_model_can_come_back_by_itself() {
        let (person, down) = (Some(Why::Misconfigured), Some(Why::NoAnswer { retry_after_ms: None }));
        let both = Wait::on(&[circuit("a", person), circuit("b", person)]);
        assert_eq!(both, Wait::Person { reasons: vec!["a said no".into(), "b said no".into()] });
        let one = Wait::on(&[circuit("a", person), circuit("b", down)]);
        let line = one.line(Timestamp::from_micros(1_000_000)).unwrap();
        assert_eq!(line, "  waiting for b: tried again in 29 s, at 00:00:30 UTC");
        assert_eq!(Wait::on(&[circuit("a", person), circuit("b", None)]), Wait::Nothing);
        let tried = Circuit { state: CircuitState::HalfOpen, ..circuit("a", person) };
        assert_eq!(Wait::on(&[tried]), Wait::Nothing);
    }
}
