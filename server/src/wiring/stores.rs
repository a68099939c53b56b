//! Choice of the stores: one data directory, or the services of the scaled-out size.

use super::OpenError;
use crate::{
    config::{Config, environment},
    data_dir::DataDir,
    features,
    system::SystemIds,
};
use adapters::{
    Address,
    graph::{EmbeddedArchive, Neo4jArchive, Neo4jGraph, SqliteGraph},
    limits::LocalLimits,
    redis::{Redis, RedisCache, RedisConfig, RedisLimits, RedisQueue},
    sql::{SqlConfig, Store},
};
use engine::{
    Clock, StoreError,
    agents::cache::ToolCache,
    archive::{ArchiveStore, CombinedStore},
    graph::{Graph, resolve::Cascade},
    limits::RateLimits,
    names::NameMatcher,
    queue::{GuardedQueue, Queue},
    reliability::{BreakerConfig, DependencyGuard},
};
use std::{sync::Arc, time::Duration};

/// State store, graph, and ports shared between processes.
pub(super) struct Stores {
    pub store: Store,
    pub graph: Arc<dyn Graph>,
    pub redis: Option<Redis>,
    pub queue: Arc<dyn Queue>,
    pub tool_cache: Arc<dyn ToolCache>,
    pub limits: Arc<dyn RateLimits>,
}

impl Stores {
    /// Opens the configured stores. `names` picks the canonical names of entities.
    pub async fn open(
        config: &Config,
        data_dir: &DataDir,
        clock: Arc<dyn Clock>,
        names: Arc<NameMatcher>,
    ) -> Result<Self, OpenError> {
        let redis = match &config.redis.url {
            Some(address) => Some(open_redis(config, address, clock.clone()).await?),
            None => None,
        };
        let store = open_store(config, data_dir, clock.clone(), redis.as_ref()).await?;
        let port = Arc::new(store.clone());
        let guard = |dependency| guard(dependency, &port, clock.clone(), config.reliability.breaker.for_stores());
        let graph = open_graph(config, data_dir, &store, names, guard("neo4j")).await?;
        // The queue has a guard of its own, because its long calls must not probe.
        let redis = redis.map(|redis| (redis.guarded_by(guard("redis")), redis));
        let (queue, tool_cache, limits): (Arc<dyn Queue>, Arc<dyn ToolCache>, Arc<dyn RateLimits>) = match &redis {
            Some((guarded, redis)) => (
                Arc::new(GuardedQueue::new(
                    Arc::new(RedisQueue::new(redis, port.clone(), Arc::new(SystemIds), config.engine.heartbeat_ms)),
                    guard("redis queue"),
                )),
                Arc::new(RedisCache::new(guarded)),
                Arc::new(RedisLimits::new(guarded)),
            ),
            None => (port.clone(), port.clone(), Arc::new(LocalLimits::new(clock.clone()))),
        };
        Ok(Self { store, graph, redis: redis.map(|(guarded, _)| guarded), queue, tool_cache, limits })
    }
}

/// Circuit breaker of a dependency; `port` keeps its state.
pub(super) fn guard(dependency: &str, port: &Arc<Store>, clock: Arc<dyn Clock>, config: BreakerConfig) -> DependencyGuard {
    DependencyGuard::new(dependency, port.clone(), clock, Arc::new(SystemIds), config)
}

/// Opens state store and graph for backup, restore and migration, without queue and caches.
pub(super) async fn open_archive_store(
    config: &Config,
    data_dir: &DataDir,
    clock: Arc<dyn Clock>,
    names: Arc<NameMatcher>,
) -> Result<(Store, Arc<dyn ArchiveStore>), OpenError> {
    let store = open_store(config, data_dir, clock, None).await?;
    let resolve = Arc::new(Cascade::new(names.clone(), config.resolve.clone()));
    let archive: Arc<dyn ArchiveStore> = match open_neo4j(config, &store, names.clone()).await? {
        Some(graph) => Arc::new(CombinedStore::new(Arc::new(store.clone()), Arc::new(Neo4jArchive::new(graph, resolve)))),
        None => Arc::new(EmbeddedArchive::new(store.clone(), open_embedded(config, data_dir, &store, names)?, resolve)),
    };
    Ok((store, archive))
}

/// Connects to Redis, and continues if it is unavailable: only what needs Redis waits for it.
async fn open_redis(config: &Config, address: &Address, clock: Arc<dyn Clock>) -> Result<Redis, OpenError> {
    let settings = RedisConfig { retry: config.reliability.store, ..config.redis.clone() };
    let failed = |cause| OpenError::Service { setting: "redis.url", address: address.to_string(), cause };
    let redis = Redis::new(address, settings, clock).map_err(failed)?;
    let timeout = Duration::from_millis(config.redis.connect_timeout_ms.saturating_add(config.redis.timeout_ms));
    let why = match tokio::time::timeout(timeout, redis.ping()).await {
        Ok(Ok(())) => return Ok(redis),
        Ok(Err(StoreError::Unavailable(why))) => why,
        Ok(Err(cause)) => return Err(failed(cause)),
        Err(_) => format!("no answer within {} ms", timeout.as_millis()),
    };
    tracing::warn!(why, %address, "redis unavailable, work orders wait until it is back");
    Ok(redis)
}

async fn open_store(
    config: &Config,
    data_dir: &DataDir,
    clock: Arc<dyn Clock>,
    redis: Option<&Redis>,
) -> Result<Store, OpenError> {
    let sql = SqlConfig { retry: config.reliability.store, ..config.sql.clone() };
    match &config.sql.url {
        Some(address) => Store::open_postgres_with(address.exposed(), sql, clock, redis, features::schemas())
            .await
            .map_err(|cause| OpenError::Service { setting: "sql.url", address: address.to_string(), cause }),
        None => Store::open_sqlite_with(&data_dir.database(), sql, clock, features::schemas())
            .await
            .map_err(|cause| no_database(data_dir, cause)),
    }
}

async fn open_graph(
    config: &Config,
    data_dir: &DataDir,
    store: &Store,
    names: Arc<NameMatcher>,
    guard: DependencyGuard,
) -> Result<Arc<dyn Graph>, OpenError> {
    Ok(match open_neo4j(config, store, names.clone()).await? {
        Some(graph) => Arc::new(graph.guarded_by(guard)),
        None => Arc::new(open_embedded(config, data_dir, store, names)?),
    })
}

async fn open_neo4j(config: &Config, store: &Store, names: Arc<NameMatcher>) -> Result<Option<Neo4jGraph>, OpenError> {
    let Some(address) = &config.graph.neo4j.url else { return Ok(None) };
    let opened = Neo4jGraph::connect(&config.graph, environment::neo4j_password().as_ref(), store).await;
    let failed = |cause| OpenError::Service { setting: "graph.neo4j.url", address: address.to_string(), cause };
    opened.map(|graph| Some(graph.with_names(names))).map_err(failed)
}

fn open_embedded(
    config: &Config,
    data_dir: &DataDir,
    store: &Store,
    names: Arc<NameMatcher>,
) -> Result<SqliteGraph, OpenError> {
    if config.is_scaled_out() {
        return Err(OpenError::Configuration(
            "sql.url is set, and PostgreSQL holds no graph: set graph.neo4j.url too, or take sql.url out to keep \
             everything in the data directory"
                .to_owned(),
        ));
    }
    let graph = SqliteGraph::new(store, config.graph.clone()).map_err(|cause| no_database(data_dir, cause))?;
    Ok(graph.with_names(names))
}

fn no_database(data_dir: &DataDir, cause: StoreError) -> OpenError {
    OpenError::Database { path: data_dir.path().to_owned(), cause }
}
