//! Task of a session.

use domain::{
    agent::{AgentRole, SessionOwner},
    investigation::Investigation,
    work_order::WorkOrder,
};

/// Task of one session: a role, and the owner for which it works.
pub struct SessionTask<'a> {
    pub(super) role: AgentRole,
    pub(super) owner: SessionOwner,
    pub(super) investigation: &'a Investigation,
    /// Work order, where it is the owner.
    pub(super) order: Option<&'a WorkOrder>,
}

impl<'a> SessionTask<'a> {
    /// Builds a task that an investigation itself owns.
    pub fn for_investigation(role: AgentRole, investigation: &'a Investigation) -> Self {
        Self { role, owner: SessionOwner::Investigation(investigation.id), investigation, order: None }
    }

    /// Builds a task that a work order of an investigation owns.
    pub fn for_order(role: AgentRole, investigation: &'a Investigation, order: &'a WorkOrder) -> Self {
        Self { role, owner: SessionOwner::WorkOrder(order.id), investigation, order: Some(order) }
    }
}
