//! Choice of the stores: one data directory, or the services of the scaled-out size.

use super::OpenError;
#[cfg(feature = "scale")]
use super::services::{self, SharedPorts};
use crate::{config::Config, data_dir::DataDir, features, system::SystemIds};
use adapters::{
    graph::{EmbeddedArchive, SqliteGraph},
    limits::LocalLimits,
    redis::Redis,
    sql::{SqlConfig, Store},
};
use engine::{
    Clock, StoreError,
    agents::cache::ToolCache,
    archive::ArchiveStore,
    graph::{Graph, resolve::Cascade},
    limits::RateLimits,
    names::NameMatcher,
    queue::Queue,
    reliability::{BreakerConfig, DependencyGuard},
};
use std::sync::Arc;

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
        #[cfg(feature = "scale")]
        let redis = services::open_redis(config, clock.clone()).await?;
        #[cfg(not(feature = "scale"))]
        let redis: Option<Redis> = None;
        let store = open_store(config, data_dir, clock.clone(), redis.as_ref()).await?;
        let port = Arc::new(store.clone());
        let guard = |dependency: &str| guard(dependency, &port, clock.clone(), config.reliability.breaker.for_stores());
        let graph = open_graph(config, data_dir, &store, names, guard("neo4j")).await?;
        #[cfg(feature = "scale")]
        if let Some(redis) = &redis {
            let SharedPorts { redis, queue, tool_cache, limits } = services::shared_ports(config, redis, &port, guard);
            return Ok(Self { store, graph, redis: Some(redis), queue, tool_cache, limits });
        }
        let limits = Arc::new(LocalLimits::new(clock.clone()));
        Ok(Self { store, graph, redis, queue: port.clone(), tool_cache: port.clone(), limits })
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
    #[cfg(feature = "scale")]
    if let Some(graph) = services::open_neo4j(config, &store, names.clone()).await? {
        let archive = services::combine(&store, graph, resolve);
        return Ok((store, archive));
    }
    let graph = open_embedded(config, data_dir, &store, names)?;
    let archive: Arc<dyn ArchiveStore> = Arc::new(EmbeddedArchive::new(store.clone(), graph, resolve));
    Ok((store, archive))
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
    #[cfg(feature = "scale")]
    if let Some(graph) = services::open_neo4j(config, store, names.clone()).await? {
        return Ok(Arc::new(graph.guarded_by(guard)));
    }
    #[cfg(not(feature = "scale"))]
    drop(guard);
    Ok(Arc::new(open_embedded(config, data_dir, store, names)?))
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
