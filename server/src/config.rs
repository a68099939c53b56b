//! Configuration tree: Rust defaults, then the file, the environment and the command line.
//!
//! Invariant: an unknown key or an invalid value stops the program with its name and location.

mod build;
mod connections;
mod documents;
pub mod environment;
mod load;
mod models;
mod network;
mod parts;
mod requests;
mod uploads;

#[cfg(test)]
mod tests;

pub use connections::ConnectionConfig;
pub use documents::DocumentsConfig;
pub use load::{ConfigError, LoadedConfig, Override, load};
pub use models::{ModelChain, ModelsConfig};
pub use network::Network;
pub use parts::{AuthConfig, LogConfig, LogFormat, MetricsConfig, ServerConfig, TracesConfig};
pub use requests::RequestConfig;
pub use uploads::UploadConfig;

use crate::features;
use adapters::{Address, embed::EmbedConfig, graph::GraphConfig, redis::RedisConfig, sql::SqlConfig};
use engine::{
    EngineConfig,
    archive::TransferConfig,
    budget::BudgetConfig,
    graph::{resolve::ResolveConfig, search::SearchConfig},
    names::NameConfig,
    reliability::ReliabilityConfig,
};
use feature::FeatureSettings;
use fetch::FetchConfig;
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path};

/// All settings.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub server: ServerConfig,
    pub auth: AuthConfig,
    pub models: ModelsConfig,
    pub embed: EmbedConfig,
    pub engine: EngineConfig,
    pub reliability: ReliabilityConfig,
    pub budget: BudgetConfig,
    pub search: SearchConfig,
    pub resolve: ResolveConfig,
    pub names: NameConfig,
    pub documents: DocumentsConfig,
    pub fetch: FetchConfig,
    pub sql: SqlConfig,
    pub redis: RedisConfig,
    pub graph: GraphConfig,
    pub transfer: TransferConfig,
    pub log: LogConfig,
    pub metrics: MetricsConfig,
    pub traces: TracesConfig,
    /// Sections of the features.
    pub features: BTreeMap<String, serde_json::Value>,
}

impl Config {
    /// Returns the first invalid setting and how to fix it.
    fn problem(&self) -> Option<String> {
        let problems = [
            self.engine.problem(),
            self.search.problem(),
            self.reliability.problem(),
            self.budget.problem(),
            self.models.problem(),
            self.embed.problem(),
            self.auth.problem(),
            self.server.problem(),
            self.redis.problem(),
            self.traces.problem(),
            self.transfer.problem(),
            self.documents.problem(),
            self.fetch.problem(),
            self.source_problem(),
            self.call_time_problem(),
            FeatureSettings::read(features::FEATURES, &self.features).err(),
            self.service_problem(),
            build::problem(self),
        ];
        problems.into_iter().flatten().next()
    }

    /// Returns whether the data is in services shared by any number of processes, rather than in one folder.
    pub fn is_scaled_out(&self) -> bool {
        self.sql.url.is_some()
    }

    /// Returns the configuration for a folder without services, for trial runs on copies.
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.server.data_dir = folder.to_owned();
        self.sql.url = None;
        self.redis.url = None;
        self.graph.neo4j.url = None;
        self
    }

    /// Reports enabled sources that do not exist. A remote Fetch service has sources of its own, so they are not checked.
    fn source_problem(&self) -> Option<String> {
        let ids = self.fetch.source_ids();
        let unknown = self.engine.web.sources.iter().find(|id| self.fetch.url.is_none() && !ids.contains(id))?;
        Some(format!("engine.web.sources names the unknown source '{unknown}'; known: {}", ids.join(", ")))
    }

    /// Reports service addresses with the wrong scheme, and incomplete combinations of services.
    fn service_problem(&self) -> Option<String> {
        let is_wrong = |address: &Option<Address>, schemes: [&str; 2]| {
            address.as_ref().is_some_and(|address| !schemes.contains(&address.scheme()))
        };
        if is_wrong(&self.sql.url, ["postgres", "postgresql"]) {
            return Some("sql.url must begin with postgres://, like postgres://USER@HOST:5432/DATABASE".to_owned());
        }
        if is_wrong(&self.redis.url, ["redis", "rediss"]) {
            return Some("redis.url must begin with redis:// or rediss://, like redis://HOST:6379".to_owned());
        }
        let is_half = self.redis.url.is_some() && self.sql.url.is_none();
        is_half
            .then(|| "redis.url is set and sql.url is not: in one folder nothing needs Redis; set both, or neither".to_owned())
    }

    /// Reports all timeouts that are shorter than the longest model call. Otherwise a second probe would start beside a running
    /// one, and reservations would expire during their call.
    fn call_time_problem(&self) -> Option<String> {
        let (provider, timeout_ms) = self.models.longest_call()?;
        let times = [
            ("reliability.breaker.probe_ms", self.reliability.breaker.probe_ms),
            ("budget.reservation_ms", self.budget.reservation_ms),
        ];
        let short: Vec<String> =
            times.into_iter().filter(|(_, ms)| *ms < timeout_ms).map(|(key, ms)| format!("{key} is {ms}")).collect();
        let they = match short.len() {
            0 => return None,
            1 => "it",
            _ => "both",
        };
        Some(format!(
            "{}; {they} must be at least {timeout_ms}, which is how long a call of '{provider}' may take \
             (models.providers.{provider}.timeout_ms)",
            short.join(" and ")
        ))
    }
}
