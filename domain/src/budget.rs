//! Spend on model calls and its caps. Money is in millionths of the configured currency.

use crate::{InvestigationId, ModelCallId, SessionId, Timestamp, agent::AgentRole, investigation::Depth};
use serde::{Deserialize, Serialize};
use std::{
    iter::Sum,
    ops::{Add, AddAssign},
};

crate::words! {
    /// Level of a cap, from the widest to the narrowest. Day and user count one day in UTC.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum BudgetLevel {
        /// Everybody together on one day.
        Day = "day",
        /// One person on one day.
        User = "user",
        Investigation = "investigation",
        Session = "session",
    }
}

/// Tokens and money spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spend {
    pub tokens_in: u64,
    pub tokens_out: u64,
    pub cost_micros: u64,
}

impl Spend {
    pub const fn tokens(&self) -> u64 {
        self.tokens_in.saturating_add(self.tokens_out)
    }

    /// Whether tokens were used and nothing was paid: the model is free, or its price is not known.
    pub const fn is_free(&self) -> bool {
        self.tokens() > 0 && self.cost_micros == 0
    }

    /// The money in the currency itself.
    pub fn amount(&self) -> f64 {
        self.cost_micros as f64 / 1_000_000.0
    }
}

/// Millionths as a decimal that loses nothing, with two digits at least: `0.004`, `12.30`.
pub fn decimal(micros: u64) -> String {
    let digits = format!("{:06}", micros % 1_000_000);
    let digits = digits.trim_end_matches('0');
    format!("{}.{digits:0<2}", micros / 1_000_000)
}

impl Add for Spend {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            tokens_in: self.tokens_in.saturating_add(other.tokens_in),
            tokens_out: self.tokens_out.saturating_add(other.tokens_out),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
        }
    }
}

impl AddAssign for Spend {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Spend {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// Daily cap of one person. `None` means the configured default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnCap {
    pub tokens: Option<u64>,
    pub cost_micros: Option<u64>,
}

impl OwnCap {
    /// Money in millionths; none where it is no amount.
    pub fn micros(money: f64) -> Option<u64> {
        (money.is_finite() && money >= 0.0).then(|| (money * 1_000_000.0).round() as u64)
    }
}

/// Finished investigation, as estimates use it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PastInvestigation {
    pub depth: Depth,
    pub spend: Spend,
    /// From the question to the end, waits included.
    pub took_ms: u64,
}

/// Estimated spend of an investigation, from finished ones with the same models and depth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estimate {
    #[serde(default)]
    pub depth: Depth,
    /// Number of finished investigations behind the estimate; 0: no estimate.
    pub past_investigations: u32,
    /// Half of them spent at most this.
    pub median: Spend,
    /// Nine of ten spent at most this.
    pub p90: Spend,
    /// Half of them took at most this.
    #[serde(default)]
    pub median_ms: u64,
    pub currency: String,
}

crate::words! {
    /// Outcome of a model call.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CallOutcome {
        Running = "running",
        Answered = "answered",
        /// Down, overloaded, rate-limited or timed out.
        Unavailable = "unavailable",
        /// The conversation is too long for the model.
        TooLong = "too_long",
        /// A refused key, an unknown model.
        Misconfigured = "misconfigured",
        /// The provider refused this request only.
        Rejected = "rejected",
        /// The reply could not be read.
        Malformed = "malformed",
        /// The request was sent and its end was not received. The spend is an estimate.
        Cut = "cut",
        /// Its process died.
        Lost = "lost",
    }
}

/// One call of a model, as the ledger has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCall {
    pub id: ModelCallId,
    /// `None` in the session of a feature's object.
    pub investigation_id: Option<InvestigationId>,
    pub session_id: SessionId,
    pub role: AgentRole,
    /// The step of the session that it was made for.
    pub step: u32,
    /// From 1, for each model of the chain anew.
    pub attempt: u32,
    pub provider: String,
    pub model: String,
    pub outcome: CallOutcome,
    /// Error message.
    pub message: Option<String>,
    pub spent: Spend,
    /// Of the tokens read: from the provider's cache, and put into it.
    pub cache_read: u64,
    pub cache_written: u64,
    pub latency_ms: u64,
    pub called_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn a_decimal_loses_nothing() {
        let shown = [0, 1, 4_000, 12_300_000, 15_000, 1_000_001].map(decimal);
        assert_eq!(shown, ["0.00", "0.000001", "0.004", "12.30", "0.015", "1.000001"]);
    }
}
