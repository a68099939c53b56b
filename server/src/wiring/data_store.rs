//! State store and graph as one data store for backup, restore and migration, without models, embedder or workers.

use super::{OpenError, open_folder, stores};
use crate::{
    built_in,
    config::Config,
    data_dir::{DATABASE, DataDir},
    system::SystemClock,
};
use adapters::sql::Store;
use engine::{
    StoreResult,
    archive::{ArchiveStore, ImportState},
    names::NameMatcher,
};
use std::{path::Path, sync::Arc};

/// Source or target of a backup, restore or migration.
pub struct DataStore {
    pub archive: Arc<dyn ArchiveStore>,
    pub store: Store,
    pub data_dir: DataDir,
    /// Display name: folder or addresses.
    pub name: String,
    /// Databases rather than a folder.
    pub is_scaled_out: bool,
}

impl DataStore {
    /// Opens the configured store; creates and migrates it as needed.
    pub async fn open(config: &Config, config_dir: Option<&Path>) -> Result<Self, OpenError> {
        let files = built_in::config_files(config_dir)?;
        let names = Arc::new(NameMatcher::new(files.get("locale/names.toml"), config.names.clone())?);
        let data_dir = open_folder(config)?;
        let (store, archive) = stores::open_archive_store(config, &data_dir, Arc::new(SystemClock), names).await?;
        let name = describe_location(config, &data_dir);
        Ok(Self { archive, store, data_dir, name, is_scaled_out: config.is_scaled_out() })
    }

    /// Like `open`, but refuses a store with an interrupted import.
    pub async fn open_to_read(config: &Config, config_dir: Option<&Path>) -> Result<Self, OpenError> {
        let data = Self::open(config, config_dir).await?;
        refuse_interrupted_import(&data.store, &data.name).await?;
        Ok(data)
    }

    /// Returns whether the configured store exists. Nothing is created.
    pub fn exists(config: &Config) -> bool {
        config.is_scaled_out() || config.server.data_dir.join(DATABASE).is_file()
    }
}

pub(super) fn describe_location(config: &Config, data_dir: &DataDir) -> String {
    match (&config.sql.url, &config.graph.neo4j.url) {
        (Some(state), Some(graph)) => format!("{state} with the graph in {graph}"),
        _ => data_dir.path().display().to_string(),
    }
}

/// Returns the source of an import that was interrupted, if any.
pub(crate) async fn interrupted_import_source(store: &Store) -> StoreResult<Option<String>> {
    let arrival = store.last_import().await?;
    Ok(arrival.filter(|arrival| arrival.ended_at.is_none()).map(|arrival| arrival.source))
}

/// Fails if an import into this store was interrupted.
pub(super) async fn refuse_interrupted_import(store: &Store, name: impl std::fmt::Display) -> Result<(), OpenError> {
    match interrupted_import_source(store).await.map_err(|cause| OpenError::Unreadable { location: name.to_string(), cause })? {
        Some(source) => Err(OpenError::Configuration(format!(
            "the import from {source} into {name} is incomplete: run the same `autosint restore` or `autosint migrate` again, which \
             resumes where it stopped"
        ))),
        None => Ok(()),
    }
}
