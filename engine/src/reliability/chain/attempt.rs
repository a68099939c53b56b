//! One attempt of one call: reserved, made, settled.

use super::Caller;
use crate::{
    Engine, StoreError,
    budget::{Ask, CapReached, Reservation, Settlement, micros, prompt_tokens},
    models::{Model, ModelError, ModelReply, ModelRequest, Usage},
};
use domain::{ModelCallId, budget::CallOutcome};
use std::time::Instant;

pub(super) struct Attempt<'a> {
    pub engine: &'a Engine,
    pub caller: Caller,
    pub model: &'a dyn Model,
}

/// Why there is no reply.
pub(super) enum NotMade {
    OverBudget(CapReached),
    Store(StoreError),
    Model(ModelError),
}

impl From<StoreError> for NotMade {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Attempt<'_> {
    pub async fn make(&self, request: &ModelRequest, number: u32) -> Result<ModelReply, NotMade> {
        let (engine, role) = (self.engine, request.role);
        let reservation = self.reservation(request, number);
        let grant = match engine.ledger.reserve(&reservation, &engine.budget.caps()).await? {
            Ok(grant) => grant,
            Err(cap) => return Err(NotMade::OverBudget(cap)),
        };
        let request = ModelRequest { max_output_tokens: grant.max_output_tokens, ..request.clone() };
        let started = Instant::now();
        let reply = self.model.call(&request).await;
        let took = started.elapsed();
        metrics::histogram!("autosint_model_call_seconds", "role" => role.as_str()).record(took.as_secs_f64());
        let settlement = Settlement {
            latency_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            at: engine.clock.now(),
            ..self.settlement(&reply, &reservation.ask)
        };
        engine.ledger.settle(reservation.id, &settlement).await?;
        self.count(&settlement);
        reply.map_err(|error| {
            metrics::counter!("autosint_model_errors_total", "role" => role.as_str()).increment(1);
            tracing::warn!(%error, provider = self.model.provider(), model = self.model.model(), number, "the model call failed");
            NotMade::Model(error)
        })
    }

    fn reservation(&self, request: &ModelRequest, attempt: u32) -> Reservation {
        let (engine, caller) = (self.engine, self.caller);
        let at = engine.clock.now();
        let max_output_tokens = request.max_output_tokens;
        Reservation {
            id: ModelCallId(engine.ids.next()),
            user_id: caller.user_id,
            investigation_id: caller.investigation_id,
            session_id: caller.session_id,
            role: request.role,
            step: caller.step,
            attempt,
            provider: self.model.provider().to_owned(),
            model: self.model.model().to_owned(),
            ask: Ask {
                prompt_tokens: prompt_tokens(request, engine.budget.bytes_per_token),
                max_output_tokens,
                min_output_tokens: engine.budget.min_output_tokens.min(max_output_tokens),
                price: self.model.price(),
                is_final: caller.is_final,
            },
            at,
            until: at.plus_ms(engine.budget.reservation_ms.cast_signed()),
        }
    }

    fn settlement(&self, reply: &Result<ModelReply, ModelError>, ask: &Ask) -> Settlement {
        let (outcome, usage) = match reply {
            Ok(reply) => (CallOutcome::Answered, reply.usage),
            Err(ModelError::Unavailable { .. }) => (CallOutcome::Unavailable, Usage::default()),
            Err(ModelError::ContextTooLong) => (CallOutcome::TooLong, Usage::default()),
            Err(ModelError::Configuration(_)) => (CallOutcome::Misconfigured, Usage::default()),
            // It was read and answered, and nobody says what that took: the estimate is the next best.
            Err(ModelError::Malformed(_)) => {
                (CallOutcome::Malformed, Usage { tokens_in: ask.prompt_tokens, ..Usage::default() })
            }
        };
        Settlement {
            outcome,
            message: reply.as_ref().err().map(ToString::to_string),
            usage,
            cost_micros: micros(&ask.price, &usage),
            latency_ms: 0,
            at: self.engine.clock.now(),
        }
    }

    fn count(&self, settlement: &Settlement) {
        let labels = [("provider", self.model.provider().to_owned()), ("model", self.model.model().to_owned())];
        metrics::counter!("autosint_model_tokens_in_total", &labels).increment(settlement.usage.tokens_in);
        metrics::counter!("autosint_model_tokens_out_total", &labels).increment(settlement.usage.tokens_out);
        metrics::counter!("autosint_model_cost_micros_total", &labels).increment(settlement.cost_micros);
    }
}
