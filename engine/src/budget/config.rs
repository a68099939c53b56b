//! `[budget]`: caps in tokens and money. None is set by default.

use super::{Caps, Limit};
use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetConfig {
    /// ISO 4217; the prices of the models are in it.
    pub currency: String,
    /// Everybody together on one day (UTC).
    pub day: Cap,
    /// One person on one day.
    pub user: Cap,
    pub investigation: Cap,
    /// One agent conversation.
    pub session: Cap,
    /// Share of each cap but the session's that only a final session may use, so that it can still be written.
    pub final_share: f64,
    /// A final session that may not read so many tokens more does not search: it is given the claims that the graph holds on the question.
    pub final_search_tokens: u64,
    /// As many of them as can be paid for, and at most so many (`search_claims` has a limit of its own).
    pub final_claims: u32,
    /// What is kept of that for writing the assessment.
    pub final_answer_tokens: u32,
    /// A prompt is taken to have a token for so many bytes: rather too many tokens than too few.
    pub bytes_per_token: f64,
    /// What a call wrote that was stopped, and that was not streamed: as much as is written in its time at this speed.
    pub tokens_per_second: u32,
    /// A call that could not be answered in so many tokens is not made.
    pub min_output_tokens: u32,
    /// After this long without word from the process that made a call, what is reserved for it is released.
    pub reservation_ms: u64,
    /// Finished investigations that an estimate is drawn from.
    pub estimate_runs: u32,
}

/// A cap, where there is one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cap {
    /// Read and written together.
    pub tokens: Option<u64>,
    /// In `currency`.
    pub money: Option<f64>,
}

impl Default for BudgetConfig {
    fn default() -> Self {
        Self {
            currency: "USD".into(),
            day: Cap::default(),
            user: Cap::default(),
            investigation: Cap::default(),
            session: Cap::default(),
            final_share: 0.2,
            final_search_tokens: 60_000,
            final_claims: 200,
            final_answer_tokens: 4_096,
            bytes_per_token: 3.0,
            tokens_per_second: 100,
            min_output_tokens: 1_024,
            reservation_ms: 900_000,
            estimate_runs: 50,
        }
    }
}

impl BudgetConfig {
    /// The caps in the units of the ledger.
    pub fn caps(&self) -> Caps {
        let limit =
            |cap: &Cap| Limit { tokens: cap.tokens, micros: cap.money.map(|money| (money * 1_000_000.0).round() as u64) };
        Caps {
            levels: [limit(&self.day), limit(&self.user), limit(&self.investigation), limit(&self.session)],
            final_share: self.final_share,
        }
    }

    /// Whether some cap counts money.
    pub fn is_in_money(&self) -> bool {
        [&self.day, &self.user, &self.investigation, &self.session].iter().any(|cap| cap.money.is_some())
    }

    /// The first setting that cannot work, named with what to do.
    pub fn problem(&self) -> Option<String> {
        if !(0.0..1.0).contains(&self.final_share) {
            return Some(format!("budget.final_share is {}; it must be from 0 to below 1", self.final_share));
        }
        if !(self.bytes_per_token.is_finite() && self.bytes_per_token > 0.0) {
            return Some(format!("budget.bytes_per_token is {}; it must be above 0", self.bytes_per_token));
        }
        if self.currency.len() != 3 {
            return Some(format!("budget.currency is '{}'; it must be a code of three letters such as USD", self.currency));
        }
        let levels =
            [("day", &self.day), ("user", &self.user), ("investigation", &self.investigation), ("session", &self.session)];
        levels.into_iter().find_map(|(name, cap)| {
            let money = cap.money.filter(|money| !(money.is_finite() && *money >= 0.0))?;
            Some(format!("budget.{name}.money is {money}; it must be 0 or more"))
        })
    }
}
