//! Dissenter: argues against the leading answer of an assessment, with the evidence that the assessment cites.

use crate::agents::{
    machine::{Finish, Phase},
    spec::{AgentSpec, AnswerShape, Opening, PhaseKind, PhaseSpec, PromptAdditions},
};
use domain::{agent::AgentRole, model_choice::ModelRole};

pub(super) static DISSENTER: AgentSpec = AgentSpec {
    role: AgentRole::Dissenter,
    model: ModelRole::Dissenter,
    fallback: ModelRole::Analyst,
    opening: Opening::Given,
    phases: &[PhaseSpec {
        phase: Phase::Dissent,
        kind: PhaseKind::Once(AnswerShape::DISSENT),
        prompt: "dissenter",
        additions: PromptAdditions::NONE,
        model: None,
    }],
    tools: &[],
    max_tool_calls: |_| 0,
    finish: Finish::Answer,
};
