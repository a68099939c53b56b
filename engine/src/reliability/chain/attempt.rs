//! Attempt of a model call: reserve, call, settle.

use super::{
    Caller,
    open_call::{LedgerScope, OpenCall},
};
use crate::{
    Engine, StoreError,
    budget::{BudgetRequest, CapReached, Reservation, Settlement, prompt_tokens},
};
use domain::{ModelCallId, agent::AgentRole};
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, ReplyProgress};
use tokio::sync::watch;
use tracing::Instrument;

pub(super) struct Attempt<'a> {
    pub engine: &'a Engine,
    pub caller: Caller,
    pub model: &'a dyn Model,
    pub scope: LedgerScope,
}

/// Errors of an attempt.
pub(super) enum AttemptError {
    OverBudget(CapReached),
    Store(StoreError),
    Model(ModelError),
    /// Conversation too long for the model's context; not sent.
    TooLong,
}

impl From<StoreError> for AttemptError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Attempt<'_> {
    pub async fn make(&self, request: &ModelRequest, number: u32) -> Result<ModelReply, AttemptError> {
        let (engine, role) = (self.engine, request.role);
        let Some(reservation) = self.reservation(request, number) else { return Err(AttemptError::TooLong) };
        let mut open = OpenCall::new(engine, reservation, self.scope);
        let caps = engine.budget.caps().with_session_share(self.caller.session_share);
        let grant = match open.reserve(caps).await? {
            Ok(grant) => grant,
            Err(cap) => {
                metrics::counter!("autosint_budget_refusals_total", "level" => cap.level.as_str()).increment(1);
                return Err(AttemptError::OverBudget(cap));
            }
        };
        let watched = request.progress.clone().unwrap_or_else(|| watch::Sender::new(ReplyProgress::default()));
        // Nothing of an earlier attempt counts for this one.
        watched.send_replace(ReplyProgress::default());
        // A trial finds out whether a model streams that is not configured to.
        let is_tried = request.progress.is_some() && matches!(self.scope, LedgerScope::Trial);
        let progress = (self.model.streams() || is_tried).then_some(watched);
        open.sent(grant, progress.as_ref().map(watch::Sender::subscribe));
        let request = ModelRequest { max_output_tokens: grant.max_output_tokens, progress, ..request.clone() };
        let span = tracing::info_span!("model_call", provider = self.model.provider(), model = self.model.model(), number);
        let reply = self.model.call(&request).instrument(span).await;
        let settlement = open.settle(&reply).await?;
        self.count(role, &settlement);
        reply.map_err(|error| {
            tracing::warn!(%error, provider = self.model.provider(), model = self.model.model(), number, "model call failed");
            AttemptError::Model(error)
        })
    }

    /// Builds the reservation; none when the context cannot hold the conversation and a minimal answer.
    fn reservation(&self, request: &ModelRequest, attempt: u32) -> Option<Reservation> {
        let (engine, caller) = (self.engine, self.caller);
        let at = engine.clock.now();
        let prompt_tokens = prompt_tokens(request, engine.budget.bytes_per_token);
        let room = self.model.context_tokens().map(|context| u64::from(context).saturating_sub(prompt_tokens));
        let room = room.map_or(u32::MAX, |room| u32::try_from(room).unwrap_or(u32::MAX));
        let min_output_tokens = engine.budget.min_output_tokens.min(request.max_output_tokens);
        let max_output_tokens = request.max_output_tokens.min(room);
        (max_output_tokens >= min_output_tokens).then(|| Reservation {
            id: ModelCallId(engine.ids.next()),
            user_id: caller.user_id,
            investigation_id: caller.investigation_id,
            is_stored: caller.is_stored,
            parent_id: caller.parent_id,
            session_id: caller.session_id,
            role: request.role,
            step: caller.step,
            attempt,
            provider: self.model.provider().to_owned(),
            model: self.model.model().to_owned(),
            ask: BudgetRequest {
                prompt_tokens,
                max_output_tokens,
                min_output_tokens,
                price: self.model.price(),
                is_metered: !self.model.is_deterministic(),
                is_final: caller.is_final,
                is_part: caller.parent_id.is_some(),
                is_of_object: !caller.is_stored,
                depth_share: caller.depth_share,
            },
            at,
            until: at.plus_ms(engine.budget.reservation_ms.cast_signed()),
        })
    }

    fn count(&self, role: AgentRole, settlement: &Settlement) {
        let (provider, model) = (self.model.provider().to_owned(), self.model.model().to_owned());
        let labels = [("provider", provider.clone()), ("model", model.clone())];
        metrics::counter!("autosint_model_cost_micros_total", &labels).increment(settlement.cost_micros);
        let labels = [("role", role.as_str().to_owned()), ("provider", provider), ("model", model)];
        metrics::histogram!("autosint_model_call_seconds", &labels).record(settlement.latency_ms as f64 / 1_000.0);
        let [role, provider, model] = labels;
        let outcome = ("outcome", settlement.outcome.as_str().to_owned());
        metrics::counter!("autosint_model_calls_total", &[role, provider.clone(), model.clone(), outcome]).increment(1);
        let usage = settlement.usage;
        let directions = [
            ("in", usage.tokens_in),
            ("out", usage.tokens_out),
            ("cache_read", usage.cache_read),
            ("cache_written", usage.cache_written),
        ];
        for (direction, tokens) in directions {
            let labels = [provider.clone(), model.clone(), ("direction", direction.to_owned())];
            metrics::counter!("autosint_model_tokens_total", &labels).increment(tokens);
        }
    }
}
