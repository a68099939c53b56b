//! Configuration of one tool for one role: whether it is offered, its limits, its cache and its scoring.

use super::gateway::normalise::Normaliser;
use serde::Deserialize;
use std::collections::BTreeMap;

domain::settings! {
    /// Limits of one tool, editable without a rebuild.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct HandlerConfig {
        /// Whether models are offered the tool. Others serve the machine, or an operator who enables them.
        pub offered: bool = true,
        /// Maximum length of a result in characters; default `engine.max_tool_result_chars`.
        pub max_result_chars: Option<usize> = None,
        /// Number of items when a call names none.
        pub default_limit: Option<u32> = None,
        /// Maximum number of items per call.
        pub max_limit: Option<u32> = None,
        /// Caching of results; only for tools that permit it.
        pub cache: CacheRule = CacheRule::None,
        /// Scoring of results that come from outside.
        pub reflect: Reflect = Reflect::Checks,
        /// Result fields, at any depth, normalised by the locale profile (`engine.locale`).
        pub normalise: BTreeMap<String, Normaliser> = BTreeMap::new(),
    }
}

/// `"none"`, or `{"ttl_s": 3600}`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheRule {
    #[default]
    None,
    #[serde(untagged)]
    Ttl { ttl_s: u64 },
}

/// Scoring method of a tool's results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reflect {
    /// Fixed rules.
    #[default]
    Checks,
    /// `models.reflector`; without one, fixed rules.
    Model,
}
