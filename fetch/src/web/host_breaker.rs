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

/// Admission of one request. Dropped without a report, because the request was not sent, it gives the probe back.
#[derive(Debug)]
pub(super) struct Admission<'a> {
    breaker: &'a HostBreaker,
    server: &'a str,
    /// Time of the next probe, set by this one; none unless it is a probe.
    probe: Option<Instant>,
}

impl Admission<'_> {
    /// Records whether the server answered the request.
    pub fn report(mut self, is_silent: bool) {
        self.probe = None;
        self.breaker.report(self.server, is_silent);
    }
}

impl Drop for Admission<'_> {
    fn drop(&mut self) {
        let Some(next) = self.probe else { return };
        let mut servers = self.breaker.servers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(silent) = servers.get_mut(self.server).filter(|silent| silent.probe_at == next) {
            silent.probe_at = Instant::now();
        }
    }
}

impl HostBreaker {
    pub fn new(config: &HttpConfig, max_servers: usize) -> Self {
        let pause = Duration::from_millis(config.failure_pause_ms);
        Self { servers: Mutex::default(), max_failures: config.max_failures, pause, max_servers }
    }

    /// Admits a request, or returns the time until the next probe. Of many requests after a pause one is the probe.
    pub fn admit<'a>(&'a self, server: &'a str) -> Result<Admission<'a>, Duration> {
        let now = Instant::now();
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut probe = None;
        if let Some(silent) = servers.get_mut(server).filter(|silent| self.is_open(silent)) {
            if silent.probe_at > now {
                return Err(silent.probe_at - now);
            }
            silent.probe_at = now + self.pause;
            probe = Some(silent.probe_at);
        }
        Ok(Admission { breaker: self, server, probe })
    }

    /// Records whether the server answered an admitted request.
    fn report(&self, server: &str, is_silent: bool) {
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

    /// Sends a request, if it is admitted, to a server that does not answer.
    fn ask_silent(breaker: &HostBreaker, server: &str) -> bool {
        breaker.admit(server).map(|admission| admission.report(true)).is_ok()
    }

    fn wait(breaker: &HostBreaker, server: &str) -> Option<Duration> {
        breaker.admit(server).err()
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_server_is_left_alone_until_one_request_probes_it() {
        let breaker = breaker(10);
        assert!(ask_silent(&breaker, "a") && ask_silent(&breaker, "a"));
        assert_eq!((wait(&breaker, "a"), wait(&breaker, "b")), (Some(Duration::from_secs(60)), None));
        advance(Duration::from_secs(60)).await;
        let probe = breaker.admit("a").unwrap();
        assert!(breaker.admit("a").is_err(), "only one");
        probe.report(true);
        assert!(breaker.admit("a").is_err(), "still silent");
        advance(Duration::from_secs(60)).await;
        breaker.admit("a").unwrap().report(false);
        assert!(ask_silent(&breaker, "a"));
        assert_eq!((wait(&breaker, "a"), wait(&breaker, "a")), (None, None), "an answer closes the circuit");
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_is_not_sent_is_given_back() {
        let breaker = breaker(10);
        assert!(ask_silent(&breaker, "a") && ask_silent(&breaker, "a"));
        advance(Duration::from_secs(60)).await;
        let refused = breaker.admit("a").unwrap();
        assert!(breaker.admit("a").is_err(), "it is out");
        drop(refused);
        let late = breaker.admit("a").expect("the next request probes at once");
        advance(Duration::from_secs(60)).await;
        let running = breaker.admit("a").expect("a probe without an outcome is replaced");
        drop(late);
        assert!(breaker.admit("a").is_err(), "it does not give back the probe of another");
        running.report(false);
        assert_eq!(wait(&breaker, "a"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn so_many_servers_are_tracked_and_no_more() {
        let breaker = breaker(2);
        for server in ["a", "b", "c", "c"] {
            assert!(ask_silent(&breaker, server));
        }
        assert_eq!(wait(&breaker, "c"), None, "not tracked");
        advance(Duration::from_secs(60)).await;
        assert!(ask_silent(&breaker, "c") && ask_silent(&breaker, "c"));
        assert!(breaker.admit("c").is_err(), "the others are forgotten");
    }
}
