//! Context, reply and errors of a tool call.

use super::{
    handler_config::HandlerConfig,
    machine::{ToolEffect, WriteScope},
    offer::ToolOffer,
    prompts::Prompts,
};
use crate::{Engine, StoreError, embeddings::Embedder};
use domain::{
    CollectionId, Scope, SessionId, UserId, agent::AgentRole, assessment::AssessmentKind, event::EventKind,
    investigation::Investigation, live::GraphCounts, work_order::WorkOrder,
};
use protocol::{model::Message, refs::SessionRefs};
use serde::Serialize;
use std::sync::Arc;

/// Context of a tool call: session, limits and permissions.
#[derive(Clone)]
pub struct ToolContext<'a> {
    pub engine: &'a Engine,
    pub prompts: &'a Prompts,
    pub investigation: &'a Investigation,
    pub session_id: SessionId,
    /// Session step of the call.
    pub step: u32,
    pub role: AgentRole,
    pub work_order: Option<&'a WorkOrder>,
    /// Tools that the session may call.
    pub offer: ToolOffer,
    /// Write scope during extraction, for the only tool callable then.
    pub writable: Option<WriteScope<'a>>,
    /// Short references used in the session.
    pub refs: Arc<SessionRefs>,
    /// Messages of the session so far; empty for calls by the program itself.
    pub conversation: &'a [Message],
    /// Check findings were returned to this session.
    pub findings_returned: bool,
    limits: HandlerConfig,
    /// Maximum result length in characters, when below the default.
    room_chars: usize,
}

impl<'a> ToolContext<'a> {
    pub fn new(
        engine: &'a Engine,
        prompts: &'a Prompts,
        investigation: &'a Investigation,
        session_id: SessionId,
        role: AgentRole,
        work_order: Option<&'a WorkOrder>,
        offer: ToolOffer,
    ) -> Self {
        let limits = HandlerConfig::default();
        Self {
            engine,
            prompts,
            investigation,
            session_id,
            step: 0,
            role,
            work_order,
            offer,
            writable: None,
            refs: Arc::default(),
            conversation: &[],
            findings_returned: false,
            limits,
            room_chars: usize::MAX,
        }
    }

    /// Limits results to `room_chars` characters.
    pub fn within(self, room_chars: usize) -> Self {
        Self { room_chars, ..self }
    }

    /// Sets the session step.
    pub fn at_step(self, step: u32) -> Self {
        Self { step, ..self }
    }

    /// Offers every tool, for calls by the program itself.
    pub fn offered_everything(self) -> Self {
        Self { offer: ToolOffer::All, ..self }
    }

    /// Sets the short references of the session.
    pub fn with_refs(self, refs: Arc<SessionRefs>) -> Self {
        Self { refs, ..self }
    }

    /// Sets the messages of the session so far.
    pub fn after_messages(self, conversation: &'a [Message]) -> Self {
        Self { conversation, ..self }
    }

    /// Sets the write scope of a pack.
    pub fn with_pack(self, writable: Option<WriteScope<'a>>) -> Self {
        Self { writable, ..self }
    }

    /// Sets whether check findings were returned.
    pub fn after_findings(self, findings_returned: bool) -> Self {
        Self { findings_returned, ..self }
    }

    /// Returns the person for whom the session works, and whose budget it uses.
    pub const fn person(&self) -> UserId {
        self.investigation.owner
    }

    /// Returns whether some model of the session writes this product.
    pub(super) fn writes(&self, product: AssessmentKind) -> bool {
        self.engine.models_for(self.investigation).models(self.role).iter().any(|model| model.product() == product)
    }

    pub(super) fn with_limits(&self, limits: HandlerConfig) -> Self {
        Self { limits, ..self.clone() }
    }

    /// Returns the number of items for a requested number, within the tool's limits.
    pub fn items(&self, asked: Option<u32>) -> u32 {
        let wanted = asked.or(self.limits.default_limit).unwrap_or(20);
        wanted.clamp(1, self.limits.max_limit.unwrap_or(100))
    }

    /// Returns the embedder for searches; none for a model that needs results independent of vectors.
    pub(super) fn embedder(&self) -> Option<&dyn Embedder> {
        let wanted = self.engine.models_for(self.investigation).model(self.role).wants_vectors();
        self.engine.embedder.as_deref().filter(|_| wanted)
    }

    /// Records an event of the investigation; the session of a feature's object has none.
    pub async fn record_event(&self, event: EventKind) -> Result<(), StoreError> {
        if let Some(investigation) = self.investigation.stored_id() {
            self.engine.events.append(investigation, self.engine.clock.now(), event).await?;
        }
        Ok(())
    }

    /// Records an event with what a write added to the graph.
    pub(super) async fn record_added(&self, added: GraphCounts) -> Result<(), StoreError> {
        self.record_event(EventKind::GraphAdded(added)).await
    }

    /// Returns the scope whose names may resolve entities of a document in `collection` (`GraphWrite::resolve_within`).
    pub(super) async fn resolve_within(&self, collection: CollectionId) -> Result<Scope, StoreError> {
        let open = self.engine.accounts.open_scope().await?;
        Ok(self.investigation.scope.intersect(&open).with(collection))
    }

    /// Returns the maximum length of this result.
    pub fn max_chars(&self) -> usize {
        self.max_result_chars(&self.limits)
    }

    /// Returns the maximum result length under `limits`, bounded by its share of the model's context.
    pub(super) fn max_result_chars(&self, limits: &HandlerConfig) -> usize {
        let (config, budget) = (&self.engine.config, &self.engine.budget);
        let configured = limits.max_result_chars.unwrap_or(config.max_tool_result_chars).min(self.room_chars);
        let context = self.engine.models_for(self.investigation).model(self.role).context_tokens();
        let share = |tokens| (f64::from(tokens) * budget.bytes_per_token * config.result_context_share) as usize;
        context.map_or(configured, |tokens| configured.min(share(tokens)))
    }
}

/// Reply of a tool.
pub struct ToolReply {
    pub content: String,
    pub effect: ToolEffect,
    /// Whether the call failed, as the model sees it.
    pub is_error: bool,
    /// Whether the tool already fitted the content; the gateway must not truncate it.
    pub is_fitted: bool,
    /// Text scored instead of the content, such as the text of a listed page.
    pub judged: Option<String>,
    /// Scored by rules even where the tool asks for a model, because nothing depends on the verdict.
    pub is_listing: bool,
}

impl ToolReply {
    pub fn text(content: String) -> Self {
        Self { content, effect: ToolEffect::None, is_error: false, is_fitted: false, judged: None, is_listing: false }
    }

    pub fn json(value: &impl Serialize) -> Result<Self, ToolError> {
        let content = serde_json::to_string(value).map_err(|error| StoreError::Defect(error.to_string()))?;
        Ok(Self::text(content))
    }

    /// Marks the content as fitted: a page of whole items, at least one, because truncated evidence is lost.
    pub(super) fn uncut(self) -> Self {
        Self { is_fitted: true, ..self }
    }

    /// Marks a list of the library's own documents: all of them are read, however they are judged.
    pub(super) fn into_listing(self) -> Self {
        Self { is_listing: true, ..self }
    }

    /// Builds a refusal with an effect on the session.
    pub(super) fn refused(content: String, effect: ToolEffect) -> Self {
        Self { effect, is_error: true, ..Self::text(content) }
    }

    pub(super) fn with(self, effect: ToolEffect) -> Self {
        Self { effect, ..self }
    }

    /// Puts a question to the person of a session that ends in an answer. The session waits for the answer.
    pub fn asking_person(self, question: String) -> Self {
        self.with(ToolEffect::AsksPerson { question })
    }

    /// Adds the text to be scored, ahead of the content.
    pub(super) fn judged_by(self, text: &str) -> Self {
        Self { judged: Some(format!("{text}\n{}", self.content)), ..self }
    }
}

/// Tool errors, by who handles them.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// Malformed call: counted, and reported to the model.
    #[error("{0}")]
    Malformed(String),
    /// Failure reported to the model, which may try something else.
    #[error("{0}")]
    ForModel(String),
    /// Failure of a call beyond the session's permissions; starts injection detection.
    #[error("{0}")]
    Beyond(String),
    /// Hard dependency failure: the session ends.
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
