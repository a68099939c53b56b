//! The one configuration tree: Rust defaults, then the file, then the environment, then the command line.
//!
//! Invariant: an unknown key or a value that cannot work stops the program and is named with where it stands.

pub mod environment;
mod load;
mod models;
mod parts;

#[cfg(test)]
mod tests;

pub use load::{ConfigError, Loaded, Override, load};
pub use models::{ModelChain, ModelsConfig};
pub use parts::{AuthConfig, LogConfig, LogFormat, ServerConfig};

use adapters::{embed::EmbedConfig, graph::GraphConfig, sql::SqlConfig};
use engine::{
    EngineConfig,
    graph::{resolve::ResolveConfig, search::SearchConfig},
    names::NameConfig,
};
use fetch::FetchConfig;
use serde::Deserialize;

/// Everything that can be set.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub server: ServerConfig,
    pub auth: AuthConfig,
    pub models: ModelsConfig,
    pub embed: EmbedConfig,
    pub engine: EngineConfig,
    pub search: SearchConfig,
    pub resolve: ResolveConfig,
    pub names: NameConfig,
    pub fetch: FetchConfig,
    pub sql: SqlConfig,
    pub graph: GraphConfig,
    pub log: LogConfig,
}

impl Config {
    /// The first setting that cannot work, named with what to do.
    fn problem(&self) -> Option<String> {
        self.engine
            .problem()
            .or_else(|| self.models.problem())
            .or_else(|| self.auth.problem())
            .or_else(|| self.server.problem())
    }
}
