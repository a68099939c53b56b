//! Circuit breakers of web servers, in memory: there are as many servers as pages link to, and no operator cares about one of them.

use crate::http::HttpConfig;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// Servers that did not answer their last requests.
#[derive(Debug)]
pub(super) struct HostBreaker {
    servers: Mutex<HashMap<String, SilentServer>>,
    max_failures: u32,
    pause: Duration,
    max_servers: usize,
}

#[derive(Debug)]
struct SilentServer {
    /// Consecutive requests without an answer.
    failures: u32,
    /// Time of the next probe, once there are too many.
    probe_at: Instant,
}

impl HostBreaker {
    pub fn new(config: &HttpConfig, max_servers: usize) -> Self {
        let pause = Duration::from_millis(config.failure_pause_ms);
        Self { servers: Mutex::default(), max_failures: config.max_failures, pause, max_servers }
    }

    /// Admits a request, or returns the time until the next probe. Of many requests after a pause one is the probe.
    pub fn admit(&self, server: &str) -> Result<(), Duration> {
        let now = Instant::now();
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        match servers.get_mut(server).filter(|silent| self.is_open(silent)) {
            Some(silent) if silent.probe_at > now => Err(silent.probe_at - now),
            Some(silent) => {
                silent.probe_at = now + self.pause;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Records whether the server answered an admitted request.
    pub fn report(&self, server: &str, is_silent: bool) {
        let now = Instant::now();
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_silent {
            if servers.remove(server).is_none() {
                return;
            }
        } else if self.max_failures > 0 {
            if servers.len() >= self.max_servers {
                servers.retain(|_, silent| silent.probe_at > now);
            }
            if servers.len() < self.max_servers || servers.contains_key(server) {
                let silent = servers.entry(server.to_owned()).or_insert(SilentServer { failures: 0, probe_at: now });
                silent.failures = silent.failures.saturating_add(1);
                silent.probe_at = now + self.pause;
            }
        }
        let open = servers.values().filter(|silent| self.is_open(silent)).count();
        metrics::gauge!("autosint_fetch_hosts_down").set(open as f64);
    }

    fn is_open(&self, silent: &SilentServer) -> bool {
        silent.failures >= self.max_failures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    fn breaker(max_servers: usize) -> HostBreaker {
        let config = HttpConfig { max_failures: 2, failure_pause_ms: 60_000, ..HttpConfig::default() };
        HostBreaker::new(&config, max_servers)
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_server_is_left_alone_until_one_request_probes_it() {
        let breaker = breaker(10);
        for _ in 0..2 {
            assert_eq!(breaker.admit("a"), Ok(()));
            breaker.report("a", true);
        }
        assert_eq!((breaker.admit("a"), breaker.admit("b")), (Err(Duration::from_secs(60)), Ok(())));
        advance(Duration::from_secs(60)).await;
        assert_eq!(breaker.admit("a"), Ok(()), "the probe");
        assert!(breaker.admit("a").is_err(), "only one");
        breaker.report("a", true);
        assert!(breaker.admit("a").is_err(), "still silent");
        advance(Duration::from_secs(60)).await;
        assert_eq!(breaker.admit("a"), Ok(()));
        breaker.report("a", false);
        breaker.report("a", true);
        assert_eq!((breaker.admit("a"), breaker.admit("a")), (Ok(()), Ok(())), "an answer closes the circuit");
    }

    #[tokio::test(start_paused = true)]
    async fn so_many_servers_are_tracked_and_no_more() {
        let breaker = breaker(2);
        for server in ["a", "b", "c", "c"] {
            breaker.report(server, true);
        }
        assert_eq!(breaker.admit("c"), Ok(()), "not tracked");
        advance(Duration::from_secs(60)).await;
        breaker.report("c", true);
        breaker.report("c", true);
        assert!(breaker.admit("c").is_err(), "the others are forgotten");
    }
}
