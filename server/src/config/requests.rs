//! `[server.requests]`: limits on requests that are answered at the same time.

use serde::Deserialize;
use std::time::Duration;

/// Limits on the requests of signed-in people.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RequestConfig {
    /// Requests of one person at work in this process.
    pub per_person: usize,
    /// Requests of all people at work in this process.
    pub at_once: usize,
    /// Time for which a request waits for a place before it is refused.
    pub wait_ms: u64,
    /// Reports of one person that are being printed in this process.
    pub prints_per_person: usize,
}

impl Default for RequestConfig {
    fn default() -> Self {
        Self { per_person: 4, at_once: 64, wait_ms: 10_000, prints_per_person: 1 }
    }
}

impl RequestConfig {
    pub(crate) fn wait(&self) -> Duration {
        Duration::from_millis(self.wait_ms)
    }

    pub(super) fn problem(&self) -> Option<String> {
        let at_least_one =
            [("per_person", self.per_person), ("at_once", self.at_once), ("prints_per_person", self.prints_per_person)];
        let (name, _) = at_least_one.into_iter().find(|(_, value)| *value == 0)?;
        Some(format!("server.requests.{name} is 0; it must be at least 1"))
    }
}
