//! Configuration sections of the server itself; other sections come from their crates.

use super::network::Network;
use engine::accounts::PasswordConfig;
use serde::Deserialize;
use std::{net::SocketAddr, path::PathBuf};

const MIB: usize = 1024 * 1024;

/// `[server]`: web server and locations.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    pub listen: SocketAddr,
    pub data_dir: PathBuf,
    /// Built site files. `None`: `site` beside the binary or its folder, else `target/site`.
    pub site_root: Option<PathBuf>,
    /// Origins (`https://host`) that may send forms besides the server's own, for proxies that change the host.
    pub trusted_origins: Vec<String>,
    /// Trusted proxies, as addresses or networks (`10.0.0.0/8`). Only their `X-Forwarded-For` is used.
    pub trusted_proxies: Vec<Network>,
    /// Maximum size of one upload, all files together.
    pub upload_max_bytes: usize,
    /// Maximum size of any other request body.
    pub request_max_bytes: usize,
    /// Interval between keep-alive comments on a silent event stream.
    pub keep_alive_ms: u64,
    /// Interval at which the permission of an open event stream is checked again.
    pub stream_check_ms: u64,
    /// Time that open requests may take after a stop signal.
    pub shutdown_ms: u64,
    /// Interval at which a process without the data-directory lock tries to take it.
    pub lock_check_ms: u64,
    /// Maximum length of lists in the API.
    pub api_list_limit: u32,
    /// Port where `make dev` announces changes to open pages.
    pub reload_port: Option<u16>,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 3000)),
            data_dir: PathBuf::from("data"),
            site_root: None,
            trusted_origins: vec![],
            trusted_proxies: vec![],
            upload_max_bytes: 256 * MIB,
            request_max_bytes: MIB,
            keep_alive_ms: 15_000,
            stream_check_ms: 5_000,
            shutdown_ms: 5_000,
            lock_check_ms: 500,
            api_list_limit: 200,
            reload_port: None,
        }
    }
}

impl ServerConfig {
    /// Returns the folder of the built site files.
    pub fn site(&self) -> PathBuf {
        if let Some(root) = &self.site_root {
            return root.clone();
        }
        let program = std::env::current_exe().ok();
        let folder = program.as_deref().and_then(|program| program.parent());
        let beside = folder.map(|folder| folder.join("site"));
        let above = folder.and_then(|folder| folder.parent()).map(|folder| folder.join("site"));
        let found = [beside, above].into_iter().flatten().find(|site| site.is_dir());
        found.unwrap_or_else(|| PathBuf::from("target/site"))
    }

    pub(super) fn problem(&self) -> Option<String> {
        let bad = self.trusted_origins.iter().find(|origin| {
            let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            host.is_none_or(|host| host.is_empty() || host.contains('/'))
        });
        if let Some(origin) = bad {
            return Some(format!("server.trusted_origins has '{origin}'; it must be like https://host or https://host:port"));
        }
        let looks = [("lock_check_ms", self.lock_check_ms), ("stream_check_ms", self.stream_check_ms)];
        let hurried = looks.into_iter().find(|(_, pause_ms)| *pause_ms < 10);
        hurried.map(|(name, _)| format!("server.{name} must be at least 10"))
    }
}

/// `[auth]`: sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuthConfig {
    /// Idle time after which a session expires.
    pub session_hours: u32,
    /// Minimum time between two extensions of an active session.
    pub session_extend_ms: u64,
    /// Interval at which expired sessions are deleted.
    pub session_sweep_ms: u64,
    /// Sign-in attempts per user name.
    pub attempts_per_minute_per_name: u32,
    /// Sign-in attempts per address.
    pub attempts_per_minute_per_address: u32,
    /// Send cookies only over HTTPS. Set it if browsers reach the server over HTTPS.
    pub secure_cookies: bool,
    pub passwords: PasswordConfig,
}

impl Default for AuthConfig {
    fn default() -> Self {
        Self {
            session_hours: 24 * 14,
            session_extend_ms: 60 * 60 * 1_000,
            session_sweep_ms: 60 * 60 * 1_000,
            attempts_per_minute_per_name: 10,
            attempts_per_minute_per_address: 60,
            secure_cookies: false,
            passwords: PasswordConfig::default(),
        }
    }
}

impl AuthConfig {
    pub(super) fn problem(&self) -> Option<String> {
        let at_least_one = [
            ("session_hours", self.session_hours),
            ("attempts_per_minute_per_name", self.attempts_per_minute_per_name),
            ("attempts_per_minute_per_address", self.attempts_per_minute_per_address),
        ];
        let zero = at_least_one.into_iter().find(|(_, value)| *value == 0);
        if let Some((name, _)) = zero {
            return Some(format!("auth.{name} is 0; it must be at least 1"));
        }
        (self.session_sweep_ms < 10).then(|| "auth.session_sweep_ms must be at least 10".to_owned())
    }
}

/// `[log]`: logging to standard error.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    /// Level or filter of `serve`, such as `info,engine=debug`.
    pub level: String,
    /// Level or filter of every other command. Events shown as progress are not logged again.
    pub command_level: String,
    pub format: LogFormat,
}

impl Default for LogConfig {
    fn default() -> Self {
        Self {
            level: "info,neo4rs=warn,sqlx::postgres::notice=warn".to_owned(),
            command_level: "warn,engine::reliability=off".to_owned(),
            format: LogFormat::default(),
        }
    }
}

/// Log format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    #[default]
    Auto,
    Json,
    Text,
}

/// `[metrics]`: export for Prometheus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MetricsConfig {
    /// Separate address for health and metrics, the only one of a process without pages. `None`: not served.
    pub listen: Option<SocketAddr>,
    /// Serve `/metrics` on the web server too.
    pub on_web: bool,
    /// Timeout for each query of the state store, graph and queue by `/metrics` and `/readyz`.
    pub probe_timeout_ms: u64,
}

impl Default for MetricsConfig {
    fn default() -> Self {
        Self { listen: None, on_web: true, probe_timeout_ms: 2_000 }
    }
}

/// `[traces]`: spans for an OpenTelemetry collector.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TracesConfig {
    /// OTLP/HTTP address of the collector; `/v1/traces` is appended. `None`: no tracing.
    pub endpoint: Option<String>,
    /// Service name in traces.
    pub service: String,
    /// Level or filter of exported spans, such as `info,engine=debug`.
    pub level: String,
    /// Share of traces that are exported, chosen by trace id: all spans of an investigation, or none.
    pub share: f64,
    /// Export interval; a full `batch` is sent at once.
    pub interval_ms: u64,
    pub batch: usize,
    /// Maximum number of waiting spans. Further spans are dropped.
    pub queue: usize,
    /// Timeout of an export, also at shutdown.
    pub timeout_ms: u64,
}

impl Default for TracesConfig {
    fn default() -> Self {
        Self {
            endpoint: None,
            service: "autosint".to_owned(),
            level: "warn,adapters=info,app=info,engine=info,fetch=info,server=info".to_owned(),
            share: 1.0,
            interval_ms: 5_000,
            batch: 512,
            queue: 8_192,
            timeout_ms: 10_000,
        }
    }
}

impl TracesConfig {
    pub(super) fn problem(&self) -> Option<String> {
        if let Some(endpoint) = &self.endpoint
            && !endpoint.starts_with("http://")
            && !endpoint.starts_with("https://")
        {
            return Some(format!("traces.endpoint is '{endpoint}'; it must be like http://127.0.0.1:4318"));
        }
        if !(0.0..=1.0).contains(&self.share) {
            return Some(format!("traces.share is {}; it must be from 0 to 1", self.share));
        }
        let at_least_one = [("interval_ms", self.interval_ms), ("batch", self.batch as u64), ("timeout_ms", self.timeout_ms)];
        if let Some((name, _)) = at_least_one.into_iter().find(|(_, value)| *value == 0) {
            return Some(format!("traces.{name} is 0; it must be at least 1"));
        }
        (self.queue < self.batch).then(|| format!("traces.queue must be at least traces.batch, which is {}", self.batch))
    }
}
