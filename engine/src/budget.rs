//! The ledger of what models use: day -> user -> investigation -> session -> call, in tokens and money.
//!
//! Invariant: no call goes out that is not reserved against every cap first, in one transaction. A cap that is reached leads to the
//! final session, never to a silent cut.

mod config;
mod estimate;
mod grant;
mod share;
mod tokens;

pub use config::{BudgetConfig, Cap};
pub use estimate::estimate;
pub use grant::{Ask, CapReached, Caps, Grant, Limit, Used, grant};
pub(crate) use share::Share;
pub use tokens::prompt_tokens;

use crate::StoreResult;
use async_trait::async_trait;
use domain::{
    InvestigationId, ModelCallId, SessionId, Timestamp, UserId,
    agent::AgentRole,
    budget::{BudgetLevel, CallOutcome, ModelCall, Spend},
};
use protocol::model::{Price, Usage};
use std::collections::BTreeMap;

/// A call that is about to be made.
#[derive(Debug, Clone)]
pub struct Reservation {
    pub id: ModelCallId,
    pub user_id: UserId,
    pub investigation_id: InvestigationId,
    /// The investigation that this one is a part of: its budget is used.
    pub parent_id: Option<InvestigationId>,
    pub session_id: SessionId,
    pub role: AgentRole,
    pub step: u32,
    pub attempt: u32,
    pub provider: String,
    pub model: String,
    pub ask: Ask,
    pub at: Timestamp,
    /// When what is reserved is released, should nobody settle it.
    pub until: Timestamp,
}

impl Reservation {
    /// The key of each level, in the order of `BudgetLevel::ALL`. An investigation and its parts share one key, and so one cap.
    pub fn keys(&self) -> [String; 4] {
        let [day, user] = day_keys(self.at, self.user_id);
        let family = self.parent_id.unwrap_or(self.investigation_id);
        [day, user, family.to_string(), self.session_id.to_string()]
    }
}

/// The keys of the levels that count one day: everybody's, and this person's.
pub fn day_keys(at: Timestamp, user: UserId) -> [String; 2] {
    let day = at.to_datetime().format("%Y-%m-%d");
    [day.to_string(), format!("{user} {day}")]
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub outcome: CallOutcome,
    pub message: Option<String>,
    pub usage: Usage,
    pub cost_micros: u64,
    pub latency_ms: u64,
    pub at: Timestamp,
}

#[async_trait]
pub trait Ledger: Send + Sync {
    /// Reserves on every level at once, or says which cap stands in the way and reserves nothing. What calls of dead processes
    /// reserved is released first, but for their prompts, which count as read.
    async fn reserve(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>>;
    /// Puts what was used in the place of what was reserved, and tells those who watch the investigation. Once per call; also after
    /// its reservation was released.
    async fn settle(&self, id: ModelCallId, settlement: &Settlement) -> StoreResult<()>;
    /// The same for a call that is recorded in no session here.
    async fn reserve_elsewhere(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>>;
    /// Puts what such a call used in the place of what was reserved for it, if it still is. Once per call.
    async fn settle_elsewhere(&self, reservation: &Reservation, used: Used) -> StoreResult<()>;
    /// What is spent and reserved on a level, under one of `Reservation::keys`.
    async fn used(&self, level: BudgetLevel, key: &str) -> StoreResult<Used> {
        Ok(self.used_by_key(level, &[key]).await?.remove(key).unwrap_or_default())
    }
    /// The same under several keys; those under which nothing was used are left out.
    async fn used_by_key(&self, level: BudgetLevel, keys: &[&str]) -> StoreResult<BTreeMap<String, Used>>;
    /// What an investigation has used so far, its parts included.
    async fn spent(&self, investigation: InvestigationId) -> StoreResult<Spend>;
    /// What each session of an investigation has used so far, and how many calls were answered.
    async fn spent_by_session(&self, investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, (Spend, u32)>>;
    /// Every call of a session, oldest first.
    async fn model_calls(&self, session: SessionId) -> StoreResult<Vec<ModelCall>>;
    /// The call of this role in the investigation that was answered last.
    async fn last_answer(&self, investigation: InvestigationId, role: AgentRole) -> StoreResult<Option<ModelCall>>;
    /// What the newest completed investigations used, each with its parts, that called these (provider, model) and no others.
    async fn past_runs(&self, models: &[(String, String)], limit: u32) -> StoreResult<Vec<Spend>>;
}

/// What a use costs, in millionths, rounded up: a cap is never passed by rounding.
pub fn micros(price: &Price, usage: &Usage) -> u64 {
    // Less than a thousandth of a millionth is the noise of floating point.
    (price.cost(usage) * 1_000_000.0 - 0.001).ceil().max(0.0) as u64
}
