//! Task of a session.

use crate::agents::toolkit::RunLimits;
use domain::{
    agent::{AgentRole, SessionOwner},
    investigation::Investigation,
    work_order::WorkOrder,
};

/// Task of one session: a role, and the owner for which it works.
#[derive(Clone, Copy)]
pub struct SessionTask<'a> {
    pub(super) role: AgentRole,
    pub(super) owner: SessionOwner,
    pub(super) investigation: &'a Investigation,
    /// Work order, where it is the owner.
    pub(super) order: Option<&'a WorkOrder>,
    /// First message, for roles that are given it.
    pub(super) opening: Option<&'a str>,
    pub(super) limits: Option<RunLimits>,
    /// Answer of a person to the question at which the session waits.
    pub(super) reply: Option<&'a PersonReply>,
}

/// Answer of a person to a question of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonReply {
    /// Number of the question. The reply to another question than the open one is ignored.
    pub number: u32,
    /// The answer; none: the person ends the questions.
    pub text: Option<String>,
}

impl<'a> SessionTask<'a> {
    /// Builds a task that an investigation itself owns.
    pub fn for_investigation(role: AgentRole, investigation: &'a Investigation) -> Self {
        let owner = SessionOwner::Investigation(investigation.id);
        Self { role, owner, investigation, order: None, opening: None, limits: None, reply: None }
    }

    /// Builds a task that a work order of an investigation owns.
    pub fn for_order(role: AgentRole, investigation: &'a Investigation, order: &'a WorkOrder) -> Self {
        let owner = SessionOwner::WorkOrder(order.id);
        Self { owner, order: Some(order), ..Self::for_investigation(role, investigation) }
    }
}
