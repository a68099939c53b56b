//! Budget ledger: day -> user -> investigation -> session -> call, in tokens and money.
//!
//! Invariant: every call is reserved against all caps first, in one transaction. A reached cap leads to the final session, never
//! to a silent cut.

mod config;
mod estimate;
mod grant;
mod share;
mod tokens;

pub use config::{BudgetConfig, Cap};
pub use estimate::estimates;
pub use grant::{BudgetRequest, CapReached, Caps, Grant, LevelUsage, Limit, grant};
pub(crate) use self::share::BudgetShare;
pub use tokens::prompt_tokens;

use crate::StoreResult;
use async_trait::async_trait;
use domain::{
    InvestigationId, ModelCallId, SessionId, Timestamp, UserId,
    agent::AgentRole,
    budget::{BudgetLevel, CallOutcome, ModelCall, PastInvestigation, Spend},
};
use protocol::model::{Price, Usage};
use std::collections::BTreeMap;

/// Reservation of a model call.
#[derive(Debug, Clone)]
pub struct Reservation {
    pub id: ModelCallId,
    pub user_id: UserId,
    /// Investigation, or the owner of a feature's session.
    pub investigation_id: InvestigationId,
    /// Whether it is an investigation.
    pub is_stored: bool,
    /// Parent investigation, whose budget is used.
    pub parent_id: Option<InvestigationId>,
    pub session_id: SessionId,
    pub role: AgentRole,
    pub step: u32,
    pub attempt: u32,
    pub provider: String,
    pub model: String,
    pub ask: BudgetRequest,
    pub at: Timestamp,
    /// Expiry of the reservation, unless settled before.
    pub until: Timestamp,
}

impl Reservation {
    /// Returns the ledger key of each level, in the order of `BudgetLevel::ALL`. An investigation and its parts share a key, and
    /// so a cap. An object of a feature has a key of its own, also where it has the id of an investigation.
    pub fn keys(&self) -> [String; 4] {
        let [day, user] = day_keys(self.at, self.user_id);
        let family = self.parent_id.unwrap_or(self.investigation_id);
        let family = if self.is_stored { family.to_string() } else { format!("object {family}") };
        [day, user, family, self.session_id.to_string()]
    }
}

/// Returns the keys of the daily levels: all users, and this user.
pub fn day_keys(at: Timestamp, user: UserId) -> [String; 2] {
    let day = at.to_datetime().format("%Y-%m-%d");
    [day.to_string(), format!("{user} {day}")]
}

/// Settlement of a finished call.
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
    /// Reserves on every level at once, or returns the reached cap and reserves nothing. Expired reservations are released first;
    /// their prompts count as used.
    async fn reserve(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>>;
    /// Replaces the reservation by actual usage and records an event. Once per call, also after the reservation expired.
    async fn settle(&self, id: ModelCallId, settlement: &Settlement) -> StoreResult<()>;
    /// Reserves a call that belongs to no session in this store.
    async fn reserve_elsewhere(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>>;
    /// Settles such a call while its reservation exists. Once per call.
    async fn settle_elsewhere(&self, reservation: &Reservation, used: LevelUsage) -> StoreResult<()>;
    /// Returns usage and reservations of a level, under one of `Reservation::keys`.
    async fn used(&self, level: BudgetLevel, key: &str) -> StoreResult<LevelUsage> {
        Ok(self.used_by_key(level, &[key]).await?.remove(key).unwrap_or_default())
    }
    /// Returns usage under several keys; unused keys are left out.
    async fn used_by_key(&self, level: BudgetLevel, keys: &[&str]) -> StoreResult<BTreeMap<String, LevelUsage>>;
    /// Returns the usage of an investigation and its parts.
    async fn spent(&self, investigation: InvestigationId) -> StoreResult<Spend>;
    /// Returns usage and answered calls of each session of an investigation.
    async fn spent_by_session(&self, investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, (Spend, u32)>>;
    /// Returns every call of a session, oldest first.
    async fn model_calls(&self, session: SessionId) -> StoreResult<Vec<ModelCall>>;
    /// Returns the last answered call of a role in the investigation.
    async fn last_answer(&self, investigation: InvestigationId, role: AgentRole) -> StoreResult<Option<ModelCall>>;
    /// Returns the newest completed investigations (with their parts) that called exactly these (provider, model) pairs, at most
    /// `limit` of each depth.
    async fn past_investigations(&self, models: &[(String, String)], limit: u32) -> StoreResult<Vec<PastInvestigation>>;
}

/// Returns the cost in millionths, rounded up so that rounding never exceeds a cap.
pub fn micros(price: &Price, usage: &Usage) -> u64 {
    // Subtracts floating-point noise below a thousandth of a millionth.
    (price.cost(usage) * 1_000_000.0 - 0.001).ceil().max(0.0) as u64
}
