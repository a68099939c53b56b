//! Settings of the HTTP client.

use crate::guard::Exception;
use ipnet::IpNet;
use serde::{Deserialize, Deserializer, de::Error as _};
use std::path::PathBuf;

const MIB: u64 = 1024 * 1024;

domain::settings! {
    /// The `fetch.http` part of the configuration. Times apply to one response, without waits for the rate limit.
    #[derive(Debug, Clone, Deserialize)]
    pub struct HttpConfig {
        /// Ports that addresses may name or imply.
        pub ports: Vec<u16> = vec![80, 443, 8080, 8443],
        /// Exceptions for non-public addresses and other ports.
        pub exceptions: Vec<Exception> = vec![],
        /// Public networks that are not fetched from, such as the operator's own.
        #[serde(deserialize_with = "networks")]
        pub refused_networks: Vec<IpNet> = vec![],
        /// PEM files of certificate authorities to trust besides the built-in and the system's.
        pub trusted_certificates: Vec<PathBuf> = vec![],
        pub max_url_chars: usize = 4_096,
        /// `Accept-Language` header.
        pub languages: String = "en;q=0.9, *;q=0.5".to_owned(),
        pub connect_timeout_ms: u64 = 10_000,
        /// Time from sending the request to the head of the response.
        pub first_byte_timeout_ms: u64 = 20_000,
        /// Silence within a response.
        pub idle_timeout_ms: u64 = 15_000,
        pub total_timeout_ms: u64 = 60_000,
        pub max_redirects: u32 = 8,
        /// Size after decompression.
        pub max_body_bytes: u64 = 32 * MIB,
        /// Decompressed bytes per received byte, from the first MiB on.
        pub max_ratio: u64 = 200,
        pub max_header_bytes: u32 = 65_536,
        pub max_headers: usize = 100,
        /// Lifetime of idle connections, and their number per host.
        pub pool_idle_ms: u64 = 30_000,
        pub pool_per_host: usize = 2,
        /// Consecutive requests without an answer after which a host is not asked; 0: it always is.
        pub max_failures: u32 = 5,
        /// Time until one request probes such a host.
        pub failure_pause_ms: u64 = 60_000,
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
