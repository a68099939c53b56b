//! Redis, where the processes of a scaled-out installation meet: the queue of work orders, results of tools, rate limits and news.
//!
//! Invariant: nothing is kept here alone. What is lost with Redis is made again from the database (`queue`) or fetched again (`cache`).
//! The queue is needed for work to go on; without the rest the product is slower, never wrong.

mod cache;
mod config;
mod limits;
pub(crate) mod news;
mod pace;
mod queue;

pub use cache::RedisCache;
pub use config::RedisConfig;
pub use limits::RedisLimits;
pub use pace::RedisPace;
pub use queue::RedisQueue;

use crate::{Address, sql::Moments};
use engine::{
    Clock, StoreError, StoreResult,
    reliability::retry::{RetryAdvice, retry},
};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, FromRedisValue, RedisError, RedisResult, ScriptInvocation,
    aio::{ConnectionManager, ConnectionManagerConfig, MultiplexedConnection, PubSub},
};
use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

/// A connection that is made anew when it breaks; a cheap clone.
#[derive(Clone)]
pub struct Redis {
    inner: Arc<Inner>,
}

struct Inner {
    client: Client,
    shared: RwLock<Arc<ConnectionManager>>,
    config: RedisConfig,
    clock: Arc<dyn Clock>,
    chance: Moments,
}

impl Redis {
    /// Connects with the first command, and anew whenever the connection is lost. Needs a tokio runtime.
    pub fn new(address: &Address, config: RedisConfig, clock: Arc<dyn Clock>) -> StoreResult<Self> {
        let client = Client::open(address.exposed()).map_err(translate)?;
        let shared = manager(&client, &config).map_err(translate)?;
        let (shared, chance) = (RwLock::new(Arc::new(shared)), Moments(clock.clone()));
        Ok(Self { inner: Arc::new(Inner { client, shared, config, clock, chance }) })
    }

    /// Whether it answers, and lets this program in: `Unavailable` may be otherwise in a moment, `Invalid` only after a person acted, and
    /// `Defect` says that something answered that is no Redis.
    pub async fn ping(&self) -> StoreResult<()> {
        self.ask(&redis::cmd("PING")).await.map_err(|error| match is_refused(&error) {
            true => StoreError::Invalid(refusal(&error)),
            false => translate(error),
        })
    }

    /// Its version, and what is wrong with how it is set up, for people.
    pub async fn describe(&self) -> StoreResult<(String, Option<String>)> {
        let info = Info(self.command(&redis::cmd("INFO")).await?);
        Ok((format!("Redis {}", info.value("redis_version").unwrap_or("unknown")), info.problem()))
    }

    /// Whether it has room for what can be done without. One whose limit is unknown has.
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

    /// How long until a moment, as a time to live; at least one millisecond.
    fn ttl_ms(&self, until: domain::Timestamp) -> u64 {
        u64::try_from(until.ms_since(self.inner.clock.now())).unwrap_or(0).max(1)
    }

    /// A command, again and again where that may help (`reliability.store`): only for what may be done twice without harm.
    async fn command<T: FromRedisValue>(&self, command: &Cmd) -> StoreResult<T> {
        self.ask(command).await.map_err(translate)
    }

    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> RedisResult<T> {
        let ask = || self.over(|mut shared| async move { command.query_async(&mut shared).await });
        retry(&self.inner.config.retry, &self.inner.chance, ask, again).await
    }

    /// The same of a script.
    async fn script<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> RedisResult<T> {
        let ask = || self.over(|mut shared| async move { script.invoke_async(&mut shared).await });
        retry(&self.inner.config.retry, &self.inner.chance, ask, again).await
    }

    /// A script that must not be done twice.
    async fn script_once<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> RedisResult<T> {
        self.over(|mut shared| async move { script.invoke_async(&mut shared).await }).await
    }

    /// Asks over the shared connection. Its manager makes a new one when the wire breaks, but never again after one was refused, or after
    /// somebody else than Redis had answered: then another manager takes its place, for whoever asks next.
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

    /// A connection of its own for reads that wait up to `wait`.
    async fn waiting_connection(&self, wait: Duration) -> RedisResult<MultiplexedConnection> {
        let config = &self.inner.config;
        let timeouts = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(Duration::from_millis(config.connect_timeout_ms)))
            .set_response_timeout(Some(wait + Duration::from_millis(config.timeout_ms)));
        self.inner.client.get_multiplexed_async_connection_with_config(&timeouts).await
    }

    /// A connection of its own that only listens to one channel.
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

/// One that has not connected yet.
fn manager(client: &Client, config: &RedisConfig) -> RedisResult<ConnectionManager> {
    let manager = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(Duration::from_millis(config.connect_timeout_ms)))
        .set_response_timeout(Some(Duration::from_millis(config.timeout_ms)))
        // Trying again is for whoever asked: see `command`.
        .set_number_of_retries(1)
        .set_max_delay(Duration::from_millis(config.retry.initial_backoff_ms.max(1)));
    ConnectionManager::new_lazy_with_config(client.clone(), manager)
}

/// What Redis tells of itself: a line for each value.
struct Info(String);

impl Info {
    fn value(&self, name: &str) -> Option<&str> {
        self.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.value(name)?.parse().ok()
    }

    /// What is wrong with how it is set up.
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

fn again(error: &RedisError) -> RetryAdvice {
    if is_passing(error) { RetryAdvice::Soon } else { RetryAdvice::Never }
}

/// Whether it may be otherwise in a moment: it cannot be reached, is loading, is busy, or cannot save.
fn is_passing(error: &RedisError) -> bool {
    error.is_io_error()
        || error.is_timeout()
        || error.is_connection_dropped()
        || matches!(error.code(), Some("LOADING" | "BUSY" | "TRYAGAIN" | "MASTERDOWN" | "READONLY" | "CLUSTERDOWN" | "MISCONF"))
}

/// Whether the user, the password or the number of the database is refused: by a command, or by the library when it connects, which
/// has no kind for the last.
fn is_refused(error: &RedisError) -> bool {
    let says = |words: &str| error.to_string().contains(words);
    error.kind() == ErrorKind::AuthenticationFailed
        || matches!(error.code(), Some("NOAUTH" | "WRONGPASS" | "NOPERM"))
        || says("DB index is out of range")
        || says("invalid DB index")
}

/// Whether no connection was made, for a reason after which the library makes none any more.
fn is_stuck(error: &RedisError) -> bool {
    matches!(error.kind(), ErrorKind::AuthenticationFailed | ErrorKind::Parse)
        || error.to_string().contains("refused to switch database")
}

fn refusal(error: &RedisError) -> String {
    format!("Redis refuses the user, the password or the database of redis.url: {error}")
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
    fn a_refused_password_is_no_defect() {
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
