//! Role of an agent as data. The framework asks this value what a role does, and never the role itself.

use super::{
    machine::{AnswerCheck, AnswerPhase, AnswerPhaseKind, Finish, JudgeMode, NextQuestion, Phase},
    schema::schema_of,
};
use crate::config::DepthLimits;
use domain::{
    agent::AgentRole,
    assessment::{Dissent, DissentTerms},
    model_choice::ModelRole,
};
use protocol::tools::{BatchExtract, EntityVerdicts, ResearchPlan};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

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
    /// Maximum number of tool calls; the caller of a feature's role gives its own.
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
#[derive(Debug, Clone, Copy)]
pub enum PhaseKind {
    /// Conversation with the tools that the session is offered.
    Loop {
        /// Tool that completes it. Before, a reply without a call is answered with what to call.
        until: Option<&'static str>,
    },
    /// One answer of this shape, without tools.
    Once(AnswerShape),
    /// Questions to a person, one at a time. The session waits for each answer.
    AskPerson,
}

/// Shape of an answer that is not a tool call: the schema and the check of its type.
#[derive(Debug, Clone, Copy)]
pub struct AnswerShape {
    /// Name of the schema, unique to its type.
    pub name: &'static str,
    pub(super) schema: fn() -> Value,
    check: AnswerCheck,
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
    /// Text that the caller gives.
    Given,
}

impl AgentSpec {
    /// Declares a role of a feature that ends in the structured answer of its last phase. Its models are those of the role of the
    /// same name in `[models.features]`, else of `fallback`.
    pub const fn answering(
        name: &'static str,
        fallback: ModelRole,
        phases: &'static [PhaseSpec],
        tools: &'static [&'static str],
    ) -> Self {
        Self {
            role: AgentRole::feature(name),
            model: ModelRole::feature(name),
            fallback,
            opening: Opening::Given,
            phases,
            tools,
            max_tool_calls: |_| 0,
            finish: Finish::Answer,
        }
    }

    /// Returns the phases of a session that ends in an answer.
    pub fn answer_phases(&self) -> Vec<AnswerPhase> {
        let kind = |kind: PhaseKind| match kind {
            PhaseKind::Loop { until } => AnswerPhaseKind::Loop { until },
            PhaseKind::Once(shape) => AnswerPhaseKind::Once(shape.check),
            PhaseKind::AskPerson => AnswerPhaseKind::AskPerson,
        };
        self.phases.iter().map(|spec| AnswerPhase { phase: spec.phase, kind: kind(spec.kind) }).collect()
    }

    /// Returns what is wrong with the declaration of a role of a feature, if anything.
    pub fn problem(&self) -> Option<&'static str> {
        let AgentRole::Feature(name) = self.role else { return None };
        let is_repeated = |(n, spec): (usize, &PhaseSpec)| self.phases[..n].iter().any(|earlier| earlier.phase == spec.phase);
        if !name.is_valid() {
            return Some("its name is not a word of lower-case letters, digits and underscores");
        }
        if ModelRole::ALL.into_iter().any(|kernel| kernel.as_str() == name.as_str()) {
            return Some("its name is that of a role of the kernel");
        }
        let is_free = |phase: Phase| match phase {
            Phase::Feature(name) => name.is_valid() && Phase::KERNEL.iter().all(|kernel| kernel.as_str() != name.as_str()),
            _ => false,
        };
        if !self.phases.iter().all(|spec| is_free(spec.phase)) {
            return Some("a name of its phases is not a word, or that of a phase of the kernel");
        }
        if !matches!(self.phases.last(), Some(PhaseSpec { kind: PhaseKind::Once(_), .. })) {
            return Some("its last phase is not one structured answer");
        }
        let has_tool = |kind: PhaseKind| match kind {
            PhaseKind::Loop { until: Some(last) } => self.tools.contains(&last),
            _ => true,
        };
        if !self.phases.iter().all(|spec| has_tool(spec.kind)) {
            return Some("a tool that completes one of its phases is not among its tools");
        }
        self.phases.iter().enumerate().any(is_repeated).then_some("two of its phases have one name")
    }

    /// Returns a phase of the role; the first where it has no such phase.
    pub fn phase(&self, phase: Phase) -> &'static PhaseSpec {
        self.phases.iter().find(|spec| spec.phase == phase).unwrap_or(&self.phases[0])
    }

    /// Returns the phases of a session, in order.
    pub fn sequence(&'static self, judging: JudgeMode) -> impl Iterator<Item = &'static PhaseSpec> {
        self.phases.iter().filter(move |phase| phase.is_in(judging))
    }
}

impl AnswerShape {
    pub const PLAN: Self = Self::new::<ResearchPlan>("research_plan");
    pub const EXTRACT: Self = Self::new::<BatchExtract>("batch_extract");
    pub const VERDICTS: Self = Self::new::<EntityVerdicts>("entity_verdicts");
    pub const QUESTION: Self = Self::new::<NextQuestion>("next_question");
    pub const DISSENT: Self = Self { name: "dissent", schema: schema_of::<Dissent>, check: check_dissent };

    /// Declares the shape of a type. Models are sent its schema without descriptions, with every property required.
    pub const fn new<T: JsonSchema + DeserializeOwned>(name: &'static str) -> Self {
        Self { name, schema: schema_of::<T>, check: check::<T> }
    }
}

/// Returns why a value is not of a type.
fn check<T: DeserializeOwned>(value: &Value, _: &Value) -> Result<(), String> {
    read::<T>(value).map(drop)
}

/// Returns which rules a dissent breaks.
fn check_dissent(value: &Value, given: &Value) -> Result<(), String> {
    let problems = read::<Dissent>(value)?.problems(&read::<DissentTerms>(given)?);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    let described = |error: serde_path_to_error::Error<serde_json::Error>| format!("at '{}': {}", error.path(), error.inner());
    serde_path_to_error::deserialize(value.clone()).map_err(described)
}

impl PhaseSpec {
    /// Declares a phase of a role of a feature; its prompt has the same name.
    pub const fn new(name: &'static str, kind: PhaseKind) -> Self {
        Self { phase: Phase::feature(name), kind, prompt: name, additions: PromptAdditions::NONE, model: None }
    }

    /// Returns whether models are offered tools in the phase.
    pub const fn has_tools(&self) -> bool {
        matches!(self.kind, PhaseKind::Loop { .. })
    }

    /// Returns whether sessions have the phase: without a judge they have no phase of its own.
    fn is_in(&self, judging: JudgeMode) -> bool {
        self.model != Some(ModelRole::Judge) || judging == JudgeMode::Model
    }
}

impl PromptAdditions {
    pub const NONE: Self = Self { synthesis: None, final_session: None };
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: PhaseKind = PhaseKind::Once(AnswerShape::PLAN);

    #[test]
    fn phases_have_valid_names_of_their_own() {
        const LOOP: PhaseKind = PhaseKind::Loop { until: None };
        const FREE: &[PhaseSpec] = &[PhaseSpec::new("scout_search", LOOP), PhaseSpec::new("scout_answer", SHAPE)];
        const KERNEL: &[PhaseSpec] = &[PhaseSpec::new("judge", SHAPE)];
        const UNTIL: PhaseKind = PhaseKind::Loop { until: Some("report") };
        const ENDLESS: &[PhaseSpec] = &[PhaseSpec::new("scout_search", UNTIL), PhaseSpec::new("scout_answer", SHAPE)];
        const INVALID: &[PhaseSpec] = &[PhaseSpec::new("Scout answer", SHAPE)];
        const REPEATED: &[PhaseSpec] = &[PhaseSpec::new("scout", LOOP), PhaseSpec::new("scout", SHAPE)];
        for (phases, is_fine) in [(FREE, true), (KERNEL, false), (ENDLESS, false), (INVALID, false), (REPEATED, false)] {
            let role = AgentSpec::answering("scout", ModelRole::Analyst, phases, &[]);
            assert_eq!(role.problem().is_none(), is_fine, "{:?}", role.problem());
        }
    }
}
