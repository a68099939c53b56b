//! A ledger whose calls count in the budgets of another program too: what is tried out on a copy is spent all the same.

use async_trait::async_trait;
use domain::{
    InvestigationId, ModelCallId, SessionId, UserId,
    agent::AgentRole,
    budget::{BudgetLevel, ModelCall, Spend},
};
use engine::{
    StoreResult,
    budget::{Ask, CapReached, Caps, Grant, Ledger, Reservation, Settlement, Used},
    settings::KeyRing,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Where it counts too, and as whose; and the keys that it is paid with.
pub struct Charge {
    pub ledger: Arc<dyn Ledger>,
    pub user: UserId,
    pub keys: Arc<KeyRing>,
}

/// Calls are recorded here, and reserved against the caps there.
pub(crate) struct Charged {
    here: Arc<dyn Ledger>,
    there: Charge,
    open: Mutex<HashMap<ModelCallId, Reservation>>,
}

impl Charged {
    pub fn new(here: Arc<dyn Ledger>, there: Charge) -> Self {
        Self { here, there, open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<ModelCallId, Reservation>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives back what is still reserved there for a call, less what it used.
    async fn close(&self, id: ModelCallId, used: Used) -> StoreResult<()> {
        let Some(reservation) = self.open().get(&id).cloned() else { return Ok(()) };
        self.there.ledger.settle_elsewhere(&reservation, used).await?;
        // Not before: one that could not be settled is settled when the call is dropped.
        self.open().remove(&id);
        Ok(())
    }
}

#[async_trait]
impl Ledger for Charged {
    async fn reserve(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>> {
        let charged = Reservation { user_id: self.there.user, ..reservation.clone() };
        let granted = match self.there.ledger.reserve_elsewhere(&charged, caps).await? {
            Ok(granted) => granted,
            Err(cap) => return Ok(Err(cap)),
        };
        self.open().insert(reservation.id, charged);
        let ask = Ask { max_output_tokens: granted.max_output_tokens, ..reservation.ask.clone() };
        // The caps have been asked; here it is only recorded.
        let here = self.here.reserve(&Reservation { ask, ..reservation.clone() }, &Caps::default()).await;
        if !matches!(here, Ok(Ok(_))) {
            self.close(reservation.id, Used::default()).await?;
        }
        here
    }

    async fn settle(&self, id: ModelCallId, settlement: &Settlement) -> StoreResult<()> {
        let tokens = settlement.usage.tokens_in.saturating_add(settlement.usage.tokens_out);
        self.close(id, Used { tokens, micros: settlement.cost_micros }).await?;
        self.here.settle(id, settlement).await
    }

    async fn reserve_elsewhere(&self, reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>> {
        self.there.ledger.reserve_elsewhere(reservation, caps).await
    }

    async fn settle_elsewhere(&self, reservation: &Reservation, used: Used) -> StoreResult<()> {
        self.there.ledger.settle_elsewhere(reservation, used).await
    }

    async fn used_by_key(&self, level: BudgetLevel, keys: &[&str]) -> StoreResult<BTreeMap<String, Used>> {
        self.here.used_by_key(level, keys).await
    }

    async fn spent(&self, investigation: InvestigationId) -> StoreResult<Spend> {
        self.here.spent(investigation).await
    }

    async fn spent_by_session(&self, investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, (Spend, u32)>> {
        self.here.spent_by_session(investigation).await
    }

    async fn model_calls(&self, session: SessionId) -> StoreResult<Vec<ModelCall>> {
        self.here.model_calls(session).await
    }

    async fn last_answer(&self, investigation: InvestigationId, role: AgentRole) -> StoreResult<Option<ModelCall>> {
        self.here.last_answer(investigation, role).await
    }

    async fn past_runs(&self, models: &[(String, String)], limit: u32) -> StoreResult<Vec<Spend>> {
        self.here.past_runs(models, limit).await
    }
}
