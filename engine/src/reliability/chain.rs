//! The models of one role in order of preference, and a call to the first of them that can answer.
//!
//! Invariant: the one place where a model is called for an agent. Every call is let through by its circuit, reserved in the ledger
//! before and settled after; also what is only tried out (`OnTrial`) is paid for.

mod attempt;
mod open;
mod trial;

use super::{
    Breaker, Failure, Who,
    breaker::Pass,
    retry::{Again, Backoff},
};
use crate::{Engine, StoreError, StoreResult, budget::CapReached};
use attempt::{Attempt, NotMade};
use domain::{InvestigationId, SessionId, UserId, assessment::AssessmentKind, event::EventKind};
use open::Book;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest};
use std::{sync::Arc, time::Duration};
pub use trial::OnTrial;
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
    /// The investigation that this one is a part of.
    pub parent_id: Option<InvestigationId>,
    pub session_id: SessionId,
    /// The step of the session that the call is for.
    pub step: u32,
    /// A final session may use what the budget keeps for it.
    pub is_final: bool,
}

/// Models that may answer some time, and do not answer now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Outage {
    pub reason: String,
    /// Their circuits, for `await_turn`: those of models that refuse the request are left out, for they would let it through at once.
    pub waits_for: Vec<String>,
}

impl Outage {
    /// That of a store, or of what is not set up: no circuit tells when it is over.
    pub fn of(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), waits_for: vec![] }
    }
}

/// Why no model answered: the most hopeful of what the models of the chain came to.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// Some may answer later: wait for `await_turn`.
    #[error(transparent)]
    Down(Outage),
    /// Too long for every model that can be hoped for. Never send it again as it is.
    #[error("the conversation is too long for the model")]
    TooLong,
    /// Every provider takes other requests, but not this one: with their reasons.
    #[error("{0}")]
    Rejected(String),
    /// A reply came and cannot be read: tell the model.
    #[error("{0}")]
    Malformed(String),
    #[error("{0}")]
    OverBudget(CapReached),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Outage> for EventKind {
    fn from(Outage { reason, waits_for }: Outage) -> Self {
        Self::DependencyDown { reason, waits_for }
    }
}

/// What trying one model came to.
enum Tried {
    Answered(ModelReply),
    /// It is down, or a person must act.
    Down(String),
    TooLong,
    Rejected(String),
}

impl Chain {
    pub fn new(first: Arc<dyn Model>, others: Vec<Arc<dyn Model>>) -> Self {
        Self(std::iter::once(first).chain(others).collect())
    }

    /// The preferred one.
    pub fn first(&self) -> &Arc<dyn Model> {
        &self.0[0]
    }

    /// Those that can tell whether two names are one thing; none where nobody can.
    pub fn of_judges(&self) -> Option<Self> {
        let judges: Arc<[Arc<dyn Model>]> = self.iter().filter(|model| model.can_judge()).cloned().collect();
        (!judges.is_empty()).then_some(Self(judges))
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Model>> {
        self.0.iter()
    }

    /// Calls the first model that can answer. Retries what is worth another try, passes over what is down. `request` is made for the
    /// product that a model writes, for a chain may hold models of both.
    pub async fn call(
        &self,
        engine: &Engine,
        caller: Caller,
        request: impl Fn(AssessmentKind) -> ModelRequest + Send + Sync,
    ) -> Result<ModelReply, CallError> {
        let mut down: Vec<(&dyn Model, String)> = vec![];
        // The largest context that was too small.
        let mut too_small: Option<Option<u32>> = None;
        let mut rejected = vec![];
        for model in self.iter() {
            if too_small.is_some_and(|small| !is_larger(model.context_tokens(), small)) {
                continue;
            }
            let attempt = Attempt { engine, caller, model: &**model, book: Book::Session };
            match try_model(&attempt, &request(model.product())).await? {
                Tried::Answered(reply) => return Ok(reply),
                Tried::Down(why) => down.push((&**model, why)),
                Tried::TooLong => too_small = Some(model.context_tokens()),
                Tried::Rejected(why) => rejected.push(why),
            }
        }
        // One that is away may take what another refused, and read what was too long for another.
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

    /// Why no call of an investigation would go out now; none when one would.
    pub async fn is_shut(&self, engine: &Engine, turn: Uuid) -> StoreResult<Option<Outage>> {
        let mut reasons = vec![];
        let who = Who { turn, call: turn };
        for model in self.iter() {
            match Breaker::new(&**engine, dependency(&**model), who).is_shut().await? {
                Some(shut) => reasons.push(shut.reason),
                None => return Ok(None),
            }
        }
        Ok(Some(Outage { reason: reasons.join("; "), waits_for: self.dependencies() }))
    }

    /// Waits until one of these circuits of the chain is closed, or until it is the turn of an investigation to send the one probe. Where
    /// none of them is the chain's any more, it waits for any of the chain.
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

/// The name of a model's circuit.
pub fn dependency(model: &dyn Model) -> String {
    format!("{} {}", model.provider(), model.model())
}

/// What holds more than what was too small; what nobody knows does not.
fn is_larger(context: Option<u32>, than: Option<u32>) -> bool {
    matches!((context, than), (Some(context), Some(than)) if context > than)
}

/// What is known to hold no more than what was too small.
fn is_too_small(context: Option<u32>, than: Option<u32>) -> bool {
    matches!((context, than), (Some(context), Some(than)) if context <= than)
}

async fn try_model(attempt: &Attempt<'_>, request: &ModelRequest) -> Result<Tried, CallError> {
    let engine = attempt.engine;
    let who = Who { turn: attempt.caller.investigation_id.0, call: engine.ids.next() };
    let dependency = dependency(attempt.model);
    let mut pass = Pass::new(engine.heir(), &dependency, who);
    let breaker = Breaker::new(&**engine, dependency, who);
    let mut backoff = Backoff::new(&engine.reliability.model, &*engine.ids);
    loop {
        // Before it asks: one that is stopped in the middle of asking may have been given the probe.
        pass.enter();
        if let Err(shut) = breaker.admit().await? {
            pass.told();
            return Ok(Tried::Down(shut.reason));
        }
        let made = attempt.make(request, backoff.attempt()).await;
        let (tried, wait_ms) = tell(&breaker, &mut backoff, made).await?;
        pass.told();
        match wait_ms {
            Some(wait_ms) => tokio::time::sleep(Duration::from_millis(wait_ms)).await,
            None => return tried,
        }
    }
}

/// Tells the breaker what came of an attempt: what that means, and after which wait another may be made.
async fn tell(
    breaker: &Breaker<'_>,
    backoff: &mut Backoff<'_>,
    made: Result<ModelReply, NotMade>,
) -> StoreResult<(Result<Tried, CallError>, Option<u64>)> {
    let error = match made {
        Ok(reply) => {
            breaker.succeeded().await?;
            return Ok((Ok(Tried::Answered(reply)), None));
        }
        Err(NotMade::Model(error)) => error,
        // The probe that was perhaps promised is not sent.
        Err(NotMade::OverBudget(cap)) => {
            breaker.forgo().await?;
            return Ok((Err(CallError::OverBudget(cap)), None));
        }
        Err(NotMade::TooLong) => {
            breaker.forgo().await?;
            return Ok((Ok(Tried::TooLong), None));
        }
        Err(NotMade::Store(error)) => return Err(error),
    };
    let why = error.to_string();
    let retry_after_ms = match error {
        ModelError::Unavailable { retry_after_ms, .. } => retry_after_ms,
        ModelError::Cut(_) => None,
        ModelError::Configuration(_) => {
            breaker.failed(Failure::Misconfigured, &why).await?;
            return Ok((Ok(Tried::Down(why)), None));
        }
        // Whoever answers like this is there.
        ModelError::ContextTooLong { .. } | ModelError::Rejected(_) | ModelError::Malformed(_) => {
            breaker.succeeded().await?;
            let tried = match error {
                ModelError::Rejected(why) => Ok(Tried::Rejected(why)),
                ModelError::Malformed(why) => Err(CallError::Malformed(why)),
                _ => Ok(Tried::TooLong),
            };
            return Ok((tried, None));
        }
    };
    let wait_ms = backoff.next_ms(retry_after_ms.map_or(Again::Soon, Again::AfterMs));
    match (wait_ms, retry_after_ms) {
        // One that names a time is alive; it counts as down only when the call gives up.
        (Some(_), Some(retry_after_ms)) => breaker.told_to_wait(retry_after_ms).await?,
        _ => breaker.failed(Failure::NoAnswer { retry_after_ms }, &why).await?,
    }
    Ok((Ok(Tried::Down(why)), wait_ms))
}
