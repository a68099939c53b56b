//! Budget share left for the calls of a final session, before any is made. Concurrent calls may still reduce it; the ledger
//! decides on each call.

use super::{BudgetRequest, CapReached, Caps, LevelUsage, day_keys, grant};
use crate::{Engine, StoreResult};
use domain::{
    UserId,
    budget::{BudgetLevel, OwnCap},
    investigation::Investigation,
};
use protocol::model::Model;

pub(crate) struct BudgetShare {
    caps: Caps,
    used: [LevelUsage; 4],
    ask: BudgetRequest,
}

impl BudgetShare {
    /// Loads the share for answers of `answer` tokens by `model`. Without an investigation: one that has used nothing yet.
    pub(crate) async fn load(
        engine: &Engine,
        owner: UserId,
        own: OwnCap,
        investigation: Option<&Investigation>,
        model: &dyn Model,
        answer: u32,
    ) -> StoreResult<Self> {
        let ledger = &engine.ledger;
        let [day, user] = day_keys(engine.clock.now(), owner);
        let depth = investigation.map(|one| one.terms.depth);
        let by_investigation = match investigation {
            Some(one) => ledger.used(BudgetLevel::Investigation, &one.parent_id.unwrap_or(one.id).to_string()).await?,
            None => LevelUsage::default(),
        };
        let used = [
            ledger.used(BudgetLevel::Day, &day).await?,
            ledger.used(BudgetLevel::User, &user).await?,
            by_investigation,
            LevelUsage::default(),
        ];
        let ask = BudgetRequest {
            prompt_tokens: 0,
            max_output_tokens: answer,
            min_output_tokens: answer,
            price: model.price(),
            is_metered: !model.is_deterministic(),
            is_final: true,
            is_of_object: false,
            is_part: investigation.is_some_and(|investigation| investigation.parent_id.is_some()),
            depth_share: depth.map_or(1.0, |depth| engine.config.at(depth).budget_share),
        };
        Ok(Self { caps: engine.budget.caps().with_own(own), used, ask })
    }

    /// Checks that a call with this prompt can be answered, or returns the reached cap.
    pub(crate) fn holds(&self, prompt_tokens: u64) -> Result<(), CapReached> {
        grant(&BudgetRequest { prompt_tokens, ..self.ask.clone() }, &self.caps, &self.used).map(drop)
    }
}
