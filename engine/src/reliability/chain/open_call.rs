//! Open call: a call between reservation and settlement, which is settled even when dropped.
//!
//! Invariant: reservations are released at once, and possibly billed usage is counted.

use crate::{
    Engine, StoreResult,
    budget::{BudgetConfig, BudgetRequest, CapReached, Caps, Grant, LevelUsage, Limit, Reservation, Settlement, micros},
};
use domain::budget::{BudgetLevel, CallOutcome};
use protocol::model::{ModelError, ModelReply, ReplyProgress, Usage};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Note on calls whose usage is estimated.
const ESTIMATED: &str = "usage is an estimate";

/// Ledger scope of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LedgerScope {
    /// Call of a session.
    Session,
    /// Trial call: counts only against the caps of day and user.
    Trial,
}

/// Open call in the ledger.
pub(super) struct OpenCall<'a> {
    engine: &'a Engine,
    reservation: Reservation,
    scope: LedgerScope,
    stage: CallStage,
}

enum CallStage {
    /// Possibly reserved already.
    Reserving,
    Sent {
        at: Instant,
        grant: Grant,
        /// Progress of a streamed answer.
        written: Option<watch::Receiver<ReplyProgress>>,
    },
    /// Finished, but possibly not settled.
    Ended(Settlement),
    Settled,
}

impl<'a> OpenCall<'a> {
    /// Builds the call before its reservation, which may be cancelled too.
    pub fn new(engine: &'a Engine, reservation: Reservation, scope: LedgerScope) -> Self {
        Self { engine, reservation, scope, stage: CallStage::Reserving }
    }

    /// Reserves the call; a reached cap ends it.
    pub async fn reserve(&mut self, caps: Caps) -> StoreResult<Result<Grant, CapReached>> {
        let ledger = &self.engine.ledger;
        let reserved = match self.scope {
            LedgerScope::Session => ledger.reserve(&self.reservation, &caps).await?,
            LedgerScope::Trial => ledger.reserve_elsewhere(&self.reservation, &of_days(caps)).await?,
        };
        if reserved.is_err() {
            self.stage = CallStage::Settled;
        }
        Ok(reserved)
    }

    pub fn sent(&mut self, grant: Grant, written: Option<watch::Receiver<ReplyProgress>>) {
        self.stage = CallStage::Sent { at: Instant::now(), grant, written };
    }

    /// Settles the outcome.
    pub async fn settle(mut self, reply: &Result<ModelReply, ModelError>) -> StoreResult<Settlement> {
        let settlement = self.settlement_of(reply);
        self.stage = CallStage::Ended(settlement.clone());
        write_settlement(self.engine, &self.reservation, self.scope, &settlement).await?;
        self.stage = CallStage::Settled;
        Ok(settlement)
    }

    fn settlement_of(&self, reply: &Result<ModelReply, ModelError>) -> Settlement {
        let (outcome, usage) = match reply {
            Ok(reply) => (CallOutcome::Answered, reply.usage),
            Err(ModelError::Cut(_)) => (CallOutcome::Cut, self.estimate()),
            Err(ModelError::Unavailable { .. }) if self.has_begun() => (CallOutcome::Cut, self.estimate()),
            Err(ModelError::Unavailable { .. }) => (CallOutcome::Unavailable, Usage::default()),
            Err(ModelError::ContextTooLong { used }) if *used != Usage::default() => (CallOutcome::TooLong, *used),
            Err(ModelError::ContextTooLong { .. }) => (CallOutcome::TooLong, self.usage_so_far()),
            Err(ModelError::Rejected(_)) => (CallOutcome::Rejected, self.usage_so_far()),
            Err(ModelError::Configuration(_)) => (CallOutcome::Misconfigured, self.usage_so_far()),
            // Answered, but without usage figures.
            Err(ModelError::Malformed(_)) => (CallOutcome::Malformed, self.estimate()),
        };
        let is_estimate = matches!(outcome, CallOutcome::Cut | CallOutcome::Malformed);
        let why = reply.as_ref().err().map(|error| match is_estimate {
            true => format!("{error}; {ESTIMATED}"),
            false => error.to_string(),
        });
        self.settlement(outcome, why, usage)
    }

    fn settlement(&self, outcome: CallOutcome, message: Option<String>, usage: Usage) -> Settlement {
        let took = self.elapsed();
        Settlement {
            outcome,
            message,
            usage,
            cost_micros: micros(&self.reservation.ask.price, &usage),
            latency_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            at: self.engine.clock.now(),
        }
    }

    fn elapsed(&self) -> Duration {
        match &self.stage {
            CallStage::Sent { at, .. } => at.elapsed(),
            _ => Duration::ZERO,
        }
    }

    /// Returns the usage of a failed call: estimated once streaming began, else none.
    fn usage_so_far(&self) -> Usage {
        if self.has_begun() { self.estimate() } else { Usage::default() }
    }

    fn has_begun(&self) -> bool {
        matches!(&self.stage, CallStage::Sent { written: Some(written), .. } if *written.borrow() != ReplyProgress::default())
    }

    fn estimate(&self) -> Usage {
        match &self.stage {
            CallStage::Sent { at, grant, written } if self.reservation.ask.is_metered => {
                let written = written.as_ref().map(|written| written.borrow().clone());
                estimate(&self.engine.budget, &self.reservation.ask, grant.max_output_tokens, at.elapsed(), written)
            }
            _ => Usage::default(),
        }
    }

    /// Returns the settlement of a dropped call.
    fn abandon(&mut self) -> Option<Settlement> {
        let left = match &self.stage {
            CallStage::Reserving => {
                let why = Some("cancelled before sending".into());
                self.settlement(CallOutcome::Cut, why, Usage::default())
            }
            CallStage::Sent { .. } => {
                let why = Some(format!("cancelled; {ESTIMATED}"));
                self.settlement(CallOutcome::Cut, why, self.estimate())
            }
            CallStage::Ended(settlement) => settlement.clone(),
            CallStage::Settled => return None,
        };
        self.stage = CallStage::Settled;
        Some(left)
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        let Some(settlement) = self.abandon() else { return };
        let (engine, reservation, scope) = (self.engine.clone(), self.reservation.clone(), self.scope);
        self.engine.spawn_cleanup(async move {
            if let Err(error) = write_settlement(&engine, &reservation, scope, &settlement).await {
                tracing::warn!(%error, "settlement of a cancelled call failed, its reservation expires");
            }
        });
    }
}

/// Writes the settlement to the ledger.
async fn write_settlement(
    engine: &Engine,
    reservation: &Reservation,
    scope: LedgerScope,
    settlement: &Settlement,
) -> StoreResult<()> {
    match scope {
        LedgerScope::Session => engine.ledger.settle(reservation.id, settlement).await,
        LedgerScope::Trial => {
            let tokens = settlement.usage.tokens_in.saturating_add(settlement.usage.tokens_out);
            let used = LevelUsage { tokens, micros: settlement.cost_micros };
            engine.ledger.settle_elsewhere(reservation, used).await
        }
    }
}

/// Returns only the daily caps: a trial belongs to no investigation.
fn of_days(mut caps: Caps) -> Caps {
    for (limit, level) in caps.levels.iter_mut().zip(BudgetLevel::ALL) {
        if !matches!(level, BudgetLevel::Day | BudgetLevel::User) {
            *limit = Limit::default();
        }
    }
    caps
}

/// Estimates the usage of a call without final figures. Input: the provider's count, else the reserved prompt. Output: streamed
/// text, else the output possible in the elapsed time.
fn estimate(
    config: &BudgetConfig,
    ask: &BudgetRequest,
    max_output_tokens: u32,
    took: Duration,
    written: Option<ReplyProgress>,
) -> Usage {
    let guessed = match &written {
        Some(written) => (written.bytes as f64 / config.bytes_per_token).ceil(),
        None => (took.as_secs_f64() * f64::from(config.tokens_per_second)).ceil(),
    };
    let counted = written.unwrap_or_default().usage;
    Usage {
        tokens_in: if counted.tokens_in > 0 { counted.tokens_in } else { ask.prompt_tokens },
        tokens_out: counted.tokens_out.max(guessed as u64).min(u64::from(max_output_tokens)),
        ..counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::Price;

    #[test]
    fn an_estimate_takes_what_is_known_and_never_more_than_was_granted() {
        let config = BudgetConfig { bytes_per_token: 3.0, tokens_per_second: 100, ..BudgetConfig::default() };
        let ask = BudgetRequest {
            prompt_tokens: 1_000,
            max_output_tokens: 500,
            min_output_tokens: 1,
            price: Price::default(),
            is_metered: true,
            is_final: false,
            is_part: false,
            is_of_object: false,
            depth_share: 1.0,
        };
        let of = |ms, written| {
            let usage = estimate(&config, &ask, 400, Duration::from_millis(ms), written);
            (usage.tokens_in, usage.tokens_out)
        };
        assert_eq!(of(1_500, None), (1_000, 150));
        assert_eq!(of(60_000, None), (1_000, 400));
        let written = |bytes, tokens_in, tokens_out| {
            Some(ReplyProgress { bytes, usage: Usage { tokens_in, tokens_out, ..Usage::default() }, call: None })
        };
        assert_eq!(of(60_000, written(0, 0, 0)), (1_000, 0));
        assert_eq!(of(60_000, written(31, 900, 1)), (900, 11));
        assert_eq!(of(60_000, written(31, 900, 20)), (900, 20));
    }
}
