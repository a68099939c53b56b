//! Redis, shared by the processes of a scaled-out installation: work-order queue, tool-result cache, rate limits and notifications.
//!
//! Invariant: Redis is never the only copy. Lost data is rebuilt from the database (`queue`) or fetched again (`cache`). Only the queue
//! is needed for work to go on; without the rest the product is slower, never wrong.

mod cache;
mod config;
mod host_permits;
mod limits;
pub(crate) mod pubsub;
mod queue;

pub use cache::RedisCache;
pub use config::RedisConfig;
pub use host_permits::RedisHostPermits;
pub use limits::RedisLimits;
pub use queue::RedisQueue;

use crate::{Address, sql::ClockJitter};
use engine::{
    Clock, StoreError, StoreResult,
    reliability::{
        CircuitOpen, DependencyGuard,
        retry::{RetryAdvice, retry},
    },
};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, FromRedisValue, RedisError, RedisResult, ScriptInvocation,
    aio::{ConnectionManager, ConnectionManagerConfig, MultiplexedConnection, PubSub},
};
use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

/// A connection that is renewed when it breaks; a cheap clone.
#[derive(Clone)]
pub struct Redis {
    inner: Arc<Inner>,
    guard: Option<Arc<DependencyGuard>>,
}

struct Inner {
    client: Client,
    shared: RwLock<Arc<ConnectionManager>>,
    config: RedisConfig,
    clock: Arc<dyn Clock>,
    jitter: ClockJitter,
}

impl Redis {
    /// Creates a client that connects with its first command and after every loss. Needs a tokio runtime.
    pub fn new(address: &Address, config: RedisConfig, clock: Arc<dyn Clock>) -> StoreResult<Self> {
        let client = Client::open(address.exposed()).map_err(translate)?;
        let shared = manager(&client, &config).map_err(translate)?;
        let (shared, jitter) = (RwLock::new(Arc::new(shared)), ClockJitter(clock.clone()));
        Ok(Self { inner: Arc::new(Inner { client, shared, config, clock, jitter }), guard: None })
    }

    /// Returns the same connection with a circuit breaker: while the server does not answer, commands fail at once.
    pub fn guarded_by(&self, guard: DependencyGuard) -> Self {
        Self { guard: Some(Arc::new(guard)), ..self.clone() }
    }

    /// Checks that Redis answers and accepts the credentials: `Unavailable` may pass, `Invalid` needs a person, `Defect` means that
    /// another service answered.
    pub async fn ping(&self) -> StoreResult<()> {
        self.ask(&redis::cmd("PING")).await.map_err(|error| match is_refused(&error) {
            true => StoreError::Invalid(refusal(&error)),
            false => translate(error),
        })
    }

    /// Returns its version and any problem of its settings, as text.
    pub async fn describe(&self) -> StoreResult<(String, Option<String>)> {
        let info = Info(self.command(&redis::cmd("INFO")).await?);
        Ok((format!("Redis {}", info.value("redis_version").unwrap_or("unknown")), info.problem()))
    }

    /// Whether it has room for optional data; true when its limit is unknown.
    async fn has_room(&self) -> StoreResult<bool> {
        let info = Info(self.command(redis::cmd("INFO").arg("memory")).await?);
        let (used, most) = (info.number("used_memory"), info.number("maxmemory"));
        Ok(match (used, most) {
            (Some(used), Some(most)) if most > 0 => (used as f64) < most as f64 * self.config().cache_share,
            _ => true,
        })
    }

    fn config(&self) -> &RedisConfig {
        &self.inner.config
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.inner.config.prefix)
    }

    /// Returns the time until a moment as a time to live; at least one millisecond.
    fn ttl_ms(&self, until: domain::Timestamp) -> u64 {
        u64::try_from(until.ms_since(self.inner.clock.now())).unwrap_or(0).max(1)
    }

    /// Runs an idempotent command, with retries (`reliability.store`).
    async fn command<T: FromRedisValue>(&self, command: &Cmd) -> StoreResult<T> {
        self.ask(command).await.map_err(translate)
    }

    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> RedisResult<T> {
        let ask = || self.over(|mut shared| async move { command.query_async(&mut shared).await });
        self.call(retry(&self.inner.config.retry, &self.inner.jitter, ask, retry_class)).await
    }

    /// Runs an idempotent script, with retries.
    async fn script<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> RedisResult<T> {
        let ask = || self.over(|mut shared| async move { script.invoke_async(&mut shared).await });
        self.call(retry(&self.inner.config.retry, &self.inner.jitter, ask, retry_class)).await
    }

    /// Runs a script that must not be repeated.
    async fn script_once<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> RedisResult<T> {
        self.call(self.over(|mut shared| async move { script.invoke_async(&mut shared).await })).await
    }

    /// Makes a call, unless the circuit is open.
    async fn call<T>(&self, call: impl Future<Output = RedisResult<T>>) -> RedisResult<T> {
        let Some(guard) = &self.guard else { return call.await };
        let outage = |result: &RedisResult<T>| {
            result.as_ref().err().filter(|error| is_passing(error) || is_refused(error)).map(ToString::to_string)
        };
        let open = |CircuitOpen { reason }| Err(std::io::Error::new(std::io::ErrorKind::NotConnected, reason).into());
        guard.call(call, outage).await.unwrap_or_else(open)
    }

    /// Runs a query on the shared connection. Its manager reconnects after a broken connection, but never after rejected credentials or a
    /// foreign server; then this replaces the manager for later queries.
    async fn over<T, F: Future<Output = RedisResult<T>>>(&self, ask: impl FnOnce(ConnectionManager) -> F) -> RedisResult<T> {
        let used = self.inner.shared.read().unwrap_or_else(PoisonError::into_inner).clone();
        let answer = ask(ConnectionManager::clone(&used)).await;
        if answer.as_ref().is_err_and(is_stuck)
            && let Ok(new) = manager(&self.inner.client, &self.inner.config)
        {
            let mut shared = self.inner.shared.write().unwrap_or_else(PoisonError::into_inner);
            // Of many who were refused together the first is enough.
            if Arc::ptr_eq(&shared, &used) {
                *shared = Arc::new(new);
            }
        }
        answer
    }

    /// Opens a separate connection for reads that wait up to `wait`.
    async fn waiting_connection(&self, wait: Duration) -> RedisResult<MultiplexedConnection> {
        let config = &self.inner.config;
        let timeouts = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(Duration::from_millis(config.connect_timeout_ms)))
            .set_response_timeout(Some(wait + Duration::from_millis(config.timeout_ms)));
        self.inner.client.get_multiplexed_async_connection_with_config(&timeouts).await
    }

    /// Opens a separate connection subscribed to one channel.
    async fn subscription(&self, channel: &str) -> RedisResult<PubSub> {
        let RedisConfig { connect_timeout_ms, timeout_ms, .. } = self.config();
        let subscribing = async {
            let mut listening = self.inner.client.get_async_pubsub().await?;
            listening.subscribe(self.key(channel)).await?;
            Ok(listening)
        };
        let patience = Duration::from_millis(connect_timeout_ms + timeout_ms);
        tokio::time::timeout(patience, subscribing).await.unwrap_or_else(|late| Err(std::io::Error::from(late).into()))
    }
}

/// Returns a manager that has not connected yet.
fn manager(client: &Client, config: &RedisConfig) -> RedisResult<ConnectionManager> {
    let manager = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(Duration::from_millis(config.connect_timeout_ms)))
        .set_response_timeout(Some(Duration::from_millis(config.timeout_ms)))
        // The caller retries: see `command`.
        .set_number_of_retries(1)
        .set_max_delay(Duration::from_millis(config.retry.initial_backoff_ms.max(1)));
    ConnectionManager::new_lazy_with_config(client.clone(), manager)
}

/// The reply of `INFO`: one value per line.
struct Info(String);

impl Info {
    fn value(&self, name: &str) -> Option<&str> {
        self.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.value(name)?.parse().ok()
    }

    /// Returns the problems of its settings.
    fn problem(&self) -> Option<String> {
        let evicts = self.value("maxmemory_policy").filter(|policy| *policy != "noeviction").map(|policy| {
            format!(
                "maxmemory-policy is {policy}, which may throw the queue away: set it to noeviction in the settings of Redis"
            )
        });
        let unlimited = (self.number("maxmemory") == Some(0)).then(|| {
            "maxmemory is 0, so that it grows until the machine ends it: set it in the settings of Redis to three quarters of the \
             memory that it may have"
                .to_owned()
        });
        let problems: Vec<String> = evicts.into_iter().chain(unlimited).collect();
        (!problems.is_empty()).then(|| problems.join("; "))
    }
}

fn retry_class(error: &RedisError) -> RetryAdvice {
    if is_passing(error) { RetryAdvice::Soon } else { RetryAdvice::Never }
}

/// Whether the error may pass: unreachable, loading, busy, or unable to save.
fn is_passing(error: &RedisError) -> bool {
    error.is_io_error()
        || error.is_timeout()
        || error.is_connection_dropped()
        || matches!(error.code(), Some("LOADING" | "BUSY" | "TRYAGAIN" | "MASTERDOWN" | "READONLY" | "CLUSTERDOWN" | "MISCONF"))
}

/// Whether user, password or database number were rejected, by a command or by the library while connecting, which has no error kind for
/// the last.
fn is_refused(error: &RedisError) -> bool {
    let says = |words: &str| error.to_string().contains(words);
    error.kind() == ErrorKind::AuthenticationFailed
        || matches!(error.code(), Some("NOAUTH" | "WRONGPASS" | "NOPERM"))
        || says("DB index is out of range")
        || says("invalid DB index")
}

/// Whether connecting failed for a reason after which the library never reconnects.
fn is_stuck(error: &RedisError) -> bool {
    matches!(error.kind(), ErrorKind::AuthenticationFailed | ErrorKind::Parse)
        || error.to_string().contains("refused to switch database")
}

fn refusal(error: &RedisError) -> String {
    format!("Redis rejected the user, the password or the database in redis.url: {error}")
}

fn translate(error: RedisError) -> StoreError {
    match error.code() {
        Some("OOM") => StoreError::Unavailable("Redis is out of memory: raise maxmemory".into()),
        _ if is_refused(&error) => StoreError::Unavailable(refusal(&error)),
        _ if is_passing(&error) => StoreError::Unavailable(format!("Redis: {error}")),
        _ => StoreError::Defect(format!("Redis: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_password_is_a_configuration_error() {
        let error = translate((ErrorKind::AuthenticationFailed, "Password authentication failed").into());
        assert!(matches!(&error, StoreError::Unavailable(why) if why.contains("redis.url")), "{error}");
    }

    #[test]
    fn a_server_that_may_lose_the_queue_or_grow_without_end_is_named() {
        let problem = |policy: &str, most: u64| {
            Info(format!("# Memory\r\nused_memory:1024\r\nmaxmemory:{most}\r\nmaxmemory_policy:{policy}\r\n")).problem()
        };
        assert_eq!(problem("noeviction", 402_653_184), None);
        let unlimited = problem("noeviction", 0).unwrap();
        assert!(unlimited.contains("maxmemory is 0") && !unlimited.contains("policy"), "{unlimited}");
        let both = problem("allkeys-lru", 0).unwrap();
        assert!(both.contains("allkeys-lru") && both.contains("maxmemory is 0"), "{both}");
        assert_eq!(Info("# Server\r\n".to_owned()).problem(), None, "what it does not tell is no fault");
    }
}
