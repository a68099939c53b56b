//! The parts of the tree that belong to the program itself; the others come from their crates.

use super::network::Network;
use engine::accounts::PasswordConfig;
use serde::Deserialize;
use std::{net::SocketAddr, path::PathBuf};

const MIB: usize = 1024 * 1024;

/// `[server]`: the web server and where things are.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    pub listen: SocketAddr,
    pub data_dir: PathBuf,
    /// Built site files. None: `site` beside the program or its folder, else `target/site`.
    pub site_root: Option<PathBuf>,
    /// Origins (`https://host`) that may send forms beside the server's own: those of a proxy that changes the host.
    pub trusted_origins: Vec<String>,
    /// Proxies, as addresses or networks (`10.0.0.0/8`), whose word on where a request comes from (`X-Forwarded-For`) is believed.
    pub trusted_proxies: Vec<Network>,
    /// All files of one upload together.
    pub upload_max_bytes: usize,
    /// Any other request.
    pub request_max_bytes: usize,
    /// Silence on a live stream after which a sign of life is sent.
    pub keep_alive_ms: u64,
    /// How often it is looked whether whoever follows a live stream is still signed in and may see it.
    pub stream_check_ms: u64,
    /// How long open requests may go on after the order to stop.
    pub shutdown_ms: u64,
    /// How often a process without the lock of the data directory looks whether it has become free.
    pub lock_check_ms: u64,
    /// Most entries of a list in the API.
    pub api_list_limit: u32,
    /// Where `make dev` tells open pages that something has changed. None: nowhere.
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
    /// Where the built site files are.
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

/// `[auth]`: signing in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuthConfig {
    /// A session that is not used for this long ends.
    pub session_hours: u32,
    /// A session that is in use is extended when it was last extended so long ago.
    pub session_extend_ms: u64,
    /// How often sessions that have ended are removed from the store.
    pub session_sweep_ms: u64,
    /// Attempts to sign in with one user name.
    pub attempts_per_minute_per_name: u32,
    /// Attempts to sign in from one address.
    pub attempts_per_minute_per_address: u32,
    /// Cookies only over https: set it where the browser reaches the server by https.
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

/// `[log]`: what goes to standard error.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    /// A level, or a filter such as `info,engine=debug`, of `serve`.
    pub level: String,
    /// The same of every other command; what stands on the lines of progress is not logged again.
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

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    #[default]
    Auto,
    Json,
    Text,
}

/// `[metrics]`: where figures for Prometheus are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MetricsConfig {
    /// Health and figures alone, beside the web server; the only address of a process that serves no pages. None: nowhere.
    pub listen: Option<SocketAddr>,
    /// Whether the web server shows `/metrics` too.
    pub on_web: bool,
    /// How long the state store, the graph and the queue may each take to answer whoever asks for `/metrics` or `/readyz`.
    pub probe_timeout_ms: u64,
}

impl Default for MetricsConfig {
    fn default() -> Self {
        Self { listen: None, on_web: true, probe_timeout_ms: 2_000 }
    }
}

/// `[traces]`: spans for a collector that speaks OpenTelemetry.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TracesConfig {
    /// Where the collector takes OTLP over HTTP; `/v1/traces` is added. None: nothing is traced.
    pub endpoint: Option<String>,
    /// What this program is called there.
    pub service: String,
    /// A level, or a filter such as `info,engine=debug`, of the spans that are sent.
    pub level: String,
    /// Share of the traces that are sent, by their id: all spans of an investigation, or none.
    pub share: f64,
    /// Spans are sent this often, or when `batch` of them wait.
    pub interval_ms: u64,
    pub batch: usize,
    /// Spans beyond this wait for nobody and are lost.
    pub queue: usize,
    /// How long the collector may take, also when the process ends.
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
