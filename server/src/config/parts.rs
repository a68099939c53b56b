//! Configuration sections of the server itself; other sections come from their crates.

use super::{connections::ConnectionConfig, network::Network, requests::RequestConfig, uploads::UploadConfig};
use engine::{accounts::PasswordConfig, limits::Pauses};
use serde::Deserialize;
use std::{net::SocketAddr, path::PathBuf};

const MIB: usize = 1024 * 1024;
/// Failed sign-ins per user name and network that any configuration lets pass (ASVS 2.2.1).
const MAX_ATTEMPTS_PER_HOUR: u32 = 100;

domain::settings! {
    /// `[server]`: web server and locations.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct ServerConfig {
        pub listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 3000)),
        pub data_dir: PathBuf = PathBuf::from("data"),
        /// Built site files. `None`: `site` beside the binary or its folder, else `target/site`.
        pub site_root: Option<PathBuf> = None,
        /// Origins (`https://host`) that may send forms besides the server's own, for proxies that change the host.
        pub trusted_origins: Vec<String> = vec![],
        /// Further host names under which the server answers, besides this machine, `listen` and the hosts of `trusted_origins`.
        pub host_names: Vec<String> = vec![],
        /// Trusted proxies, as addresses or networks (`10.0.0.0/8`). Only their `X-Forwarded-For` and `X-Forwarded-Proto` are used.
        pub trusted_proxies: Vec<Network> = vec![],
        /// Serve beyond this machine without a proxy that ends TLS.
        pub plain_http: bool = false,
        /// Maximum size of any request body but an upload.
        pub request_max_bytes: usize = MIB,
        /// Interval between keep-alive comments on a silent event stream.
        pub keep_alive_ms: u64 = 15_000,
        /// Interval at which the permission of an open event stream is checked again.
        pub stream_check_ms: u64 = 5_000,
        /// Time that open requests may take after a stop signal.
        pub shutdown_ms: u64 = 5_000,
        /// Interval at which a process without the data-directory lock tries to take it.
        pub lock_check_ms: u64 = 500,
        /// Maximum length of lists in the API.
        pub api_list_limit: u32 = 200,
        /// Port where `make dev` announces changes to open pages.
        pub reload_port: Option<u16> = None,
        /// Limits on open connections.
        pub connections: ConnectionConfig = ConnectionConfig::default(),
        /// Limits on requests at work.
        pub requests: RequestConfig = RequestConfig::default(),
        /// Limits on uploads.
        pub uploads: UploadConfig = UploadConfig::default(),
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

    /// Returns whether only this machine reaches the web server.
    pub fn is_local(&self) -> bool {
        self.listen.ip().to_canonical().is_loopback()
    }

    /// Returns the clients whose connections are not limited: this machine, and the proxies that stand for many clients.
    pub fn unlimited_clients(&self) -> Vec<Network> {
        Network::LOOPBACK.into_iter().chain(self.trusted_proxies.iter().copied()).collect()
    }

    /// Reports passwords and sessions that would cross a network in clear text.
    pub fn transport_problem(&self) -> Option<String> {
        let is_allowed = self.is_local() || self.plain_http || !self.trusted_proxies.is_empty();
        (!is_allowed).then(|| {
            format!(
                "server.listen is {}, which other machines reach, and the server has no TLS: name the proxy that ends TLS in \
                 server.trusted_proxies, or set server.plain_http = true for a network that nobody else can read",
                self.listen
            )
        })
    }

    pub(super) fn problem(&self) -> Option<String> {
        let bad = self.trusted_origins.iter().find(|origin| {
            let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            host.is_none_or(|host| host.is_empty() || host.contains('/'))
        });
        if let Some(origin) = bad {
            return Some(format!("server.trusted_origins has '{origin}'; it must be like https://host or https://host:port"));
        }
        let bad = self.host_names.iter().find(|name| name.is_empty() || name.contains(['/', ':', '@', ' ']));
        if let Some(name) = bad {
            return Some(format!("server.host_names has '{name}'; it must be a name such as osint.example, without port"));
        }
        let looks = [("lock_check_ms", self.lock_check_ms), ("stream_check_ms", self.stream_check_ms)];
        let hurried = looks.into_iter().find(|(_, pause_ms)| *pause_ms < 10);
        let hurried = hurried.map(|(name, _)| format!("server.{name} must be at least 10"));
        let parts = hurried.or_else(|| self.connections.problem()).or_else(|| self.requests.problem());
        parts.or_else(|| self.uploads.problem())
    }
}

domain::settings! {
    /// `[auth]`: sign-in.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct AuthConfig {
        /// Idle time after which a session expires.
        pub session_hours: u32 = 24 * 3,
        /// Time after sign-in at which a session ends, however much it is used.
        pub session_max_hours: u32 = 24 * 14,
        /// Minimum time between two extensions of an active session.
        pub session_extend_ms: u64 = 10 * 60 * 1_000,
        /// Interval at which expired sessions are deleted.
        pub session_sweep_ms: u64 = 60 * 60 * 1_000,
        /// Time after which the password is asked for again before changes of keys and people.
        pub confirm_minutes: u32 = 30,
        /// Sign-in attempts per network (/24 or /64).
        pub attempts_per_minute_per_network: u32 = 60,
        /// Pauses between failed sign-ins per user name and network, or per device of the user.
        pub pauses: Pauses = Pauses::default(),
        /// Age at which entries of the audit log are deleted.
        pub audit_days: u32 = 365,
        /// Every request came over HTTPS, also where no trusted proxy says so.
        pub secure_cookies: bool = false,
        pub passwords: PasswordConfig = PasswordConfig::default(),
    }
}

impl AuthConfig {
    pub(super) fn problem(&self) -> Option<String> {
        let at_least_one = [
            ("session_hours", self.session_hours),
            ("session_max_hours", self.session_max_hours),
            ("confirm_minutes", self.confirm_minutes),
            ("attempts_per_minute_per_network", self.attempts_per_minute_per_network),
            ("audit_days", self.audit_days),
        ];
        let zero = at_least_one.into_iter().find(|(_, value)| *value == 0);
        if let Some((name, _)) = zero {
            return Some(format!("auth.{name} is 0; it must be at least 1"));
        }
        let attempts = self.pauses.per_hour(MAX_ATTEMPTS_PER_HOUR + 1);
        if attempts > MAX_ATTEMPTS_PER_HOUR {
            return Some(format!(
                "auth.pauses lets more than {MAX_ATTEMPTS_PER_HOUR} failed sign-ins an hour pass; make max_ms longer or after_failures smaller"
            ));
        }
        (self.session_sweep_ms < 10).then(|| "auth.session_sweep_ms must be at least 10".to_owned())
    }
}

domain::settings! {
    /// `[log]`: logging to standard error.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct LogConfig {
        /// Level or filter of `serve`, such as `warn,autosint=info`, where `autosint` means all crates of this program.
        pub level: String = "warn,autosint=info".to_owned(),
        /// Level or filter of every other command. Events shown as progress are not logged again.
        pub command_level: String = "warn,engine::reliability=off".to_owned(),
        pub format: LogFormat = LogFormat::default(),
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

domain::settings! {
    /// `[metrics]`: export for Prometheus.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
    pub struct MetricsConfig {
        /// Separate address for health and metrics, the only one of a process without pages. `None`: not served.
        pub listen: Option<SocketAddr> = None,
        /// Serve `/metrics` on the web server too, without sign-in.
        pub on_web: bool = false,
        /// Timeout for each query of the state store, graph and queue by `/metrics` and `/readyz`.
        pub probe_timeout_ms: u64 = 2_000,
    }

    /// `[traces]`: spans for an OpenTelemetry collector.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct TracesConfig {
        /// OTLP/HTTP address of the collector; `/v1/traces` is appended. `None`: no tracing.
        pub endpoint: Option<String> = None,
        /// Service name in traces.
        pub service: String = "autosint".to_owned(),
        /// Level or filter of exported spans, as in `[log]`.
        pub level: String = "warn,autosint=info".to_owned(),
        /// Share of traces that are exported, chosen by trace id: all spans of an investigation, or none.
        pub share: f64 = 1.0,
        /// Export interval; a full `batch` is sent at once.
        pub interval_ms: u64 = 5_000,
        pub batch: usize = 512,
        /// Maximum number of waiting spans. Further spans are dropped.
        pub queue: usize = 8_192,
        /// Timeout of an export, also at shutdown.
        pub timeout_ms: u64 = 10_000,
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
