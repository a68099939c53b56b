//! Session toolkit: prompt, offered tools and output schema of each phase.
//!
//! Driver and replay share it, so that both build identical requests.

use super::{
    machine::{AMEND_TOOL, DRAFT_TOOL, Finish, JudgeMode, Machine, MachineLimits, Next, Phase},
    offer::{Decomposition, Ending, ToolOffer},
    prompts::{Additions, Prompt},
    record::{MachineRequest, SessionSetup, hash_of},
    registry::Tool,
    resources::Agents,
    spec::{AgentSpec, AnswerShape, PhaseKind, PhaseSpec},
    tools::{CreateWorkOrderTool, ProduceAssessmentTool, ProduceEvidenceBriefTool},
};
use crate::EngineConfig;
use domain::{
    assessment::AssessmentKind,
    investigation::{Depth, WebAccess},
};
use protocol::model::{ModelRequest, OutputSchema, ToolSchema};
use std::{collections::BTreeMap, sync::Arc};

/// Toolkit of the sessions of one role.
pub struct SessionToolkit<'a> {
    agents: &'a Agents,
    config: &'a EngineConfig,
    spec: &'static AgentSpec,
    ending: Ending,
    decomposition: Decomposition,
    judging: JudgeMode,
    product: AssessmentKind,
    web: WebAccess,
    has_browser: bool,
    offers_drafts: bool,
    depth: Depth,
    run_limits: Option<RunLimits>,
}

/// Limits that the caller of a feature's role gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    pub max_tool_calls: u32,
    pub max_questions: u32,
}

impl<'a> SessionToolkit<'a> {
    pub fn new(
        agents: &'a Agents,
        config: &'a EngineConfig,
        spec: &'static AgentSpec,
        ending: Ending,
        decomposition: Decomposition,
        judging: JudgeMode,
        product: AssessmentKind,
    ) -> Self {
        let (web, depth) = (WebAccess::On, Depth::Standard);
        let (has_browser, offers_drafts, run_limits) = (true, true, None);
        Self {
            agents,
            config,
            spec,
            ending,
            decomposition,
            judging,
            product,
            web,
            has_browser,
            offers_drafts,
            depth,
            run_limits,
        }
    }

    /// Sets the web access of the session, and whether it has a browser.
    pub fn with_web(self, web: WebAccess, has_browser: bool) -> Self {
        Self { web, has_browser, ..self }
    }

    /// Sets whether models are offered the tools that write an assessment. Their schema is long, and useless before there are claims.
    pub fn with_drafts(self, offers_drafts: bool) -> Self {
        Self { offers_drafts, ..self }
    }

    /// Sets the depth, which decides the limits.
    pub fn at_depth(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }

    /// Sets the limits of a run of a feature's role.
    pub fn with_limits(self, run_limits: Option<RunLimits>) -> Self {
        Self { run_limits, ..self }
    }

    /// Returns the role as data.
    pub fn spec(&self) -> &'static AgentSpec {
        self.spec
    }

    pub fn decomposition(&self) -> Decomposition {
        self.decomposition
    }

    /// Returns one hash of all prompts of the session.
    pub fn prompt_hash(&self) -> String {
        self.agents.prompts.hash_of(self.spec, self.additions(), self.judging)
    }

    pub fn ending(&self) -> Ending {
        self.ending
    }

    pub fn offer_of_tools(&self) -> ToolOffer {
        match self.ending {
            Ending::Open if self.decomposition == Decomposition::Offered => ToolOffer::All,
            Ending::Open => ToolOffer::Undivided,
            Ending::Final => ToolOffer::Final,
            Ending::FromRecord => ToolOffer::WriteOnly,
        }
    }

    pub fn limits(&self) -> MachineLimits {
        let config = self.config;
        let depth = config.at(self.depth);
        let is_judged = self.spec.sequence(self.judging).any(|phase| phase.phase == Phase::Judge);
        MachineLimits {
            max_tool_calls: self.run_limits.map_or_else(|| (self.spec.max_tool_calls)(&depth), |limits| limits.max_tool_calls),
            max_malformed_calls: config.max_malformed_calls,
            max_planned_queries: depth.max_planned_queries,
            max_nudges: config.max_nudges,
            batch_chars: config.extract.batch_chars,
            batch_documents: config.extract.batch_documents,
            judge_pairs: if is_judged { config.judge.max_pairs } else { 0 },
            max_questions: self.run_limits.map_or(0, |limits| limits.max_questions),
        }
    }

    /// Builds the machine of a session.
    pub fn machine(&self, limits: MachineLimits) -> Machine {
        let machine = Machine::new(self.spec.finish, limits);
        match self.spec.finish {
            Finish::Answer => machine.with_phases(self.spec.answer_phases()).with_nudge(self.nudge_in_loop()),
            Finish::Product | Finish::Records => machine.with_nudge(self.nudge()),
        }
    }

    /// Returns what an Analyst session answers to a reply without a tool call.
    fn nudge(&self) -> String {
        let tools = self.tools(Phase::Analyse, self.product);
        let is_offered = |name: &&str| tools.iter().any(|tool| tool.name == **name);
        let write = [ProduceAssessmentTool::NAME, ProduceEvidenceBriefTool::NAME].into_iter().find(is_offered);
        let order = Some(CreateWorkOrderTool::NAME).filter(is_offered);
        match (write, order) {
            (Some(write), Some(order)) => format!("Only text came. Send it with `{write}`, or order with `{order}`."),
            (Some(write), None) => format!("Only text came. Send it with `{write}`."),
            (None, Some(order)) => format!("Only text came. Order with `{order}`."),
            (None, None) => "Only text came.".to_owned(),
        }
    }

    /// Returns what a session answers to a reply without a tool call in a loop that a tool completes; empty without such a loop.
    fn nudge_in_loop(&self) -> String {
        let last_tool = |spec: &PhaseSpec| match spec.kind {
            PhaseKind::Loop { until } => until.map(|last| (spec.phase, last)),
            _ => None,
        };
        let Some((phase, last)) = self.spec.phases.iter().find_map(last_tool) else { return String::new() };
        let tools: Vec<String> = self.tools(phase, self.product).iter().map(|tool| format!("`{}`", tool.name)).collect();
        format!(
            "Only text came, which is not used. Call one of {}. Text alone is for the end, after `{last}`.",
            tools.join(", ")
        )
    }

    /// Builds the next model request for the preferred model.
    pub fn request(&self, machine: &Machine) -> ModelRequest {
        self.request_for(machine, self.product)
    }

    /// Builds the next model request for a model that writes `product`.
    pub fn request_for(&self, machine: &Machine, product: AssessmentKind) -> ModelRequest {
        let phase = machine.phase();
        ModelRequest {
            role: self.spec.role,
            system: self.prompt(phase).text,
            messages: machine.messages().to_vec(),
            tools: self.tools(phase, product),
            max_output_tokens: self.config.max_output_tokens,
            output_schema: self.shape(phase),
            progress: None,
        }
    }

    /// Returns the machine's current request, as it is recorded.
    pub fn machine_request(&self, machine: &Machine) -> MachineRequest {
        match machine.next() {
            Next::Open => MachineRequest::Opening,
            Next::CallModel => MachineRequest::Model {
                phase: machine.phase(),
                prompt: self.prompt(machine.phase()).hash,
                offer: self.offer(machine.phase()),
                conversation: machine.conversation().digest(),
            },
            Next::CallTools(calls) => MachineRequest::Tools { calls: hash_of(calls) },
            Next::ReadPack(portion) => MachineRequest::Pack { documents: hash_of(portion) },
            Next::FindPairs(extract) => MachineRequest::Pairs { extract: hash_of(extract) },
            Next::NoteRefused(refused) => MachineRequest::Note { refused: hash_of(refused) },
            Next::AskPerson(question) => MachineRequest::Person { question: hash_of(question) },
            Next::Done(_) => MachineRequest::Nothing,
        }
    }

    pub fn setup(&self) -> SessionSetup {
        let (mut prompts, mut tools) = (BTreeMap::new(), BTreeMap::new());
        for phase in self.spec.sequence(self.judging).map(|spec| spec.phase) {
            prompts.insert(phase.as_str().to_owned(), self.prompt(phase).text.to_string());
            for tool in self.tools(phase, self.product).iter() {
                tools.insert(tool.name.clone(), described(tool));
            }
            if let Some(shape) = self.shape(phase) {
                tools.insert(format!("answer {}", shape.name), shape.schema.clone());
            }
        }
        SessionSetup {
            program: env!("CARGO_PKG_VERSION").into(),
            role: self.spec.role,
            final_session: self.ending.is_final(),
            from_record: self.ending == Ending::FromRecord,
            decomposition: self.decomposition,
            product: self.product,
            web: self.web,
            has_browser: self.has_browser,
            offers_drafts: self.offers_drafts,
            prompts,
            tools,
            limits: self.limits(),
            max_output_tokens: self.config.max_output_tokens,
        }
    }

    fn prompt(&self, phase: Phase) -> Prompt {
        self.agents.prompts.system_prompt(self.spec.phase(phase), self.additions())
    }

    fn additions(&self) -> Additions {
        Additions { final_session: self.ending.is_final(), synthesis: self.decomposition == Decomposition::Done }
    }

    fn tools(&self, phase: Phase, product: AssessmentKind) -> Arc<[ToolSchema]> {
        if !self.spec.phase(phase).has_tools() {
            return Arc::from([]);
        }
        let (registry, role) = (self.agents.gateway.registry(), self.spec.role);
        let offered = registry.schemas(role, self.offer_of_tools(), product, self.web);
        let can_run = |tool: &&ToolSchema| self.has_browser || !registry.needs_browser(role, &tool.name);
        let is_of_use = |tool: &&ToolSchema| self.offers_drafts || ![DRAFT_TOOL, AMEND_TOOL].contains(&&*tool.name);
        offered.iter().filter(can_run).filter(is_of_use).cloned().collect()
    }

    fn shape(&self, phase: Phase) -> Option<Arc<OutputSchema>> {
        match self.spec.phase(phase).kind {
            PhaseKind::Loop { .. } => None,
            PhaseKind::Once(shape) => Some(self.agents.shapes.get(&shape)),
            PhaseKind::AskPerson => Some(self.agents.shapes.get(&AnswerShape::QUESTION)),
        }
    }

    fn offer(&self, phase: Phase) -> String {
        match self.shape(phase) {
            Some(shape) => hash_of(&shape.schema),
            None => hash_of(&self.tools(phase, self.product).iter().map(described).collect::<Vec<_>>()),
        }
    }
}

fn described(tool: &ToolSchema) -> serde_json::Value {
    serde_json::json!({"name": tool.name, "description": tool.description, "arguments": tool.input_schema})
}
