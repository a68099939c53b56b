//! The models of one role in order of preference, and a call to the first of them that can answer.
//!
//! Invariant: the one place where a model is called for an agent. Every call is let through by its circuit, reserved in the ledger
//! before and settled after.

mod attempt;

use super::{
    Breaker, Failure, Shut,
    retry::{Again, Backoff},
};
use crate::{
    Engine, StoreError, StoreResult,
    budget::CapReached,
    models::{Model, ModelError, ModelReply, ModelRequest},
};
use attempt::Attempt;
use domain::{InvestigationId, SessionId, UserId};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// Models, the preferred one first; there is always one.
#[derive(Clone)]
pub struct Chain(Arc<[Arc<dyn Model>]>);

/// On whose behalf a model is called.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    /// Whose budget it is.
    pub user_id: UserId,
    pub investigation_id: InvestigationId,
    pub session_id: SessionId,
    /// The step of the session that the call is for.
    pub step: u32,
    /// A final session may use what the budget keeps for it.
    pub is_final: bool,
}

/// Why no model answered.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// None can be reached: wait for `await_turn`.
    #[error("{0}")]
    Down(String),
    /// Too long for every model that could be reached. Never send it again as it is.
    #[error("the conversation is too long for the model")]
    TooLong,
    /// A reply came and cannot be read: tell the model.
    #[error("{0}")]
    Malformed(String),
    #[error("{0}")]
    OverBudget(CapReached),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What trying one model came to.
enum Tried {
    Answered(ModelReply),
    /// It is down, or a person must act.
    Down(String),
    TooLong,
}

impl Chain {
    pub fn new(first: Arc<dyn Model>, others: Vec<Arc<dyn Model>>) -> Self {
        Self(std::iter::once(first).chain(others).collect())
    }

    /// The preferred one.
    pub fn first(&self) -> &Arc<dyn Model> {
        &self.0[0]
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Model>> {
        self.0.iter()
    }

    /// Calls the first model that can answer. Retries what is worth another try, passes over what is down.
    pub async fn call(&self, engine: &Engine, caller: Caller, request: ModelRequest) -> Result<ModelReply, CallError> {
        let mut down = vec![];
        // The largest context that was too small.
        let mut too_small: Option<Option<u32>> = None;
        for model in self.iter() {
            if too_small.is_some_and(|small| !is_larger(model.context_tokens(), small)) {
                continue;
            }
            let attempt = Attempt { engine, caller, model: &**model };
            match try_model(&attempt, &request).await? {
                Tried::Answered(reply) => return Ok(reply),
                Tried::Down(why) => down.push(why),
                Tried::TooLong => too_small = Some(model.context_tokens()),
            }
        }
        if too_small.is_some() {
            return Err(CallError::TooLong);
        }
        down.dedup();
        Err(CallError::Down(down.join("; ")))
    }

    /// Why no call of `who` would go out now; none when one would.
    pub async fn is_shut(&self, engine: &Engine, who: Uuid) -> StoreResult<Option<Shut>> {
        let mut reasons = vec![];
        for model in self.iter() {
            match Breaker::new(&**engine, dependency(&**model), who).is_shut().await? {
                Some(shut) => reasons.push(shut.reason),
                None => return Ok(None),
            }
        }
        Ok(Some(Shut { reason: reasons.join("; ") }))
    }

    /// Waits until a circuit of the chain is closed, or until it is the turn of `who` to send the one probe.
    pub async fn await_turn(&self, engine: &Engine, who: Uuid) -> StoreResult<()> {
        let dependencies: Vec<String> = self.iter().map(|model| dependency(&**model)).collect();
        super::breaker::await_turn((&**engine).into(), &dependencies, who).await
    }
}

impl<M: Model + 'static> From<Arc<M>> for Chain {
    fn from(model: Arc<M>) -> Self {
        Self::new(model, vec![])
    }
}

impl From<Arc<dyn Model>> for Chain {
    fn from(model: Arc<dyn Model>) -> Self {
        Self::new(model, vec![])
    }
}

/// The name of a model's circuit.
pub fn dependency(model: &dyn Model) -> String {
    format!("{} {}", model.provider(), model.model())
}

/// What holds more than what was too small; what nobody knows does not.
fn is_larger(context: Option<u32>, than: Option<u32>) -> bool {
    matches!((context, than), (Some(context), Some(than)) if context > than)
}

async fn try_model(attempt: &Attempt<'_>, request: &ModelRequest) -> Result<Tried, CallError> {
    let engine = attempt.engine;
    let breaker = Breaker::new(&**engine, dependency(attempt.model), attempt.caller.investigation_id.0);
    let mut backoff = Backoff::new(&engine.reliability.model, &*engine.ids);
    loop {
        if let Err(shut) = breaker.admit().await? {
            return Ok(Tried::Down(shut.reason));
        }
        let error = match attempt.make(request, backoff.attempt()).await {
            Ok(reply) => {
                breaker.succeeded().await?;
                return Ok(Tried::Answered(reply));
            }
            Err(attempt::NotMade::OverBudget(cap)) => {
                // The probe that was perhaps promised is not sent.
                breaker.forgo().await?;
                return Err(CallError::OverBudget(cap));
            }
            Err(attempt::NotMade::Store(error)) => return Err(error.into()),
            Err(attempt::NotMade::Model(error)) => error,
        };
        let why = error.to_string();
        let again = match error {
            ModelError::Unavailable { retry_after_ms, .. } => {
                let again = retry_after_ms.map_or(Again::Soon, Again::AfterMs);
                let wait = backoff.next_ms(again);
                // One that names a time is alive; it counts as down only when the call gives up.
                if wait.is_none() || retry_after_ms.is_none() {
                    breaker.failed(Failure::NoAnswer { retry_after_ms }, &why).await?;
                } else {
                    // A probe that is told to come back later lets others probe meanwhile.
                    breaker.forgo().await?;
                }
                wait
            }
            ModelError::Configuration(_) => {
                breaker.failed(Failure::Misconfigured, &why).await?;
                None
            }
            ModelError::ContextTooLong => {
                breaker.succeeded().await?;
                return Ok(Tried::TooLong);
            }
            ModelError::Malformed(why) => {
                breaker.succeeded().await?;
                return Err(CallError::Malformed(why));
            }
        };
        match again {
            Some(wait_ms) => tokio::time::sleep(Duration::from_millis(wait_ms)).await,
            None => return Ok(Tried::Down(why)),
        }
    }
}
