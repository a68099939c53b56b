//! Fallback chain: the models of one role in order of preference, and calls to the first available one.
//!
//! Invariant: all agent model calls go through here: admitted by the circuit, reserved in the ledger, and settled; trial calls
//! (`TrialModel`) are paid for too.

mod attempt;
mod open_call;
mod trial;

use super::{
    Breaker, CallIdentity, Failure,
    breaker::Permit,
    retry::{Backoff, RetryAdvice},
};
use crate::{Engine, StoreError, StoreResult, budget::CapReached};
use attempt::{Attempt, AttemptError};
use domain::{InvestigationId, SessionId, UserId, assessment::AssessmentKind};
use open_call::LedgerScope;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest};
use std::{sync::Arc, time::Duration};
pub use trial::TrialModel;
use uuid::Uuid;

/// Chain of models, preferred first; never empty.
#[derive(Clone)]
pub struct Chain(Arc<[Arc<dyn Model>]>);

/// Billing and session context of a model call.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    /// User whose budget is used.
    pub user_id: UserId,
    /// Investigation, or the owner of a feature's session; it is the third level of the budget.
    pub investigation_id: InvestigationId,
    /// Whether it is an investigation.
    pub is_stored: bool,
    /// Parent investigation.
    pub parent_id: Option<InvestigationId>,
    pub session_id: SessionId,
    /// Session step of the call.
    pub step: u32,
    /// Whether the budget share of the final session may be used.
    pub is_final: bool,
    /// Share of the cap of an investigation that its depth allows.
    pub depth_share: f64,
    /// Share of the cap of an investigation that the session alone may use.
    pub session_share: Option<f64>,
}

/// Outage of models that may answer later.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Outage {
    pub reason: String,
    /// Circuits to wait for (`await_turn`), without models that refuse the request.
    pub waits_for: Vec<String>,
}

impl Outage {
    /// Builds an outage without a circuit: of a store, or of a missing configuration.
    pub fn without_circuit(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), waits_for: vec![] }
    }
}

/// Errors of a chain call: the most recoverable failure of its models.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// Models may answer later: wait for `await_turn`.
    #[error(transparent)]
    Down(Outage),
    /// Too long for every available model; never resend it unchanged.
    #[error("the conversation is too long for the model")]
    TooLong,
    /// Rejected by every model, with reasons.
    #[error("{0}")]
    Rejected(String),
    /// Unreadable reply: report it to the model.
    #[error("{0}")]
    Malformed(String),
    #[error("{0}")]
    OverBudget(CapReached),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Outcome of trying one model.
enum AttemptOutcome {
    Answered(ModelReply),
    /// Unavailable, or misconfigured.
    Down(String),
    TooLong,
    Rejected(String),
}

impl Chain {
    pub fn new(first: Arc<dyn Model>, others: Vec<Arc<dyn Model>>) -> Self {
        Self(std::iter::once(first).chain(others).collect())
    }

    /// Returns the preferred model.
    pub fn first(&self) -> &Arc<dyn Model> {
        &self.0[0]
    }

    /// Returns the models able to judge names; none without any.
    pub fn judges(&self) -> Option<Self> {
        let judges: Arc<[Arc<dyn Model>]> = self.iter().filter(|model| model.can_judge()).cloned().collect();
        (!judges.is_empty()).then_some(Self(judges))
    }

    /// Returns the models able to argue against an assessment; none without any.
    pub fn dissenters(&self) -> Option<Self> {
        let dissenters: Arc<[Arc<dyn Model>]> = self.iter().filter(|model| model.can_dissent()).cloned().collect();
        (!dissenters.is_empty()).then_some(Self(dissenters))
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Model>> {
        self.0.iter()
    }

    /// Calls the first available model, with retries. `request` builds the request for a model's product, because a chain may mix
    /// products.
    pub async fn call(
        &self,
        engine: &Engine,
        caller: Caller,
        request: impl Fn(AssessmentKind) -> ModelRequest + Send + Sync,
    ) -> Result<ModelReply, CallError> {
        let mut down: Vec<(&dyn Model, String)> = vec![];
        // Largest context that was too small.
        let mut too_small: Option<Option<u32>> = None;
        let mut rejected = vec![];
        for model in self.iter() {
            if too_small.is_some_and(|small| !is_larger(model.context_tokens(), small)) {
                continue;
            }
            let attempt = Attempt { engine, caller, model: &**model, scope: LedgerScope::Session };
            match try_model(&attempt, &request(model.product())).await? {
                AttemptOutcome::Answered(reply) => return Ok(reply),
                AttemptOutcome::Down(why) => down.push((&**model, why)),
                AttemptOutcome::TooLong => too_small = Some(model.context_tokens()),
                AttemptOutcome::Rejected(why) => rejected.push(why),
            }
        }
        // A model that is down may accept what another refused or could not fit.
        down.retain(|(model, _)| too_small.is_none_or(|small| !is_too_small(model.context_tokens(), small)));
        if !down.is_empty() {
            let waits_for = down.iter().map(|(model, _)| dependency(*model)).collect();
            let mut reasons: Vec<String> = down.into_iter().map(|(_, why)| why).chain(rejected).collect();
            reasons.dedup();
            return Err(CallError::Down(Outage { reason: reasons.join("; "), waits_for }));
        }
        match too_small {
            Some(_) => Err(CallError::TooLong),
            None => Err(CallError::Rejected(rejected.join("; "))),
        }
    }

    /// Returns the outage when no call of an investigation would be admitted.
    pub async fn outage(&self, engine: &Engine, turn: Uuid) -> StoreResult<Option<Outage>> {
        let mut reasons = vec![];
        let identity = CallIdentity { turn, call: turn };
        for model in self.iter() {
            match Breaker::new(&**engine, dependency(&**model), identity).open_circuit().await? {
                Some(shut) => reasons.push(shut.reason),
                None => return Ok(None),
            }
        }
        Ok(Some(Outage { reason: reasons.join("; "), waits_for: self.dependencies() }))
    }

    /// Waits until one of these circuits closes, or until the investigation may probe. If none belongs to the chain any more, it
    /// waits for any of the chain.
    pub async fn await_turn(&self, engine: &Engine, turn: Uuid, waits_for: &[String]) -> StoreResult<()> {
        let mut dependencies = self.dependencies();
        if dependencies.iter().any(|dependency| waits_for.contains(dependency)) {
            dependencies.retain(|dependency| waits_for.contains(dependency));
        }
        super::breaker::await_turn((&**engine).into(), &dependencies, turn).await
    }

    fn dependencies(&self) -> Vec<String> {
        self.iter().map(|model| dependency(&**model)).collect()
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

/// Returns the circuit name of a model.
pub fn dependency(model: &dyn Model) -> String {
    format!("{} {}", model.provider(), model.model())
}

/// Returns whether a context is larger; unknown sizes are not.
fn is_larger(context: Option<u32>, than: Option<u32>) -> bool {
    matches!((context, than), (Some(context), Some(than)) if context > than)
}

/// Returns whether a context is known to be no larger.
fn is_too_small(context: Option<u32>, than: Option<u32>) -> bool {
    matches!((context, than), (Some(context), Some(than)) if context <= than)
}

async fn try_model(attempt: &Attempt<'_>, request: &ModelRequest) -> Result<AttemptOutcome, CallError> {
    let engine = attempt.engine;
    let identity = CallIdentity { turn: attempt.caller.investigation_id.0, call: engine.ids.next() };
    let dependency = dependency(attempt.model);
    let mut permit = Permit::new(engine.breaker_handle(), &dependency, identity);
    let breaker = Breaker::new(&**engine, dependency, identity);
    let mut backoff = Backoff::new(&engine.reliability.model, &*engine.ids);
    loop {
        // Before admission, because a cancelled admission may hold the probe.
        permit.acquire();
        if let Err(shut) = breaker.admit().await? {
            permit.settle();
            return Ok(AttemptOutcome::Down(shut.reason));
        }
        let made = attempt.make(request, backoff.attempt()).await;
        let (tried, wait_ms) = report_attempt(&breaker, &mut backoff, made).await?;
        permit.settle();
        match wait_ms {
            Some(wait_ms) => tokio::time::sleep(Duration::from_millis(wait_ms)).await,
            None => return tried,
        }
    }
}

/// Reports an attempt to the breaker, and returns its outcome and the wait before a retry.
async fn report_attempt(
    breaker: &Breaker<'_>,
    backoff: &mut Backoff<'_>,
    made: Result<ModelReply, AttemptError>,
) -> StoreResult<(Result<AttemptOutcome, CallError>, Option<u64>)> {
    let error = match made {
        Ok(reply) => {
            breaker.succeeded().await?;
            return Ok((Ok(AttemptOutcome::Answered(reply)), None));
        }
        Err(AttemptError::Model(error)) => error,
        // The probe, if held, is not sent.
        Err(AttemptError::OverBudget(cap)) => {
            breaker.release_probe().await?;
            return Ok((Err(CallError::OverBudget(cap)), None));
        }
        Err(AttemptError::TooLong) => {
            breaker.release_probe().await?;
            return Ok((Ok(AttemptOutcome::TooLong), None));
        }
        Err(AttemptError::Store(error)) => return Err(error),
    };
    let why = error.to_string();
    let retry_after_ms = match error {
        ModelError::Unavailable { retry_after_ms, .. } => retry_after_ms,
        ModelError::Cut(_) => None,
        ModelError::Configuration(_) => {
            breaker.failed(Failure::Misconfigured, &why).await?;
            return Ok((Ok(AttemptOutcome::Down(why)), None));
        }
        // Such a reply proves that the model is available.
        ModelError::ContextTooLong { .. } | ModelError::Rejected(_) | ModelError::Malformed(_) => {
            breaker.succeeded().await?;
            let tried = match error {
                ModelError::Rejected(why) => Ok(AttemptOutcome::Rejected(why)),
                ModelError::Malformed(why) => Err(CallError::Malformed(why)),
                _ => Ok(AttemptOutcome::TooLong),
            };
            return Ok((tried, None));
        }
    };
    let wait_ms = backoff.next_ms(retry_after_ms.map_or(RetryAdvice::Soon, RetryAdvice::AfterMs));
    match (wait_ms, retry_after_ms) {
        // A rate-limited model is alive; it counts as failed only when the call gives up.
        (Some(_), Some(retry_after_ms)) => breaker.rate_limited(retry_after_ms).await?,
        _ => breaker.failed(Failure::NoAnswer { retry_after_ms }, &why).await?,
    }
    Ok((Ok(AttemptOutcome::Down(why)), wait_ms))
}
