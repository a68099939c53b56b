//! An engine on a backend, for use cases and handlers.

use crate::{SequentialIds, TestBackend};
use adapters::{
    graph::{GraphConfig, SqliteGraph},
    sql::Store,
};
use engine::{
    Clock, Engine, EngineConfig, Ids, Parts,
    budget::BudgetConfig,
    config_files::ConfigFiles,
    graph::{resolve::Cascade, search::SearchConfig},
    models::RoleModels,
    reliability::ReliabilityConfig,
};
use extractive::Extractive;
use std::sync::{Arc, LazyLock};

/// The built-in provider; its word lists are read once.
pub static EXTRACTIVE: LazyLock<Arc<Extractive>> = LazyLock::new(|| {
    let files = config_files();
    Arc::new(Extractive::new(|path| files.get(path)).unwrap())
});

/// Returns the configuration files of the repository.
pub fn config_files() -> ConfigFiles {
    ConfigFiles::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../config")).unwrap()
}

impl TestBackend {
    /// Returns an engine on this store, off the web and with the built-in provider. For SQLite: PostgreSQL has its graph elsewhere.
    pub fn engine(&self) -> Engine {
        let parts = engine_parts(&self.store, self.clock.clone(), Arc::new(SequentialIds));
        Engine::new(Parts { queue: self.queue.clone(), tool_cache: self.tool_cache.clone(), ..parts })
    }
}

/// Returns the parts of an engine on a store in SQLite, off the web and with the built-in provider.
pub fn engine_parts(store: &Store, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Parts {
    let port = Arc::new(store.clone());
    Parts {
        accounts: port.clone(),
        annotations: port.clone(),
        assessments: port.clone(),
        captures: port.clone(),
        documents: port.clone(),
        events: port.clone(),
        graph: Arc::new(SqliteGraph::new(store, GraphConfig::default()).unwrap()),
        investigations: port.clone(),
        work_orders: port.clone(),
        queue: port.clone(),
        sessions: port.clone(),
        teams: port.clone(),
        tool_cache: port.clone(),
        circuits: port.clone(),
        ledger: port.clone(),
        fetch: None,
        browse: None,
        catalogue: None,
        chosen_models: port.clone(),
        source_log: port,
        resolve: Arc::new(Cascade::default()),
        embedder: None,
        role_models: RoleModels::single(EXTRACTIVE.clone().into()),
        named_models: Arc::new(|_| EXTRACTIVE.clone().into()),
        clock,
        ids,
        config: EngineConfig::default(),
        reliability: ReliabilityConfig::default(),
        budget: BudgetConfig::default(),
        search: SearchConfig::default(),
    }
}
