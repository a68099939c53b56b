//! Roles of the kernel. A role begins here: one file with its value, and its place in `KERNEL`. A feature declares its own
//! (`agents::AddedRoles`).

mod analyst;
mod dissenter;
mod processor;

use super::spec::AgentSpec;
use domain::agent::AgentRole;

/// Roles of the kernel.
pub static KERNEL: [&AgentSpec; 3] = [&analyst::ANALYST, &processor::PROCESSOR, &dissenter::DISSENTER];

/// Returns the value of a role of the kernel.
pub fn for_role(role: AgentRole) -> Option<&'static AgentSpec> {
    KERNEL.into_iter().find(|spec| spec.role == role)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_role_has_phases_and_tools_of_its_own_name() {
        for role in AgentRole::ALL {
            let spec = for_role(role).unwrap();
            let phases: BTreeSet<_> = spec.phases.iter().map(|phase| phase.phase).collect();
            assert!(!phases.is_empty() && phases.len() == spec.phases.len(), "{role:?}");
            let tools: BTreeSet<_> = spec.tools.iter().collect();
            assert_eq!(tools.len(), spec.tools.len(), "{role:?}");
        }
    }
}
