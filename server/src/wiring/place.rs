//! A store as something to be carried, without the rest of the program: no model, no embedder, nothing that works on it.

use super::{OpenError, open_folder, stores};
use crate::{
    config::Config,
    data_dir::{DATABASE, DataDir},
    system::SystemClock,
};
use adapters::sql::Store;
use engine::{
    StoreResult,
    archive::{Arrivals, Movable},
    config_files::ConfigFiles,
    names::Names,
};
use std::{path::Path, sync::Arc};

/// One side of a backup, a restore or a migration.
pub struct Place {
    pub movable: Arc<dyn Movable>,
    pub store: Store,
    pub data_dir: DataDir,
    /// How people call it.
    pub name: String,
    /// Databases, or a folder.
    pub is_scaled_out: bool,
}

impl Place {
    /// Opens the store that the configuration names, making and migrating it as needed.
    pub async fn open(config: &Config, config_dir: Option<&Path>) -> Result<Self, OpenError> {
        let files = match config_dir {
            Some(folder) => ConfigFiles::with_folder(folder)?,
            None => ConfigFiles::embedded(),
        };
        let names = Arc::new(Names::new(files.get("locale/names.toml"), config.names.clone())?);
        let data_dir = open_folder(config)?;
        let (store, movable) = stores::open_movable(config, &data_dir, Arc::new(SystemClock), names).await?;
        let name = name(config, &data_dir);
        Ok(Self { movable, store, data_dir, name, is_scaled_out: config.is_scaled_out() })
    }

    /// The same for a store that is read: half of one is refused.
    pub async fn open_to_read(config: &Config, config_dir: Option<&Path>) -> Result<Self, OpenError> {
        let place = Self::open(config, config_dir).await?;
        refuse_half_filled(&place.store, &place.name).await?;
        Ok(place)
    }

    /// Whether there is anything to read: a folder that was mistyped is not made.
    pub fn exists(config: &Config) -> bool {
        config.is_scaled_out() || config.server.data_dir.join(DATABASE).is_file()
    }
}

pub(super) fn name(config: &Config, data_dir: &DataDir) -> String {
    match (&config.sql.url, &config.graph.neo4j.url) {
        (Some(state), Some(graph)) => format!("{state} with the graph in {graph}"),
        _ => data_dir.path().display().to_string(),
    }
}

/// Where a store is half filled: from where.
pub(crate) async fn half_filled_from(store: &Store) -> StoreResult<Option<String>> {
    let arrival = store.arrival().await?;
    Ok(arrival.filter(|arrival| arrival.ended_at.is_none()).map(|arrival| arrival.source))
}

/// What stands in the way of working on a store: it is half filled.
pub(super) async fn refuse_half_filled(store: &Store, name: impl std::fmt::Display) -> Result<(), OpenError> {
    match half_filled_from(store).await.map_err(|cause| OpenError::Unread { place: name.to_string(), cause })? {
        Some(source) => Err(OpenError::Configuration(format!(
            "{name} is only half filled from {source}: run the same `autosint restore` or `autosint migrate` again, which goes \
             on where it stopped"
        ))),
        None => Ok(()),
    }
}
