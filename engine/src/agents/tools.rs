//! The tools of the agents. Each takes typed arguments, calls the ports, and answers in JSON.

mod analyst;
mod browser;
mod decompose;
mod extract;
mod find;
mod graph_write;
mod likeness;
mod products;
mod sources;
mod web;

pub(super) use extract::read_entry;

use super::{
    Agents,
    machine::{ToolEffect, WriteScope},
    prompts::Prompts,
    registry::{BadToolFile, HandlerConfig, Registry, Tool},
    shapes::Shapes,
    toolkit::{ToolOffer, product_of},
};
use crate::{Engine, StoreError, config_files::ConfigFiles, embeddings::Embedder};
use domain::{CollectionId, Scope, SessionId, agent::AgentRole, investigation::Investigation, work_order::WorkOrder};
use protocol::refs::SessionRefs;
use serde::Serialize;
use std::sync::Arc;

/// What a tool may know of the session that calls it.
#[derive(Clone)]
pub struct ToolContext<'a> {
    pub engine: &'a Engine,
    pub prompts: &'a Prompts,
    pub shapes: &'a Shapes,
    pub investigation: &'a Investigation,
    pub session_id: SessionId,
    /// The step of the session that its calls are for.
    pub step: u32,
    pub role: AgentRole,
    pub work_order: Option<&'a WorkOrder>,
    /// Tools that the session may call.
    pub offer: ToolOffer,
    /// While documents are extracted: what may be written, by the only tool that may be called.
    pub writable: Option<WriteScope<'a>>,
    /// Short references that the session uses for ids.
    pub refs: Arc<SessionRefs>,
    /// An assessment of this session came back with what checks found.
    pub findings_returned: bool,
    limits: HandlerConfig,
    /// Characters that results may have, where that is less than usual.
    room_chars: usize,
}

impl<'a> ToolContext<'a> {
    pub fn new(
        engine: &'a Engine,
        agents: &'a Agents,
        investigation: &'a Investigation,
        session_id: SessionId,
        work_order: Option<&'a WorkOrder>,
        offer: ToolOffer,
    ) -> Self {
        let role = if work_order.is_some() { AgentRole::Processor } else { AgentRole::Analyst };
        let limits = HandlerConfig::default();
        let (prompts, shapes) = (&agents.prompts, &agents.shapes);
        Self {
            engine,
            prompts,
            shapes,
            investigation,
            session_id,
            step: 0,
            role,
            work_order,
            offer,
            writable: None,
            refs: Arc::default(),
            findings_returned: false,
            limits,
            room_chars: usize::MAX,
        }
    }

    /// The same where results may have no more characters than so many.
    pub fn within(self, room_chars: usize) -> Self {
        Self { room_chars, ..self }
    }

    /// The same for the calls of a step.
    pub fn at_step(self, step: u32) -> Self {
        Self { step, ..self }
    }

    /// The same with no tool withheld: for what the program asks itself.
    pub fn offered_everything(self) -> Self {
        Self { offer: ToolOffer::All, ..self }
    }

    /// The same with the references that the session has used before.
    pub fn with_refs(self, refs: Arc<SessionRefs>) -> Self {
        Self { refs, ..self }
    }

    /// The same for calls that write what a pack of documents says.
    pub fn with_pack(self, writable: Option<WriteScope<'a>>) -> Self {
        Self { writable, ..self }
    }

    /// The same where an assessment has come back with findings, or not.
    pub fn after_findings(self, findings_returned: bool) -> Self {
        Self { findings_returned, ..self }
    }

    /// Whether the session may call a tool that is `offered` in conversations, or not.
    pub(super) fn may_call(&self, name: &str, offered: bool) -> bool {
        match self.writable {
            Some(_) => name == extract::BatchExtractTool::NAME,
            None => offered && self.offer.allows(name) && self.writes_product_of(name),
        }
    }

    /// Whether a tool that writes a product is for one that some model of the session writes.
    fn writes_product_of(&self, tool: &str) -> bool {
        let models = self.engine.models_for(self.investigation);
        let is_written = |product| models.models(self.role).iter().any(|model| model.product() == product);
        product_of(tool).is_none_or(is_written)
    }

    pub(super) fn with_limits(&self, limits: HandlerConfig) -> Self {
        Self { limits, ..self.clone() }
    }

    /// How many items to give when `asked` for, by the tool's own configuration.
    fn items(&self, asked: Option<u32>) -> u32 {
        let wanted = asked.or(self.limits.default_limit).unwrap_or(20);
        wanted.clamp(1, self.limits.max_limit.unwrap_or(100))
    }

    /// What makes vectors for searches; none for a model that wants the same answers whatever vectors there are.
    pub(super) fn embedder(&self) -> Option<&dyn Embedder> {
        let wanted = self.engine.models_for(self.investigation).model(self.role).wants_vectors();
        self.engine.embedder.as_deref().filter(|_| wanted)
    }

    /// Whose names may settle which entity a document of `collection` speaks of (`GraphWrite::resolve_within`).
    pub(super) async fn resolve_within(&self, collection: CollectionId) -> Result<Scope, StoreError> {
        let open = self.engine.accounts.open_scope().await?;
        Ok(self.investigation.scope.intersect(&open).with(collection))
    }

    /// Characters that the result may have.
    fn max_chars(&self) -> usize {
        self.max_result_chars(&self.limits)
    }

    /// Characters that a result may have under `limits`: never more than its share of what the model of the session can read.
    pub(super) fn max_result_chars(&self, limits: &HandlerConfig) -> usize {
        let (config, budget) = (&self.engine.config, &self.engine.budget);
        let configured = limits.max_result_chars.unwrap_or(config.max_tool_result_chars).min(self.room_chars);
        let context = self.engine.models_for(self.investigation).model(self.role).context_tokens();
        let share = |tokens| (f64::from(tokens) * budget.bytes_per_token * config.result_context_share) as usize;
        context.map_or(configured, |tokens| configured.min(share(tokens)))
    }
}

/// What a tool answers.
pub struct ToolReply {
    pub content: String,
    pub effect: ToolEffect,
    /// The call did not do what it was for; the model is told so.
    pub is_error: bool,
    /// The tool has made it as short as it may be: the gateway must not cut it.
    pub is_fitted: bool,
    /// What is judged in its place, where the content only names it: the text of a page, say.
    pub judged: Option<String>,
}

impl ToolReply {
    pub(super) fn text(content: String) -> Self {
        Self { content, effect: ToolEffect::None, is_error: false, is_fitted: false, judged: None }
    }

    fn json(value: &impl Serialize) -> Result<Self, ToolError> {
        let content = serde_json::to_string(value).map_err(|error| StoreError::Defect(error.to_string()))?;
        Ok(Self::text(content))
    }

    /// For pages of whole items, of which there is always at least one, however long: evidence that is cut is lost.
    fn uncut(self) -> Self {
        Self { is_fitted: true, ..self }
    }

    /// A refusal that changes how the session goes on.
    fn refused(content: String, effect: ToolEffect) -> Self {
        Self { effect, is_error: true, ..Self::text(content) }
    }

    fn with(self, effect: ToolEffect) -> Self {
        Self { effect, ..self }
    }

    /// With the text that the content names: both are judged, the text first.
    fn judged_by(self, text: &str) -> Self {
        Self { judged: Some(format!("{text}\n{}", self.content)), ..self }
    }
}

/// Who should see that a tool failed.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The call itself is wrong; counted, and told to the model.
    #[error("{0}")]
    Malformed(String),
    /// The model is told and may try something else.
    #[error("{0}")]
    ForModel(String),
    /// The same, where the session asked for what its order does not allow: whoever led it there is looked for.
    #[error("{0}")]
    Beyond(String),
    /// A hard dependency failed: the session ends.
    #[error(transparent)]
    Fatal(StoreError),
}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Invalid(why) => Self::ForModel(why),
            other => Self::Fatal(other),
        }
    }
}

/// Every tool of every role.
pub fn registry(files: &ConfigFiles) -> Result<Registry, BadToolFile> {
    use AgentRole::{Analyst, Processor};
    Registry::builder(files)
        .add(Analyst, find::SearchEntitiesTool)?
        .add(Analyst, find::GetEntityTool)?
        .add(Analyst, find::TraverseRelationshipsTool)?
        .add(Analyst, find::SearchRelationshipsTool)?
        .add(Analyst, find::SearchClaimsTool)?
        .add(Analyst, find::ReadPassageTool)?
        .add(Analyst, likeness::MeasureLikenessTool)?
        .add(Analyst, products::SearchAssessmentsTool)?
        .add(Analyst, products::GetAssessmentTool)?
        .add(Analyst, analyst::CreateWorkOrderTool)?
        .add(Analyst, decompose::DecomposeQuestionTool)?
        .add(Analyst, products::ProduceAssessmentTool)?
        .add(Analyst, products::ProduceEvidenceBriefTool)?
        .add(Analyst, analyst::GetInvestigationHistoryTool)?
        .add(Analyst, sources::ListFetchSourcesTool)?
        .add(Processor, find::SearchEntitiesTool)?
        .add(Processor, graph_write::CreateEntityTool)?
        .add(Processor, graph_write::UpdateEntityTool)?
        .add(Processor, graph_write::CreateClaimTool)?
        .add(Processor, graph_write::CreateRelationshipTool)?
        .add(Processor, graph_write::UpdateRelationshipTool)?
        .add(Processor, sources::FetchSourceCatalogTool)?
        .add(Processor, sources::FetchSourceQueryTool)?
        .add(Processor, web::FetchUrlTool)?
        .add(Processor, browser::BrowseUrlTool)?
        .add(Processor, browser::BrowserOpenTool)?
        .add(Processor, browser::BrowserClickTool)?
        .add(Processor, browser::BrowserFillTool)?
        .add(Processor, browser::BrowserScrollTool)?
        .add(Processor, browser::BrowserCloseTool)?
        .add(Processor, extract::BatchExtractTool)?
        .build()
}
