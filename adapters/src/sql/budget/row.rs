//! Rows of model calls.

use crate::sql::{
    fault::Fault,
    types::{Moment, count, word},
};
use domain::{
    InvestigationId, ModelCallId, SessionId,
    agent::AgentRole,
    budget::{CallOutcome, ModelCall, Spend},
};
use sqlx::types::Json;
use uuid::Uuid;

/// A reservation with the call details for its event followers.
#[derive(sqlx::FromRow)]
pub(super) struct ReservationRow {
    pub investigation_id: Option<Uuid>,
    pub session_id: Uuid,
    pub role: String,
    pub provider: String,
    pub model: String,
    pub reserved_tokens: i64,
    pub reserved_micros: i64,
    /// Amount that stays charged after the release, until the actual usage is known.
    pub prompt_tokens: i64,
    pub prompt_micros: i64,
    pub is_reserved: bool,
    pub levels: Json<[String; 4]>,
}

impl ReservationRow {
    pub(super) fn role(&self) -> Result<AgentRole, Fault> {
        word("role of a call", &self.role, AgentRole::parse)
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct CallRow {
    id: Uuid,
    investigation_id: Option<Uuid>,
    session_id: Uuid,
    role: String,
    step: i64,
    attempt: i64,
    provider: String,
    model: String,
    outcome: String,
    message: Option<String>,
    tokens_in: i64,
    tokens_out: i64,
    cache_read: i64,
    cache_written: i64,
    cost_micros: i64,
    latency_ms: i64,
    called_at: Moment,
}

impl CallRow {
    pub(super) fn call(self) -> Result<ModelCall, Fault> {
        let outcome = word("outcome of a call", &self.outcome, CallOutcome::parse)?;
        let spent = match outcome {
            // The stored amounts are a reservation, which counts only if the call is lost.
            CallOutcome::Running => Spend::default(),
            _ => Spend {
                tokens_in: count(self.tokens_in)?,
                tokens_out: count(self.tokens_out)?,
                cost_micros: count(self.cost_micros)?,
            },
        };
        Ok(ModelCall {
            id: ModelCallId(self.id),
            investigation_id: self.investigation_id.map(InvestigationId),
            session_id: SessionId(self.session_id),
            role: word("role of a call", &self.role, AgentRole::parse)?,
            step: count(self.step)?,
            attempt: count(self.attempt)?,
            provider: self.provider,
            model: self.model,
            outcome,
            message: self.message,
            spent,
            cache_read: count(self.cache_read)?,
            cache_written: count(self.cache_written)?,
            latency_ms: count(self.latency_ms)?,
            called_at: self.called_at.0,
        })
    }
}
