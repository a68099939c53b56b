//! `[server.requests]`: limits on requests that are answered at the same time.

use serde::Deserialize;
use std::time::Duration;

domain::settings! {
    /// Limits on the requests of signed-in people.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct RequestConfig {
        /// Requests of one person at work in this process.
        pub per_person: usize = 4,
        /// Requests of all people at work in this process.
        pub at_once: usize = 64,
        /// Time for which a request waits for a place before it is refused.
        pub wait_ms: u64 = 10_000,
        /// Reports of one person that are being printed in this process.
        pub prints_per_person: usize = 1,
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
