//! Services of the scaled-out size beside the database: Neo4j and Redis.

use super::OpenError;
use crate::{
    config::{Config, environment},
    system::SystemIds,
};
use adapters::{
    graph::{Neo4jArchive, Neo4jGraph},
    redis::{Redis, RedisCache, RedisConfig, RedisLimits, RedisQueue},
    sql::Store,
};
use engine::{
    Clock, StoreError,
    agents::cache::ToolCache,
    archive::{ArchiveStore, CombinedStore},
    graph::resolve::Cascade,
    limits::RateLimits,
    names::NameMatcher,
    queue::{GuardedQueue, Queue},
    reliability::DependencyGuard,
};
use std::{sync::Arc, time::Duration};

/// Ports that all processes share through Redis.
pub(super) struct SharedPorts {
    pub redis: Redis,
    pub queue: Arc<dyn Queue>,
    pub tool_cache: Arc<dyn ToolCache>,
    pub limits: Arc<dyn RateLimits>,
}

pub(super) fn shared_ports(
    config: &Config,
    redis: &Redis,
    store: &Arc<Store>,
    guard: impl Fn(&str) -> DependencyGuard,
) -> SharedPorts {
    let guarded = redis.guarded_by(guard("redis"));
    let queue = RedisQueue::new(redis, store.clone(), Arc::new(SystemIds), config.engine.heartbeat_ms);
    SharedPorts {
        // The queue has a guard of its own, because its long calls must not probe.
        queue: Arc::new(GuardedQueue::new(Arc::new(queue), guard("redis queue"))),
        tool_cache: Arc::new(RedisCache::new(&guarded)),
        limits: Arc::new(RedisLimits::new(&guarded)),
        redis: guarded,
    }
}

/// Connects to Redis, if it is configured, and continues if it is unavailable: only what needs Redis waits for it.
pub(super) async fn open_redis(config: &Config, clock: Arc<dyn Clock>) -> Result<Option<Redis>, OpenError> {
    let Some(address) = &config.redis.url else { return Ok(None) };
    let settings = RedisConfig { retry: config.reliability.store, ..config.redis.clone() };
    let failed = |cause| OpenError::Service { setting: "redis.url", address: address.to_string(), cause };
    let redis = Redis::new(address, settings, clock).map_err(failed)?;
    let timeout = Duration::from_millis(config.redis.connect_timeout_ms.saturating_add(config.redis.timeout_ms));
    let why = match tokio::time::timeout(timeout, redis.ping()).await {
        Ok(Ok(())) => return Ok(Some(redis)),
        Ok(Err(StoreError::Unavailable(why))) => why,
        Ok(Err(cause)) => return Err(failed(cause)),
        Err(_) => format!("no answer within {} ms", timeout.as_millis()),
    };
    tracing::warn!(why, %address, "redis unavailable, work orders wait until it is back");
    Ok(Some(redis))
}

/// Connects to Neo4j, if it is configured.
pub(super) async fn open_neo4j(
    config: &Config,
    store: &Store,
    names: Arc<NameMatcher>,
) -> Result<Option<Neo4jGraph>, OpenError> {
    let Some(address) = &config.graph.neo4j.url else { return Ok(None) };
    let opened = Neo4jGraph::connect(&config.graph, environment::neo4j_password().as_ref(), store).await;
    let failed = |cause| OpenError::Service { setting: "graph.neo4j.url", address: address.to_string(), cause };
    opened.map(|graph| Some(graph.with_names(names))).map_err(failed)
}

/// Combines state store and graph into one store for backup, restore and migration.
pub(super) fn combine(store: &Store, graph: Neo4jGraph, resolve: Arc<Cascade>) -> Arc<dyn ArchiveStore> {
    Arc::new(CombinedStore::new(Arc::new(store.clone()), Arc::new(Neo4jArchive::new(graph, resolve))))
}
