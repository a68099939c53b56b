//! Session toolkit: prompt, offered tools and output schema of each phase.
//!
//! Driver and replay share it, so that both build identical requests.

use super::{
    Agents,
    machine::{JudgeMode, Machine, MachineLimits, Next, Phase},
    prompts::{Additions, Prompt},
    record::{MachineRequest, SessionSetup, hash_of},
    registry::Tool,
    tools::{CreateWorkOrderTool, ProduceAssessmentTool, ProduceEvidenceBriefTool},
};
use crate::EngineConfig;
use domain::{
    agent::AgentRole,
    assessment::AssessmentKind,
    investigation::{Depth, WebAccess},
};
use protocol::model::{ModelRequest, OutputSchema, ToolSchema};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

/// Selection of tools offered to a session, widest first. Each tool names the narrowest that includes it
/// (`Tool::NARROWEST_OFFER`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolOffer {
    /// All tools.
    All,
    /// All tools but the one that divides the question.
    Undivided,
    /// Final session: no tools that collect more.
    Final,
    /// Final session without search budget: only the tools that write the product.
    WriteOnly,
}

/// Permitted ending of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Any ending.
    Open,
    /// The assessment; the session may search first.
    Final,
    /// The assessment, written from supplied claims: the caps leave no budget to search.
    FromRecord,
}

impl Ending {
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Open)
    }
}

/// State of question decomposition in a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decomposition {
    /// Not available: disabled, the question is itself a part, or work on it has begun.
    #[default]
    Closed,
    /// The session may divide the question.
    Offered,
    /// The question was divided; the session merges the answers of the parts.
    Done,
}

/// Toolkit of the sessions of one role.
pub struct SessionToolkit<'a> {
    agents: &'a Agents,
    config: &'a EngineConfig,
    role: AgentRole,
    ending: Ending,
    decomposition: Decomposition,
    judging: JudgeMode,
    product: AssessmentKind,
    web: WebAccess,
    has_browser: bool,
    depth: Depth,
}

impl<'a> SessionToolkit<'a> {
    pub fn new(
        agents: &'a Agents,
        config: &'a EngineConfig,
        role: AgentRole,
        ending: Ending,
        decomposition: Decomposition,
        judging: JudgeMode,
        product: AssessmentKind,
    ) -> Self {
        let (web, depth) = (WebAccess::On, Depth::Standard);
        Self { agents, config, role, ending, decomposition, judging, product, web, has_browser: true, depth }
    }

    /// Sets the web access of the session, and whether it has a browser.
    pub fn with_web(self, web: WebAccess, has_browser: bool) -> Self {
        Self { web, has_browser, ..self }
    }

    /// Sets the depth, which decides the limits.
    pub fn at_depth(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }

    pub fn decomposition(&self) -> Decomposition {
        self.decomposition
    }

    /// Returns one hash of all prompts of the session.
    pub fn prompt_hash(&self) -> String {
        self.agents.prompts.hash_of(self.role, self.additions(), self.judging)
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
        let is_judged = self.role == AgentRole::Processor && self.judging == JudgeMode::Model;
        let max_tool_calls = match self.role {
            AgentRole::Analyst => depth.analyst_max_tool_calls,
            AgentRole::Processor => depth.processor_max_tool_calls,
        };
        MachineLimits {
            max_tool_calls,
            max_malformed_calls: config.max_malformed_calls,
            max_planned_queries: depth.max_planned_queries,
            max_nudges: config.max_nudges,
            batch_chars: config.extract.batch_chars,
            batch_documents: config.extract.batch_documents,
            judge_pairs: if is_judged { config.judge.max_pairs } else { 0 },
        }
    }

    /// Builds the machine of a session.
    pub fn machine(&self, limits: MachineLimits) -> Machine {
        Machine::new(self.role, limits).with_nudge(self.nudge())
    }

    /// Returns what an Analyst session answers to a reply without a tool call.
    fn nudge(&self) -> String {
        let tools = self.tools(Phase::Analyse, self.product);
        let is_offered = |name: &&str| tools.iter().any(|tool| tool.name == **name);
        let write = [ProduceAssessmentTool::NAME, ProduceEvidenceBriefTool::NAME].into_iter().find(is_offered);
        let order = Some(CreateWorkOrderTool::NAME).filter(is_offered);
        let write = write.map(|tool| format!(" Send it with `{tool}`")).unwrap_or_default();
        let order = order.map(|tool| format!(", or order with `{tool}`")).unwrap_or_default();
        format!("Only text came.{write}{order}.")
    }

    /// Builds the next model request for the preferred model.
    pub fn request(&self, machine: &Machine) -> ModelRequest {
        self.request_for(machine, self.product)
    }

    /// Builds the next model request for a model that writes `product`.
    pub fn request_for(&self, machine: &Machine, product: AssessmentKind) -> ModelRequest {
        let phase = machine.phase();
        ModelRequest {
            role: self.role,
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
            Next::Done(_) => MachineRequest::Nothing,
        }
    }

    pub fn setup(&self) -> SessionSetup {
        let (mut prompts, mut tools) = (BTreeMap::new(), BTreeMap::new());
        for phase in Phase::sequence(self.role, self.judging) {
            prompts.insert(phase.as_str().to_owned(), self.prompt(*phase).text.to_string());
            for tool in self.tools(*phase, self.product).iter() {
                tools.insert(tool.name.clone(), described(tool));
            }
            if let Some(shape) = self.shape(*phase) {
                tools.insert(format!("answer {}", shape.name), shape.schema.clone());
            }
        }
        SessionSetup {
            program: env!("CARGO_PKG_VERSION").into(),
            role: self.role,
            final_session: self.ending.is_final(),
            from_record: self.ending == Ending::FromRecord,
            decomposition: self.decomposition,
            product: self.product,
            web: self.web,
            has_browser: self.has_browser,
            prompts,
            tools,
            limits: self.limits(),
            max_output_tokens: self.config.max_output_tokens,
        }
    }

    fn prompt(&self, phase: Phase) -> Prompt {
        self.agents.prompts.system_prompt(phase, self.additions())
    }

    fn additions(&self) -> Additions {
        Additions { final_session: self.ending.is_final(), synthesis: self.decomposition == Decomposition::Done }
    }

    fn tools(&self, phase: Phase, product: AssessmentKind) -> Arc<[ToolSchema]> {
        let registry = self.agents.gateway.registry();
        match phase {
            Phase::Analyse | Phase::Research => {
                let offered = registry.schemas(self.role, self.offer_of_tools(), product, self.web);
                let can_run = |tool: &&ToolSchema| self.has_browser || !registry.needs_browser(self.role, &tool.name);
                offered.iter().filter(can_run).cloned().collect()
            }
            Phase::Plan | Phase::Extract | Phase::Judge => Arc::from([]),
        }
    }

    fn shape(&self, phase: Phase) -> Option<Arc<OutputSchema>> {
        self.agents.shapes.for_phase(phase)
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
