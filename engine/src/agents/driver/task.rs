//! Task of a session.

use crate::{
    agents::{machine::ToolLimit, toolkit::RunLimits},
    budget::CapReached,
};
use domain::{
    agent::{AgentRole, SessionOwner},
    budget::BudgetLevel,
    investigation::Investigation,
    work_order::WorkOrder,
};
use protocol::model::ReplyProgress;
use serde_json::Value;
use tokio::sync::watch;

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
    pub(super) tool_limits: &'a [ToolLimit],
    /// Terms of a side session.
    pub(super) side: Option<SideSession<'a>>,
    /// Answer of a person to the question at which the session waits.
    pub(super) reply: Option<&'a PersonReply>,
    /// Progress of its replies, for a person who waits.
    pub(super) progress: Option<&'a watch::Sender<ReplyProgress>>,
}

/// Terms of a session that its investigation can do without: where no model answers it fails, and its budget is a part of the whole.
#[derive(Debug, Clone, Copy)]
pub struct SideSession<'a> {
    /// Facts that the answer is checked against.
    pub given: &'a Value,
    /// Share of the cap of an investigation that it may use, also of what is kept for the final session.
    pub budget_share: f64,
    /// Key of the setting of that share.
    pub share_setting: &'static str,
}

/// Answer of a person to a question of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonReply {
    /// Number of the question. The reply to another question than the open one is ignored.
    pub number: u32,
    /// The answer; none: the person ends the questions.
    pub text: Option<String>,
}

impl SideSession<'_> {
    /// Returns why the session ends at a cap, with the remedy.
    pub(super) fn explain(&self, cap: &CapReached) -> String {
        match cap.level {
            BudgetLevel::Session => format!("{cap} or {}", self.share_setting),
            _ => cap.to_string(),
        }
    }
}

impl<'a> SessionTask<'a> {
    /// Builds a task that an investigation itself owns.
    pub fn for_investigation(role: AgentRole, investigation: &'a Investigation) -> Self {
        let owner = SessionOwner::Investigation(investigation.id);
        let (order, opening, limits, side, reply, progress) = (None, None, None, None, None, None);
        Self { role, owner, investigation, order, opening, limits, tool_limits: &[], side, reply, progress }
    }

    /// Makes it a side session with this first message.
    pub fn as_side_session(self, opening: &'a str, side: SideSession<'a>) -> Self {
        Self { opening: Some(opening), side: Some(side), ..self }
    }

    /// Builds a task that a work order of an investigation owns.
    pub fn for_order(role: AgentRole, investigation: &'a Investigation, order: &'a WorkOrder) -> Self {
        let owner = SessionOwner::WorkOrder(order.id);
        Self { owner, order: Some(order), ..Self::for_investigation(role, investigation) }
    }
}
