//! Usage of a model call and its cost.

use serde::{Deserialize, Serialize};
use std::{
    iter::Sum,
    ops::{Add, AddAssign},
    sync::Arc,
};

const MILLION: f64 = 1_000_000.0;

/// Usage of a call, as its provider counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// All that was read, whether from the provider's cache or not.
    pub tokens_in: u64,
    /// All that was written, thinking included.
    pub tokens_out: u64,
    /// Of `tokens_in`: read from the provider's cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_read: u64,
    /// Of `tokens_in`: put into the provider's cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_written: u64,
}

/// Prices per million tokens.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Price {
    pub input: f64,
    pub output: f64,
    pub cache_read: f64,
    pub cache_written: f64,
    /// ISO 4217; empty where nothing costs anything.
    pub currency: Arc<str>,
}

impl Price {
    /// Returns the cost of `usage`, in `currency`.
    pub fn cost(&self, usage: &Usage) -> f64 {
        let cached = usage.cache_read.saturating_add(usage.cache_written);
        let parts = [
            (usage.tokens_in.saturating_sub(cached), self.input),
            (usage.cache_read, self.cache_read),
            (usage.cache_written, self.cache_written),
            (usage.tokens_out, self.output),
        ];
        parts.iter().map(|(tokens, price)| *tokens as f64 * price / MILLION).sum()
    }

    pub fn is_free(&self) -> bool {
        self.input + self.output + self.cache_read + self.cache_written <= 0.0
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            tokens_in: self.tokens_in.saturating_add(other.tokens_in),
            tokens_out: self.tokens_out.saturating_add(other.tokens_out),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_written: self.cache_written.saturating_add(other.cache_written),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(usages: I) -> Self {
        usages.fold(Self::default(), Add::add)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_are_input_tokens_with_a_price_of_their_own() {
        let price = Price { input: 5.0, output: 25.0, cache_read: 0.5, cache_written: 6.25, currency: "USD".into() };
        let usage = Usage { tokens_in: 1_000_000, tokens_out: 100_000, cache_read: 600_000, cache_written: 200_000 };
        let cost = price.cost(&usage);
        assert!((cost - (1.0 + 0.3 + 1.25 + 2.5)).abs() < 1e-9, "{cost}");
        assert!(Price::default().is_free() && !price.is_free());
    }

    #[test]
    fn usage_stored_without_cache_counts_is_still_read() {
        let old: Usage = serde_json::from_str(r#"{"tokens_in":3,"tokens_out":2}"#).unwrap();
        assert_eq!(old, Usage { tokens_in: 3, tokens_out: 2, ..Usage::default() });
        assert_eq!(serde_json::to_string(&old).unwrap(), r#"{"tokens_in":3,"tokens_out":2}"#);
    }
}
