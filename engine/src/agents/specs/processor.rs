//! Processor: searches for documents about a work order, and records what they say.

use crate::agents::{
    machine::{Finish, Phase},
    spec::{AgentSpec, AnswerShape, Opening, PhaseKind, PhaseSpec, PromptAdditions},
};
use domain::{agent::AgentRole, model_choice::ModelRole};

pub(super) static PROCESSOR: AgentSpec = AgentSpec {
    role: AgentRole::Processor,
    model: ModelRole::Processor,
    fallback: ModelRole::Analyst,
    opening: Opening::WorkOrder,
    phases: &[
        PhaseSpec {
            phase: Phase::Plan,
            kind: PhaseKind::Once(AnswerShape::PLAN),
            prompt: "processor_plan",
            additions: PromptAdditions::NONE,
            model: None,
        },
        PhaseSpec {
            phase: Phase::Research,
            kind: PhaseKind::Loop { until: None },
            prompt: "processor_research",
            additions: PromptAdditions::NONE,
            model: None,
        },
        PhaseSpec {
            phase: Phase::Extract,
            kind: PhaseKind::Once(AnswerShape::EXTRACT),
            prompt: "extractor",
            additions: PromptAdditions::NONE,
            model: None,
        },
        PhaseSpec {
            phase: Phase::Judge,
            kind: PhaseKind::Once(AnswerShape::VERDICTS),
            prompt: "entity_judge",
            additions: PromptAdditions::NONE,
            model: Some(ModelRole::Judge),
        },
    ],
    tools: &[
        "search_entities",
        "create_entity",
        "update_entity",
        "create_claim",
        "create_relationship",
        "update_relationship",
        "fetch_source_catalog",
        "fetch_source_query",
        "fetch_url",
        "browse_url",
        "browser_open",
        "browser_click",
        "browser_fill",
        "browser_scroll",
        "browser_close",
        "batch_extract",
    ],
    max_tool_calls: |depth| depth.processor_max_tool_calls,
    finish: Finish::Records,
};
