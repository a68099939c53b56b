//! The one configuration tree: Rust defaults, then the file, then the environment, then the command line.
//!
//! Invariant: an unknown key or a value that cannot work stops the program and is named with where it stands.

pub mod environment;
mod load;
mod models;
mod network;
mod parts;

#[cfg(test)]
mod tests;

pub use load::{ConfigError, Loaded, Override, load};
pub use models::{ModelChain, ModelsConfig};
pub use network::Network;
pub use parts::{AuthConfig, LogConfig, LogFormat, MetricsConfig, ServerConfig, TracesConfig};

use adapters::{embed::EmbedConfig, graph::GraphConfig, sql::SqlConfig};
use engine::{
    EngineConfig,
    budget::BudgetConfig,
    graph::{resolve::ResolveConfig, search::SearchConfig},
    names::NameConfig,
    reliability::ReliabilityConfig,
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
    pub reliability: ReliabilityConfig,
    pub budget: BudgetConfig,
    pub search: SearchConfig,
    pub resolve: ResolveConfig,
    pub names: NameConfig,
    pub fetch: FetchConfig,
    pub sql: SqlConfig,
    pub graph: GraphConfig,
    pub log: LogConfig,
    pub metrics: MetricsConfig,
    pub traces: TracesConfig,
}

impl Config {
    /// The first setting that cannot work, named with what to do.
    fn problem(&self) -> Option<String> {
        let problems = [
            self.engine.problem(),
            self.reliability.problem(),
            self.budget.problem(),
            self.models.problem(),
            self.auth.problem(),
            self.server.problem(),
            self.traces.problem(),
            self.probe_problem(),
        ];
        problems.into_iter().flatten().next()
    }

    /// A probe that outlives its time would be joined by a second one.
    fn probe_problem(&self) -> Option<String> {
        let (provider, timeout_ms) = self.models.longest_call()?;
        let probe_ms = self.reliability.breaker.probe_ms;
        (probe_ms < timeout_ms).then(|| {
            format!(
                "reliability.breaker.probe_ms is {probe_ms}; it must be at least {timeout_ms}, which is how long a call of \
                 '{provider}' may take (models.providers.{provider}.timeout_ms)"
            )
        })
    }
}
