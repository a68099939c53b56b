//! Role of an agent as data. The framework asks this value what a role does, and never the role itself.

use super::machine::{Finish, JudgeMode, Phase};
use crate::config::DepthLimits;
use domain::{agent::AgentRole, model_choice::ModelRole};

/// Role of an agent: its models, phases, prompts, tools, limits and finish.
#[derive(Debug)]
pub struct AgentSpec {
    pub role: AgentRole,
    /// Model role whose models play it.
    pub model: ModelRole,
    /// Model role that stands in where `model` has no models.
    pub fallback: ModelRole,
    pub opening: Opening,
    /// Phases, in order; at least one.
    pub phases: &'static [PhaseSpec],
    /// Names of its tools, in the order in which models are offered them; also those that only the machine calls.
    pub tools: &'static [&'static str],
    pub max_tool_calls: fn(&DepthLimits) -> u32,
    pub finish: Finish,
}

/// Phase of a role.
#[derive(Debug)]
pub struct PhaseSpec {
    pub phase: Phase,
    pub kind: PhaseKind,
    /// Name of its prompt in `config/prompts`.
    pub prompt: &'static str,
    pub additions: PromptAdditions,
    /// Model role of the phase alone; none: the models of the role.
    pub model: Option<ModelRole>,
}

/// Kind of a phase. A new kind begins here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhaseKind {
    /// Conversation with the tools that the session is offered.
    Loop,
    /// One answer of this shape, without tools.
    Once(AnswerShape),
}

/// Shape of an answer that is not a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerShape {
    Plan,
    Extract,
    Verdicts,
}

/// Names of the prompts that are added to the one of a phase in some sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptAdditions {
    /// Addition for a divided question.
    pub synthesis: Option<&'static str>,
    /// Addition for sessions that must end with the product.
    pub final_session: Option<&'static str>,
}

/// Content of the first message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Question of the investigation, and its cycle.
    Question,
    /// Work order that owns the session.
    WorkOrder,
}

impl AgentSpec {
    /// Returns a phase of the role; the first where it has no such phase.
    pub fn phase(&self, phase: Phase) -> &'static PhaseSpec {
        self.phases.iter().find(|spec| spec.phase == phase).unwrap_or(&self.phases[0])
    }

    /// Returns the phases of a session, in order.
    pub fn sequence(&'static self, judging: JudgeMode) -> impl Iterator<Item = &'static PhaseSpec> {
        self.phases.iter().filter(move |phase| phase.is_in(judging))
    }
}

impl PhaseSpec {
    /// Returns whether models are offered tools in the phase.
    pub const fn has_tools(&self) -> bool {
        matches!(self.kind, PhaseKind::Loop)
    }

    /// Returns whether sessions have the phase: without a judge they have no phase of its own.
    fn is_in(&self, judging: JudgeMode) -> bool {
        self.model != Some(ModelRole::Judge) || judging == JudgeMode::Model
    }
}

impl PromptAdditions {
    pub const NONE: Self = Self { synthesis: None, final_session: None };
}
