//! Configuration `[budget]`: caps in tokens and money. None is set by default.

use super::{Caps, Limit};
use serde::Deserialize;

domain::settings! {
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct BudgetConfig {
        /// Currency of caps and model prices, ISO 4217.
        pub currency: String = "USD".into(),
        /// Cap of all users together per day (UTC).
        pub day: Cap = Cap::default(),
        /// Cap of one user per day.
        pub user: Cap = Cap::default(),
        pub investigation: Cap = Cap::default(),
        /// Cap of one session.
        pub session: Cap = Cap::default(),
        /// Share of each cap but the session's reserved for the final session.
        pub final_share: f64 = 0.2,
        /// Token budget below which a final session does not search and gets claims of the graph instead.
        pub final_search_tokens: u64 = 60_000,
        /// Maximum number of these claims (`search_claims` has its own limit).
        pub final_claims: u32 = 200,
        /// Tokens of that budget reserved for writing the assessment.
        pub final_answer_tokens: u32 = 4_096,
        /// Bytes per token in prompt estimates; a low value overestimates.
        pub bytes_per_token: f64 = 3.0,
        /// Assumed output speed of an interrupted call that was not streamed, in tokens per second.
        pub tokens_per_second: u32 = 100,
        /// Minimum answer length in tokens; a call that cannot afford it is not made.
        pub min_output_tokens: u32 = 1_024,
        /// Time after which the reservation of a dead process is released.
        pub reservation_ms: u64 = 900_000,
        /// Number of finished investigations that an estimate uses.
        pub estimate_sample_size: u32 = 50,
    }
}

/// Optional cap in tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cap {
    /// Tokens, input and output together.
    pub tokens: Option<u64>,
    /// Money in `currency`.
    pub money: Option<f64>,
}

impl BudgetConfig {
    /// Returns the caps in ledger units.
    pub fn caps(&self) -> Caps {
        let limit =
            |cap: &Cap| Limit { tokens: cap.tokens, micros: cap.money.map(|money| (money * 1_000_000.0).round() as u64) };
        Caps {
            levels: [limit(&self.day), limit(&self.user), limit(&self.investigation), limit(&self.session)],
            final_share: self.final_share,
        }
    }

    /// Returns whether any cap is in money.
    pub fn is_in_money(&self) -> bool {
        [&self.day, &self.user, &self.investigation, &self.session].iter().any(|cap| cap.money.is_some())
    }

    /// Returns the first invalid setting, with the remedy.
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
