//! Condition on which a suspended investigation resumes: a time, or an action by a person.

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

/// Condition for resuming a suspended investigation.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ResumeCondition {
    /// Running, or about to resume.
    Ready,
    /// Models that do not answer, and the time of the next attempt.
    WaitsForModels { names: Vec<String>, retry_at: Timestamp },
    /// A person must act; the models' reasons.
    NeedsPerson { reasons: Vec<String> },
}

impl ResumeCondition {
    /// Determines the condition from the circuits of the models needed next.
    pub(super) async fn load(program: &Program, id: InvestigationId) -> StoreResult<Self> {
        let engine = &program.engine;
        let Some(investigation) = engine.investigations.investigation(id).await? else { return Ok(Self::Ready) };
        if investigation.progress.status != Status::Suspended {
            return Ok(Self::Ready);
        }
        let role = match investigation.progress.resume_from {
            Some(ResumeFrom::Processing) => AgentRole::Processor,
            Some(ResumeFrom::Analyst) | None => AgentRole::Analyst,
        };
        let mut circuits = vec![];
        for model in engine.models_for(&investigation).models(role).iter() {
            circuits.push(engine.circuits.circuit(&chain::dependency(&**model)).await?);
        }
        Ok(Self::from_circuits(&circuits))
    }

    /// One working model suffices, so all circuits must be open. A half-open circuit may recover.
    fn from_circuits(circuits: &[Circuit]) -> Self {
        let needs_person = |circuit: &Circuit| circuit.needs_person && circuit.state == CircuitState::Open;
        if circuits.iter().all(needs_person) {
            let mut reasons: Vec<String> = circuits.iter().filter_map(|circuit| circuit.reason.clone()).collect();
            reasons.dedup();
            return Self::NeedsPerson { reasons };
        }
        let down = circuits.iter().filter(|circuit| circuit.state == CircuitState::Open && !circuit.needs_person);
        let names = down.clone().map(|circuit| circuit.dependency.clone()).collect();
        match down.filter_map(|circuit| circuit.retry_at).min() {
            Some(retry_at) => Self::WaitsForModels { names, retry_at },
            None => Self::Ready,
        }
    }

    /// Describes models that do not answer in one line.
    pub(super) fn status_line(&self, now: Timestamp) -> Option<String> {
        let Self::WaitsForModels { names, retry_at } = self else { return None };
        let seconds = u64::try_from(retry_at.ms_since(now)).unwrap_or(0).div_ceil(1_000);
        let at = retry_at.to_string();
        let clock = at.get(11..19).unwrap_or(&at);
        Some(format!("  waiting for {}: next attempt in {seconds} s, at {clock} UTC", names.join(" and ")))
    }

    /// Fails if the command would wait for its own user.
    pub(super) fn fail_if_person_needed(self) -> Result<(), Failure> {
        match self {
            Self::NeedsPerson { reasons } => {
                let message = format!("the investigation needs your action: {}", reasons.join("; "));
                Err(Failure::new(Exit::Configuration, message))
            }
            Self::Ready | Self::WaitsForModels { .. } => Ok(()),
        }
    }
}

/// Adds to a failure how the kept investigation is resumed.
pub(super) fn with_resume_hint(failure: Failure, id: InvestigationId) -> Failure {
    let first = match failure.exit {
        Exit::Configuration => "fix the problem, and it resumes",
        Exit::Interrupted => "it resumes",
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
    fn a_person_is_needed_only_if_no_model_can_recover() {
        let (person, down) = (Some(Why::Misconfigured), Some(Why::NoAnswer { retry_after_ms: None }));
        let both = ResumeCondition::from_circuits(&[circuit("a", person), circuit("b", person)]);
        assert_eq!(both, ResumeCondition::NeedsPerson { reasons: vec!["a said no".into(), "b said no".into()] });
        let one = ResumeCondition::from_circuits(&[circuit("a", person), circuit("b", down)]);
        let status_line = one.status_line(Timestamp::from_micros(1_000_000)).unwrap();
        assert_eq!(status_line, "  waiting for b: next attempt in 29 s, at 00:00:30 UTC");
        assert_eq!(ResumeCondition::from_circuits(&[circuit("a", person), circuit("b", None)]), ResumeCondition::Ready);
        let tried = Circuit { state: CircuitState::HalfOpen, ..circuit("a", person) };
        assert_eq!(ResumeCondition::from_circuits(&[tried]), ResumeCondition::Ready);
    }
}
