//! `[server.connections]`: limits on what clients hold open, for every listener.

use serde::Deserialize;
use std::time::Duration;

domain::settings! {
    /// Limits of one listener. A client that is silent for too long loses its connection.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct ConnectionConfig {
        /// Open connections; further ones wait until one ends.
        pub max_open: usize = 512,
        /// Open connections of one client address (of IPv6: a /64); further ones are closed at once. Loopback and trusted proxies have no
        /// such limit.
        pub max_per_client: usize = 64,
        /// Time until the head of a request has arrived, also on a connection that waits for its next request.
        pub header_timeout_ms: u64 = 30_000,
        /// Silence in the middle of a request body.
        pub body_idle_ms: u64 = 30_000,
        /// Time until a request body has arrived.
        pub body_timeout_ms: u64 = 600_000,
        /// Time without progress while a client does not read its response.
        pub write_idle_ms: u64 = 30_000,
        /// Open event streams of one person in this process.
        pub streams_per_person: usize = 8,
    }
}

impl ConnectionConfig {
    pub(super) fn problem(&self) -> Option<String> {
        let at_least_one = [
            ("max_open", self.max_open),
            ("max_per_client", self.max_per_client),
            ("streams_per_person", self.streams_per_person),
        ];
        if let Some((name, _)) = at_least_one.into_iter().find(|(_, value)| *value == 0) {
            return Some(format!("server.connections.{name} is 0; it must be at least 1"));
        }
        let times = [
            ("header_timeout_ms", self.header_timeout_ms),
            ("body_idle_ms", self.body_idle_ms),
            ("body_timeout_ms", self.body_timeout_ms),
            ("write_idle_ms", self.write_idle_ms),
        ];
        let hurried = times.into_iter().find(|(_, ms)| *ms < 10);
        hurried.map(|(name, _)| format!("server.connections.{name} must be at least 10"))
    }

    pub(crate) fn header_timeout(&self) -> Duration {
        Duration::from_millis(self.header_timeout_ms)
    }

    pub(crate) fn body_idle(&self) -> Duration {
        Duration::from_millis(self.body_idle_ms)
    }

    pub(crate) fn body_timeout(&self) -> Duration {
        Duration::from_millis(self.body_timeout_ms)
    }

    pub(crate) fn write_idle(&self) -> Duration {
        Duration::from_millis(self.write_idle_ms)
    }
}
