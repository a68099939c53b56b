//! Ledger that forwards reservations to another program's ledger, so that trial runs on a copy count against the real budgets.

use async_trait::async_trait;
use domain::{
    InvestigationId, ModelCallId, SessionId, UserId,
    agent::AgentRole,
    budget::{BudgetLevel, ModelCall, PastInvestigation, Spend},
};
use engine::{
    StoreResult,
    budget::{BudgetRequest, CapReached, Caps, Grant, Ledger, LevelUsage, Reservation, Settlement},
    settings::KeyRing,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Ledger, user and keys that a trial run is billed to.
pub struct BillTo {
    pub ledger: Arc<dyn Ledger>,
    pub user: UserId,
    pub keys: Arc<KeyRing>,
}

/// Forwarding ledger: records calls locally, and reserves them against the caps of the other ledger.
pub(crate) struct ForwardingLedger {
    local: Arc<dyn Ledger>,
    remote: BillTo,
    open: Mutex<HashMap<ModelCallId, Reservation>>,
}

impl ForwardingLedger {
    pub fn new(local: Arc<dyn Ledger>, remote: BillTo) -> Self {
        Self { local, remote, open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<ModelCallId, Reservation>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Settles the remote reservation of a call with its actual usage.
    async fn close(&self, id: ModelCallId, used: LevelUsage) -> StoreResult<()> {
        let Some(reservation) = self.open().get(&id).cloned() else { return Ok(()) };
        self.remote.ledger.settle_elsewhere(&reservation, used).await?;
        // Removed only after settling, so that a failed settlement is retried when the call is dropped.
        self.open().remove(&id);
        Ok(())
    }
}

#[async_trait]
impl Ledger for ForwardingLedger {
    async fn reserve(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>> {
        let billed = Reservation { user_id: self.remote.user, ..reservation.clone() };
        let grant = match self.remote.ledger.reserve_elsewhere(&billed, caps).await? {
            Ok(grant) => grant,
            Err(cap) => return Ok(Err(cap)),
        };
        self.open().insert(reservation.id, billed);
        let ask = BudgetRequest { max_output_tokens: grant.max_output_tokens, ..reservation.ask.clone() };
        // The remote ledger enforced the caps; the local ledger only records.
        let local = self.local.reserve(&Reservation { ask, ..reservation.clone() }, &Caps::default()).await;
        if !matches!(local, Ok(Ok(_))) {
            self.close(reservation.id, LevelUsage::default()).await?;
        }
        local
    }

    async fn settle(&self, id: ModelCallId, settlement: &Settlement) -> StoreResult<()> {
        let tokens = settlement.usage.tokens_in.saturating_add(settlement.usage.tokens_out);
        self.close(id, LevelUsage { tokens, micros: settlement.cost_micros }).await?;
        self.local.settle(id, settlement).await
    }

    async fn reserve_elsewhere(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>> {
        self.remote.ledger.reserve_elsewhere(reservation, caps).await
    }

    async fn settle_elsewhere(&self, reservation: &Reservation, used: LevelUsage) -> StoreResult<()> {
        self.remote.ledger.settle_elsewhere(reservation, used).await
    }

    async fn used_by_key(&self, level: BudgetLevel, keys: &[&str]) -> StoreResult<BTreeMap<String, LevelUsage>> {
        self.local.used_by_key(level, keys).await
    }

    async fn spent(&self, investigation: InvestigationId) -> StoreResult<Spend> {
        self.local.spent(investigation).await
    }

    async fn spent_by_session(&self, investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, (Spend, u32)>> {
        self.local.spent_by_session(investigation).await
    }

    async fn model_calls(&self, session: SessionId) -> StoreResult<Vec<ModelCall>> {
        self.local.model_calls(session).await
    }

    async fn last_answer(&self, investigation: InvestigationId, role: AgentRole) -> StoreResult<Option<ModelCall>> {
        self.local.last_answer(investigation, role).await
    }

    async fn past_investigations(&self, models: &[(String, String)], limit: u32) -> StoreResult<Vec<PastInvestigation>> {
        self.local.past_investigations(models, limit).await
    }
}
