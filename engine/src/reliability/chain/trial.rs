//! A model that somebody tries out. Its calls belong to no investigation and pass no circuit, but they cost what calls cost: they are
//! reserved against the caps of the day and of whoever tries, and settled however they are left.

use super::{
    Caller,
    attempt::{Attempt, AttemptError},
    open_call::LedgerScope,
};
use crate::{Engine, budget::CapReached};
use async_trait::async_trait;
use domain::{InvestigationId, SessionId, UserId};
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, Price, Usage};
use std::sync::{Arc, OnceLock};
use uuid::Uuid;

/// The model, called on behalf of whoever tries it out.
pub struct TrialModel {
    engine: Engine,
    by: UserId,
    model: Arc<dyn Model>,
    capped: OnceLock<CapReached>,
}

impl TrialModel {
    pub fn new(engine: &Engine, by: UserId, model: Arc<dyn Model>) -> Self {
        Self { engine: engine.clone(), by, model, capped: OnceLock::new() }
    }

    /// The cap that stood in the way of a call.
    pub fn capped(&self) -> Option<CapReached> {
        self.capped.get().copied()
    }
}

#[async_trait]
impl Model for TrialModel {
    fn provider(&self) -> &str {
        self.model.provider()
    }

    fn model(&self) -> &str {
        self.model.model()
    }

    fn price(&self) -> Price {
        self.model.price()
    }

    fn context_tokens(&self) -> Option<u32> {
        self.model.context_tokens()
    }

    fn streams(&self) -> bool {
        self.model.streams()
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        // All trials count as one investigation, which no cap holds back.
        let (investigation_id, session_id) = (InvestigationId(Uuid::nil()), SessionId(Uuid::nil()));
        let caller = Caller { user_id: self.by, investigation_id, parent_id: None, session_id, step: 0, is_final: false };
        let attempt = Attempt { engine: &self.engine, caller, model: &*self.model, scope: LedgerScope::Trial };
        attempt.make(request, 1).await.map_err(|error| match error {
            AttemptError::Model(error) => error,
            AttemptError::TooLong => ModelError::ContextTooLong { used: Usage::default() },
            AttemptError::OverBudget(cap) => {
                // The first one says it.
                let _ = self.capped.set(cap);
                ModelError::Configuration(cap.to_string())
            }
            AttemptError::Store(error) => {
                ModelError::Unavailable { message: format!("the call cannot be paid for: {error}"), retry_after_ms: None }
            }
        })
    }
}
