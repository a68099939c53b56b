//! Settings of the HTTP client.

use crate::guard::Exception;
use ipnet::IpNet;
use serde::{Deserialize, Deserializer, de::Error as _};
use std::path::PathBuf;

const MIB: u64 = 1024 * 1024;

/// The `fetch.http` part of the configuration. Times apply to one response, without waits for the rate limit.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HttpConfig {
    /// Ports that addresses may name or imply.
    pub ports: Vec<u16>,
    /// Exceptions for non-public addresses and other ports.
    pub exceptions: Vec<Exception>,
    /// Public networks that are not fetched from, such as the operator's own.
    #[serde(deserialize_with = "networks")]
    pub refused_networks: Vec<IpNet>,
    /// PEM files of certificate authorities to trust besides the built-in and the system's.
    pub trusted_certificates: Vec<PathBuf>,
    pub max_url_chars: usize,
    /// `Accept-Language` header.
    pub languages: String,
    pub connect_timeout_ms: u64,
    /// Time from sending the request to the head of the response.
    pub first_byte_timeout_ms: u64,
    /// Silence within a response.
    pub idle_timeout_ms: u64,
    pub total_timeout_ms: u64,
    pub max_redirects: u32,
    /// Size after decompression.
    pub max_body_bytes: u64,
    /// Decompressed bytes per received byte, from the first MiB on.
    pub max_ratio: u64,
    pub max_header_bytes: u32,
    pub max_headers: usize,
    /// Lifetime of idle connections, and their number per host.
    pub pool_idle_ms: u64,
    pub pool_per_host: usize,
    /// Consecutive requests without an answer after which a host is not asked; 0: it always is.
    pub max_failures: u32,
    /// Time until one request probes such a host.
    pub failure_pause_ms: u64,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            ports: vec![80, 443, 8080, 8443],
            exceptions: vec![],
            refused_networks: vec![],
            trusted_certificates: vec![],
            max_url_chars: 4_096,
            languages: "en;q=0.9, *;q=0.5".to_owned(),
            connect_timeout_ms: 10_000,
            first_byte_timeout_ms: 20_000,
            idle_timeout_ms: 15_000,
            total_timeout_ms: 60_000,
            max_redirects: 8,
            max_body_bytes: 32 * MIB,
            max_ratio: 200,
            max_header_bytes: 65_536,
            max_headers: 100,
            pool_idle_ms: 30_000,
            pool_per_host: 2,
            max_failures: 5,
            failure_pause_ms: 60_000,
        }
    }
}

/// Networks in CIDR notation: `198.51.100.0/24`.
fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let read = |text: String| {
        text.parse().map_err(|_| D::Error::custom(format!("'{text}' is not a network; use one like 198.51.100.0/24")))
    };
    texts.into_iter().map(read).collect()
}
