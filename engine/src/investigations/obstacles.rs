//! Obstacles that agents report: outages of dependencies and used-up budgets. They decide what an investigation waits for.

use crate::{Engine, StoreResult, events::record_event, reliability::Outage, reliability::retry::retry_while_unavailable};
use domain::{InvestigationId, Timestamp, event::EventKind};
use serde::{Deserialize, Serialize};

/// Obstacle that stopped a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    Outage(Outage),
    /// Used-up budget, with the reason.
    Budget(String),
}

impl From<Obstacle> for EventKind {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Outage(Outage { reason, waits_for }) => Self::DependencyDown { reason, waits_for },
            Obstacle::Budget(reason) => Self::BudgetReached { reason },
        }
    }
}

/// Obstacles reported since the last status change, suspension excepted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Obstacles {
    /// Reason of the last outage.
    pub outage: Option<String>,
    /// Circuits that the outages wait for; empty: those of every model of the role.
    pub waits_for: Vec<String>,
    /// Reason of the first budget that was used up. It takes precedence over outages.
    pub budget: Option<String>,
}

impl Obstacles {
    pub fn add(&mut self, obstacle: Obstacle) {
        match obstacle {
            Obstacle::Outage(Outage { reason, waits_for }) => {
                self.outage = Some(reason);
                self.waits_for.extend(waits_for);
                self.waits_for.sort();
                self.waits_for.dedup();
            }
            Obstacle::Budget(reason) => self.budget = self.budget.take().or(Some(reason)),
        }
    }
}

/// Suspension of an investigation, or the obstacles that will lead to one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Suspension {
    pub obstacles: Obstacles,
    /// Start, across failed attempts to resume: otherwise it would never time out.
    pub since: Option<Timestamp>,
}

/// Stores an obstacle, then announces it to the orchestrator and to readers.
pub(crate) async fn report_obstacle(engine: &Engine, id: InvestigationId, obstacle: Obstacle) -> StoreResult<()> {
    let pause_ms = engine.config.worker_pause_ms;
    retry_while_unavailable(pause_ms, || engine.investigations.report_obstacle(id, &obstacle)).await?;
    record_event(engine, id, obstacle.into()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_budget_and_the_last_outage_count() {
        let outage =
            |reason: &str, circuit: &str| Obstacle::Outage(Outage { reason: reason.into(), waits_for: vec![circuit.into()] });
        let mut obstacles = Obstacles::default();
        for obstacle in [
            outage("a is down", "a"),
            Obstacle::Budget("of the day".into()),
            outage("b is down", "b"),
            Obstacle::Budget("of the user".into()),
            outage("a is still down", "a"),
        ] {
            obstacles.add(obstacle);
        }
        let (outage, budget) = (Some("a is still down".into()), Some("of the day".into()));
        assert_eq!(obstacles, Obstacles { outage, waits_for: vec!["a".into(), "b".into()], budget });
    }
}
