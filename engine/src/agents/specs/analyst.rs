//! Analyst: searches the graph, orders what is missing, and writes the product.

use crate::agents::{
    machine::{Finish, Phase},
    spec::{AgentSpec, Opening, PhaseKind, PhaseSpec, PromptAdditions},
};
use domain::{agent::AgentRole, model_choice::ModelRole};

pub(super) static ANALYST: AgentSpec = AgentSpec {
    role: AgentRole::Analyst,
    model: ModelRole::Analyst,
    fallback: ModelRole::Analyst,
    opening: Opening::Question,
    phases: &[PhaseSpec {
        phase: Phase::Analyse,
        kind: PhaseKind::Loop { until: None },
        prompt: "analyst",
        additions: PromptAdditions { synthesis: Some("synthesis"), final_session: Some("final_session") },
        model: None,
    }],
    tools: &[
        "search_entities",
        "get_entity",
        "traverse_relationships",
        "search_relationships",
        "find_paths",
        "get_neighbourhood",
        "get_entity_timeline",
        "search_claims",
        "read_passage",
        "measure_likeness",
        "search_assessments",
        "get_assessment",
        "create_work_order",
        "decompose_question",
        "produce_assessment",
        "amend_assessment",
        "produce_evidence_brief",
        "get_investigation_history",
        "list_fetch_sources",
    ],
    max_tool_calls: |depth| depth.analyst_max_tool_calls,
    finish: Finish::Product,
};
