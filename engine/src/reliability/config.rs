//! `[reliability]`: how often and how long is tried, and when something counts as down.

use serde::{Deserialize, Deserializer};

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReliabilityConfig {
    /// Calls of models.
    #[serde(deserialize_with = "model_retry")]
    pub model: RetryConfig,
    /// Statements of the state store.
    #[serde(deserialize_with = "store_retry")]
    pub store: RetryConfig,
    /// The embedder and other modules.
    #[serde(deserialize_with = "module_retry")]
    pub module: RetryConfig,
    pub breaker: BreakerConfig,
}

impl Default for ReliabilityConfig {
    fn default() -> Self {
        Self {
            model: RetryConfig::MODEL,
            store: RetryConfig::STORE,
            module: RetryConfig::MODULE,
            breaker: BreakerConfig::default(),
        }
    }
}

/// Exponential backoff with jitter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryConfig {
    /// The first one included.
    pub max_attempts: u32,
    pub initial_backoff_ms: u64,
    pub max_backoff_ms: u64,
    pub multiplier: f64,
    /// Share of a wait that is left to chance, so that those who failed together do not come back together.
    pub jitter: f64,
}

impl RetryConfig {
    pub const MODEL: Self =
        Self { max_attempts: 3, initial_backoff_ms: 1_000, max_backoff_ms: 30_000, multiplier: 2.0, jitter: 0.5 };
    pub const STORE: Self = Self { initial_backoff_ms: 500, max_backoff_ms: 10_000, ..Self::MODEL };
    pub const MODULE: Self = Self { max_attempts: 2, max_backoff_ms: 5_000, ..Self::MODEL };

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

/// When a circuit opens and when it is tried again.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BreakerConfig {
    /// Failures in a row after which a dependency counts as down.
    pub failure_threshold: u32,
    /// How long nothing is sent to it then. A provider that names a time is believed.
    pub cooldown_ms: u64,
    /// The same where a person must act: a refused key, an unknown model.
    pub misconfigured_cooldown_ms: u64,
    /// The longest that a provider may ask to be left alone.
    pub max_cooldown_ms: u64,
    /// How long the one probe may take before another may be sent: at least the longest time of a call.
    pub probe_ms: u64,
    /// How long a waiting investigation may take from its turn to the probe.
    pub claim_ms: u64,
}

impl Default for BreakerConfig {
    fn default() -> Self {
        Self {
            failure_threshold: 3,
            cooldown_ms: 30_000,
            misconfigured_cooldown_ms: 300_000,
            max_cooldown_ms: 3_600_000,
            probe_ms: 600_000,
            claim_ms: 30_000,
        }
    }
}

impl ReliabilityConfig {
    /// The first setting that cannot work, named with what to do.
    pub fn problem(&self) -> Option<String> {
        let retries = [("model", &self.model), ("store", &self.store), ("module", &self.module)];
        if let Some(problem) = retries.into_iter().find_map(|(name, retry)| retry.problem(name)) {
            return Some(problem);
        }
        (self.breaker.failure_threshold == 0)
            .then(|| "reliability.breaker.failure_threshold is 0; it must be at least 1".to_owned())
    }
}

/// What a file says of a retry; the rest stays as that retry has it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_does_not_say_stays_as_that_retry_has_it() {
        let config: ReliabilityConfig = toml::from_str("[store]\nmax_attempts = 7").unwrap();
        assert_eq!(config.store, RetryConfig { max_attempts: 7, ..RetryConfig::STORE });
        assert_eq!(config.module, RetryConfig::MODULE);
        assert_eq!(config.problem(), None);
    }

    #[test]
    fn what_cannot_work_is_named() {
        let never = ReliabilityConfig { model: RetryConfig { max_attempts: 0, ..RetryConfig::MODEL }, ..Default::default() };
        assert_eq!(never.problem().unwrap(), "reliability.model.max_attempts is 0; it must be at least 1");
    }
}
