//! Configuration `[reliability]`: retries and circuit breakers.

use serde::{Deserialize, Deserializer};

domain::settings! {
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct ReliabilityConfig {
        /// Retries of model calls.
        #[serde(deserialize_with = "model_retry")]
        pub model: RetryConfig = RetryConfig::MODEL,
        /// Retries of state store statements.
        #[serde(deserialize_with = "store_retry")]
        pub store: RetryConfig = RetryConfig::STORE,
        /// Retries of the embedder and of the Fetch service.
        #[serde(deserialize_with = "module_retry")]
        pub module: RetryConfig = RetryConfig::MODULE,
        /// Attempts to go on with an investigation whose step failed; after them it is suspended, and tried again after `max_backoff_ms`.
        #[serde(deserialize_with = "investigation_retry")]
        pub investigation: RetryConfig = RetryConfig::INVESTIGATION,
        pub breaker: BreakerConfig = BreakerConfig::default(),
    }
}

/// Configuration of retries: exponential backoff with jitter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryConfig {
    /// Maximum attempts, the first included.
    pub max_attempts: u32,
    pub initial_backoff_ms: u64,
    pub max_backoff_ms: u64,
    pub multiplier: f64,
    /// Random share of a wait, so that failed calls do not return together.
    pub jitter: f64,
}

impl RetryConfig {
    pub const MODEL: Self =
        Self { max_attempts: 3, initial_backoff_ms: 1_000, max_backoff_ms: 30_000, multiplier: 2.0, jitter: 0.5 };
    pub const STORE: Self = Self { initial_backoff_ms: 500, max_backoff_ms: 10_000, ..Self::MODEL };
    pub const MODULE: Self = Self { max_attempts: 2, max_backoff_ms: 5_000, ..Self::MODEL };

    pub const INVESTIGATION: Self = Self { max_attempts: 6, max_backoff_ms: 300_000, ..Self::MODEL };

    fn problem(&self, name: &str) -> Option<String> {
        if self.max_attempts == 0 {
            return Some(format!("reliability.{name}.max_attempts is 0; it must be at least 1"));
        }
        if !(self.multiplier.is_finite() && self.multiplier >= 1.0) {
            return Some(format!("reliability.{name}.multiplier is {}; it must be at least 1", self.multiplier));
        }
        (!(0.0..=1.0).contains(&self.jitter))
            .then(|| format!("reliability.{name}.jitter is {}; it must be from 0 to 1", self.jitter))
    }
}

impl Default for RetryConfig {
    fn default() -> Self {
        Self::STORE
    }
}

domain::settings! {
    /// Configuration of circuit breakers.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct BreakerConfig {
        /// Consecutive failures that open a circuit.
        pub failure_threshold: u32 = 3,
        /// Time before the first probe; a provider's own waiting time wins.
        pub cooldown_ms: u64 = 30_000,
        /// The same for Redis and Neo4j, which are near and without which no work order moves.
        pub store_cooldown_ms: u64 = 2_000,
        /// Time before the first probe after a misconfiguration: a refused key, an unknown model.
        pub misconfigured_cooldown_ms: u64 = 300_000,
        /// Maximum waiting time a provider may ask for.
        pub max_cooldown_ms: u64 = 3_600_000,
        /// Time after which a probe is replaced: at least the longest call.
        pub probe_ms: u64 = 600_000,
        /// Time for an investigation to start its probe when its turn comes.
        pub claim_ms: u64 = 30_000,
    }
}

/// Longest time for the probe of a store, in milliseconds: longer than its calls may take. A model may take longer.
const STORE_PROBE_MS: u64 = 90_000;

impl BreakerConfig {
    /// Returns the configuration for Redis and Neo4j.
    pub fn for_stores(&self) -> Self {
        Self { cooldown_ms: self.store_cooldown_ms, probe_ms: self.probe_ms.min(STORE_PROBE_MS), ..self.clone() }
    }
}

impl ReliabilityConfig {
    /// Returns the first invalid setting, with the remedy.
    pub fn problem(&self) -> Option<String> {
        let retries =
            [("model", &self.model), ("store", &self.store), ("module", &self.module), ("investigation", &self.investigation)];
        if let Some(problem) = retries.into_iter().find_map(|(name, retry)| retry.problem(name)) {
            return Some(problem);
        }
        (self.breaker.failure_threshold == 0)
            .then(|| "reliability.breaker.failure_threshold is 0; it must be at least 1".to_owned())
    }
}

/// Overrides of a retry configuration; missing values keep its defaults.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RetryOverrides {
    max_attempts: Option<u32>,
    initial_backoff_ms: Option<u64>,
    max_backoff_ms: Option<u64>,
    multiplier: Option<f64>,
    jitter: Option<f64>,
}

impl RetryOverrides {
    fn over(self, usual: RetryConfig) -> RetryConfig {
        RetryConfig {
            max_attempts: self.max_attempts.unwrap_or(usual.max_attempts),
            initial_backoff_ms: self.initial_backoff_ms.unwrap_or(usual.initial_backoff_ms),
            max_backoff_ms: self.max_backoff_ms.unwrap_or(usual.max_backoff_ms),
            multiplier: self.multiplier.unwrap_or(usual.multiplier),
            jitter: self.jitter.unwrap_or(usual.jitter),
        }
    }
}

fn model_retry<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RetryConfig, D::Error> {
    Ok(RetryOverrides::deserialize(deserializer)?.over(RetryConfig::MODEL))
}

fn store_retry<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RetryConfig, D::Error> {
    Ok(RetryOverrides::deserialize(deserializer)?.over(RetryConfig::STORE))
}

fn module_retry<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RetryConfig, D::Error> {
    Ok(RetryOverrides::deserialize(deserializer)?.over(RetryConfig::MODULE))
}

fn investigation_retry<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RetryConfig, D::Error> {
    Ok(RetryOverrides::deserialize(deserializer)?.over(RetryConfig::INVESTIGATION))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_omitted_setting_keeps_the_default_of_its_retry() {
        let config: ReliabilityConfig = toml::from_str("[store]\nmax_attempts = 7").unwrap();
        assert_eq!(config.store, RetryConfig { max_attempts: 7, ..RetryConfig::STORE });
        assert_eq!(config.module, RetryConfig::MODULE);
        assert_eq!(config.problem(), None);
    }

    #[test]
    fn an_impossible_setting_is_named() {
        let never = ReliabilityConfig { model: RetryConfig { max_attempts: 0, ..RetryConfig::MODEL }, ..Default::default() };
        assert_eq!(never.problem().unwrap(), "reliability.model.max_attempts is 0; it must be at least 1");
    }
}
