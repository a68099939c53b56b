//! Trial model: calls outside any investigation or circuit, billed to the daily caps of the user who tries it.

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

/// Model called on behalf of the user who tries it.
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

    /// Returns the cap that blocked a call.
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
        // Trials share one nil investigation, which has no cap.
        let (investigation_id, session_id) = (InvestigationId(Uuid::nil()), SessionId(Uuid::nil()));
        let caller = Caller {
            user_id: self.by,
            investigation_id,
            is_stored: false,
            parent_id: None,
            session_id,
            step: 0,
            is_final: false,
            depth_share: 1.0,
            session_share: None,
        };
        let attempt = Attempt { engine: &self.engine, caller, model: &*self.model, scope: LedgerScope::Trial };
        attempt.make(request, 1).await.map_err(|error| match error {
            AttemptError::Model(error) => error,
            AttemptError::TooLong => ModelError::ContextTooLong { used: Usage::default() },
            AttemptError::OverBudget(cap) => {
                // The first cap is kept.
                let _ = self.capped.set(cap);
                ModelError::Configuration(cap.to_string())
            }
            AttemptError::Store(error) => {
                ModelError::Unavailable { message: format!("the call cannot be billed: {error}"), retry_after_ms: None }
            }
        })
    }
}
