//! Roles of the agents. A role begins here: one file with its value, and its line in `for_role`.

mod analyst;
mod processor;

use super::spec::AgentSpec;
use domain::agent::AgentRole;

/// Returns the value of a role.
pub fn for_role(role: AgentRole) -> &'static AgentSpec {
    match role {
        AgentRole::Analyst => &analyst::ANALYST,
        AgentRole::Processor => &processor::PROCESSOR,
    }
}

/// Returns the value of every role.
pub fn all() -> impl Iterator<Item = &'static AgentSpec> {
    AgentRole::ALL.into_iter().map(for_role)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_role_has_phases_and_tools_of_its_own_name() {
        for role in AgentRole::ALL {
            let spec = for_role(role);
            assert_eq!(spec.role, role);
            let phases: BTreeSet<_> = spec.phases.iter().map(|phase| phase.phase).collect();
            assert!(!phases.is_empty() && phases.len() == spec.phases.len(), "{role:?}");
            let tools: BTreeSet<_> = spec.tools.iter().collect();
            assert_eq!(tools.len(), spec.tools.len(), "{role:?}");
        }
    }
}
