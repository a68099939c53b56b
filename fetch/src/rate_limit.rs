//! Rate limit and concurrency limit per host.
//!
//! Reservations go through [`RateLimiter`], so that processes can share them; concurrency is limited per process.

mod memory;

pub use memory::MemoryRateLimiter;

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

domain::settings! {
    /// The `fetch.rate_limit` part of the configuration.
    #[derive(Debug, Clone, Deserialize)]
    pub struct RateLimitConfig {
        /// Interval between two requests to one host; a longer crawl delay in robots.txt takes precedence.
        pub interval_ms: u64 = 1_000,
        /// Requests that an idle host may receive at once.
        pub burst: u32 = 2,
        /// Concurrent requests to one host, and in total.
        pub at_once_per_host: usize = 2,
        pub at_once: usize = 32,
        /// Longest wait for a host permit; longer waits fail with the time to retry.
        pub max_wait_ms: u64 = 120_000,
        /// Upper bound on `Retry-After` and crawl delays.
        pub max_pause_ms: u64 = 86_400_000,
        /// Hosts that are tracked; idle ones are evicted first.
        pub max_hosts: usize = 10_000,
    }
}

/// Rate limit of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    pub interval: Duration,
    pub burst: u32,
    /// Reservations further ahead than this are refused.
    pub max_wait: Duration,
}

impl RateLimit {
    /// Time by which a burst may run ahead of the interval.
    pub fn burst_lead(&self) -> Duration {
        self.interval.saturating_mul(self.burst.saturating_sub(1))
    }
}

/// Rate limiter by key. Every method is atomic; processes may share the state.
#[async_trait]
pub trait RateLimiter: fmt::Debug + Send + Sync {
    /// Reserves the next request and returns the wait until then. If that exceeds `max_wait`, reserves nothing and returns the
    /// wait as an error.
    async fn reserve(&self, key: &str, limit: RateLimit) -> Result<Duration, Duration>;
    /// Blocks the key for the given time.
    async fn pause(&self, key: &str, pause: Duration);
}

/// Host limiter: rate limit and concurrency limit of all hosts.
#[derive(Debug)]
pub(crate) struct HostLimiter {
    config: RateLimitConfig,
    limiter: Arc<dyn RateLimiter>,
    all: Arc<Semaphore>,
    hosts: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// Permit for one request to a host; dropping it releases the concurrency slots.
#[derive(Debug)]
pub(crate) struct HostPermit {
    _host: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl HostLimiter {
    pub fn new(config: RateLimitConfig, limiter: Arc<dyn RateLimiter>) -> Self {
        let all = Arc::new(Semaphore::new(config.at_once.max(1)));
        Self { config, limiter, all, hosts: Mutex::default() }
    }

    /// Interval for hosts without a crawl delay.
    pub fn default_interval(&self) -> Duration {
        Duration::from_millis(self.config.interval_ms)
    }

    /// The pause requested by a host, capped by the configuration.
    pub fn cap_pause(&self, pause: Duration) -> Duration {
        pause.min(Duration::from_millis(self.config.max_pause_ms))
    }

    /// Waits for a permit. `interval` is the host's own; `None` uses the default.
    pub async fn acquire(&self, host: &str, interval: Option<Duration>) -> Result<HostPermit, FetchError> {
        let max_wait = Duration::from_millis(self.config.max_wait_ms);
        let permit = timeout(max_wait, self.wait_for_permit(host, interval, max_wait)).await;
        permit.unwrap_or_else(|_| Err(busy(host, max_wait)))
    }

    /// Pauses a host, by an interval that is already capped.
    pub async fn pause(&self, host: &str, pause: Duration) {
        self.limiter.pause(host, pause).await;
    }

    async fn wait_for_permit(
        &self,
        host: &str,
        interval: Option<Duration>,
        max_wait: Duration,
    ) -> Result<HostPermit, FetchError> {
        let closed = |_| busy(host, max_wait);
        let own = self.host(host).acquire_owned().await.map_err(closed)?;
        let limit = match interval {
            Some(interval) => RateLimit { interval: self.cap_pause(interval), burst: 1, max_wait },
            None => RateLimit { interval: self.default_interval(), burst: self.config.burst.max(1), max_wait },
        };
        match self.limiter.reserve(host, limit).await {
            Ok(wait) => sleep(wait).await,
            Err(wait) => return Err(busy(host, wait)),
        }
        let all = self.all.clone().acquire_owned().await.map_err(closed)?;
        Ok(HostPermit { _host: own, _all: all })
    }

    /// Concurrency slots of a host; unused ones are evicted when there are too many.
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
    let message = format!("The rate limit of {host} is reached; try again in {}.", human_duration(wait));
    FetchError { retry_after_ms: Some(wait.as_millis() as u64), ..FetchError::new(FetchFailure::Busy, message) }
}

/// Duration in words, such as "10 minutes".
pub(crate) fn human_duration(wait: Duration) -> String {
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
    use futures::future::join_all;
    use tokio::time::{Instant, advance};

    fn limiter(config: RateLimitConfig) -> HostLimiter {
        HostLimiter::new(config.clone(), Arc::new(MemoryRateLimiter::new(config.max_hosts)))
    }

    #[tokio::test(start_paused = true)]
    async fn requests_to_one_host_are_spaced_and_hosts_do_not_delay_each_other() {
        let limiter = limiter(RateLimitConfig { burst: 1, ..RateLimitConfig::default() });
        let started = Instant::now();
        let hosts: Vec<String> = (0..50).map(|n| format!("h{n}.example.org")).collect();
        let limiter = &limiter;
        let requests = (0..20).flat_map(|_| &hosts).map(|host| async move {
            let _permit = limiter.acquire(host, None).await.unwrap();
            (host, started.elapsed().as_secs())
        });
        let mut times: HashMap<&String, Vec<u64>> = HashMap::new();
        join_all(requests).await.into_iter().for_each(|(host, time)| times.entry(host).or_default().push(time));
        let expected: Vec<u64> = (0..20).collect();
        for (host, mut times) in times {
            times.sort_unstable();
            assert_eq!(times, expected, "{host}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_has_so_many_open_requests_and_a_further_one_waits_only_so_long() {
        let config = RateLimitConfig { interval_ms: 0, max_wait_ms: 5_000, ..RateLimitConfig::default() };
        let limiter = limiter(config);
        let open = [limiter.acquire("a", None).await.unwrap(), limiter.acquire("a", None).await.unwrap()];
        let started = Instant::now();
        assert_eq!(limiter.acquire("a", None).await.unwrap_err().reason, FetchFailure::Busy);
        assert_eq!(started.elapsed().as_secs(), 5);
        assert!(limiter.acquire("b", None).await.is_ok(), "another host has its own slots");
        drop(open);
        assert!(limiter.acquire("a", None).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_paused_host_fails_at_once_with_the_time_to_retry() {
        let limiter = limiter(RateLimitConfig::default());
        limiter.pause("a", Duration::from_secs(600)).await;
        let started = Instant::now();
        let error = limiter.acquire("a", None).await.unwrap_err();
        assert_eq!((error.retry_after_ms, started.elapsed()), (Some(599_000), Duration::ZERO));
        advance(Duration::from_secs(600)).await;
        assert!(limiter.acquire("a", None).await.is_ok());
    }

    #[test]
    fn durations_are_written_in_words() {
        let table = [(0, "1 second"), (45, "45 seconds"), (600, "10 minutes"), (7_198, "2 hours"), (172_800, "2 days")];
        for (seconds, words) in table {
            assert_eq!(human_duration(Duration::from_secs(seconds)), words);
        }
    }
}
