//! Politeness: how often, and how many at once, one host is asked.
//!
//! The times stand behind [`Buckets`], so that several processes can share them; what is open at once is each process's own.

mod memory;

pub use memory::MemoryBuckets;

use async_trait::async_trait;
use domain::fetch::{FetchError, FetchFailure};
use serde::Deserialize;
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};

/// The `fetch.pace` part of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PaceConfig {
    /// Between two requests to one host; a longer crawl delay of its robots.txt goes before.
    pub interval_ms: u64,
    /// Requests that a host which was left alone gets at once.
    pub burst: u32,
    /// Open requests to one host, and to all.
    pub at_once_per_host: usize,
    pub at_once: usize,
    /// The longest that a request waits for its turn; what would wait longer is told to come back.
    pub max_wait_ms: u64,
    /// The longest that a host is left alone, whatever it asks for by `Retry-After` or by the crawl delay of its robots.txt.
    pub max_pause_ms: u64,
    /// Hosts that are remembered; those whose time has passed are forgotten first.
    pub max_hosts: usize,
}

impl Default for PaceConfig {
    fn default() -> Self {
        Self {
            interval_ms: 1_000,
            burst: 2,
            at_once_per_host: 2,
            at_once: 32,
            max_wait_ms: 120_000,
            max_pause_ms: 86_400_000,
            max_hosts: 10_000,
        }
    }
}

/// How often a key may have its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    pub interval: Duration,
    pub burst: u32,
    /// A turn further away is not reserved.
    pub max_wait: Duration,
}

impl Rule {
    /// How far a burst may be ahead of its time.
    pub fn ahead(&self) -> Duration {
        self.interval.saturating_mul(self.burst.saturating_sub(1))
    }
}

/// Turns by key. Every method is atomic; several processes may share what stands behind.
#[async_trait]
pub trait Buckets: fmt::Debug + Send + Sync {
    /// Reserves the next turn and says how long it is until then; or, where that is longer than the rule waits, reserves nothing and
    /// says how long it would have been.
    async fn reserve(&self, key: &str, rule: Rule) -> Result<Duration, Duration>;
    /// No turn before that much time has passed.
    async fn hold(&self, key: &str, pause: Duration);
}

/// Who keeps the pace.
#[derive(Debug)]
pub(crate) struct Pace {
    config: PaceConfig,
    buckets: Arc<dyn Buckets>,
    all: Arc<Semaphore>,
    hosts: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// One's turn; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _host: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Pace {
    pub fn new(config: PaceConfig, buckets: Arc<dyn Buckets>) -> Self {
        let all = Arc::new(Semaphore::new(config.at_once.max(1)));
        Self { config, buckets, all, hosts: Mutex::default() }
    }

    /// Between two requests to a host that asks for nothing else.
    pub fn usual(&self) -> Duration {
        Duration::from_millis(self.config.interval_ms)
    }

    /// How long a host is left alone that asks for `pause`.
    pub fn granted(&self, pause: Duration) -> Duration {
        pause.min(Duration::from_millis(self.config.max_pause_ms))
    }

    /// Waits for a turn at `host`, which wants `interval` between two; none: the usual one.
    pub async fn turn(&self, host: &str, interval: Option<Duration>) -> Result<Turn, FetchError> {
        let max_wait = Duration::from_millis(self.config.max_wait_ms);
        let waited = timeout(max_wait, self.wait(host, interval, max_wait)).await;
        waited.unwrap_or_else(|_| Err(busy(host, max_wait)))
    }

    /// The host asked for a pause, of which so much is granted.
    pub async fn hold(&self, host: &str, pause: Duration) {
        self.buckets.hold(host, pause).await;
    }

    async fn wait(&self, host: &str, interval: Option<Duration>, max_wait: Duration) -> Result<Turn, FetchError> {
        let closed = |_| busy(host, max_wait);
        let own = self.host(host).acquire_owned().await.map_err(closed)?;
        let rule = match interval {
            Some(interval) => Rule { interval: self.granted(interval), burst: 1, max_wait },
            None => Rule { interval: self.usual(), burst: self.config.burst.max(1), max_wait },
        };
        match self.buckets.reserve(host, rule).await {
            Ok(wait) => sleep(wait).await,
            Err(wait) => return Err(busy(host, wait)),
        }
        let all = self.all.clone().acquire_owned().await.map_err(closed)?;
        Ok(Turn { _host: own, _all: all })
    }

    /// The host's own permits; those that nobody holds are forgotten when there are too many.
    fn host(&self, host: &str) -> Arc<Semaphore> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = hosts.get(host) {
            return known.clone();
        }
        if hosts.len() >= self.config.max_hosts {
            let at_once = self.config.at_once_per_host.max(1);
            hosts.retain(|_, permits| Arc::strong_count(permits) > 1 || permits.available_permits() < at_once);
        }
        let permits = Arc::new(Semaphore::new(self.config.at_once_per_host.max(1)));
        hosts.insert(host.to_owned(), permits.clone());
        permits
    }
}

fn busy(host: &str, wait: Duration) -> FetchError {
    let message =
        format!("{host} is asked no oftener than it allows, and may be asked again in {}; try it again then.", in_words(wait));
    FetchError { retry_after_ms: Some(wait.as_millis() as u64), ..FetchError::new(FetchFailure::Busy, message) }
}

/// A time to wait as a person says it.
pub(crate) fn in_words(wait: Duration) -> String {
    let (count, unit) = match wait.as_secs_f64() {
        seconds if seconds < 90.0 => (seconds, "second"),
        seconds if seconds < 5_400.0 => (seconds / 60.0, "minute"),
        seconds if seconds < 129_600.0 => (seconds / 3_600.0, "hour"),
        seconds => (seconds / 86_400.0, "day"),
    };
    let count = count.round().max(1.0);
    format!("{count} {unit}{}", if count > 1.0 { "s" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_to_wait_is_said_as_people_say_it() {
        let table = [(0, "1 second"), (45, "45 seconds"), (600, "10 minutes"), (7_198, "2 hours"), (172_800, "2 days")];
        for (seconds, words) in table {
            assert_eq!(in_words(Duration::from_secs(seconds)), words);
        }
    }
}
