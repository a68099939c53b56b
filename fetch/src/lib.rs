//! Fetch retrieves and parses: bytes, text and metadata. It never stores documents; the engine does.
//!
//! Invariant: files, pages and lists of feeds are parsed only in child processes ([`ParserPool`]), which a file can crash without
//! further damage.

// What only the browser uses.
#![cfg_attr(not(feature = "browser"), allow(dead_code, unused_imports))]

mod api;
mod archive;
#[cfg(feature = "browser")]
mod browser;
#[cfg(not(feature = "browser"))]
#[path = "no_browser.rs"]
mod browser;
mod cache;
mod child;
mod config;
mod dates;
mod documents;
mod feeds;
mod guard;
mod html;
mod http;
mod language;
mod links;
mod mail;
mod messages;
mod parse;
mod pdf;
mod pool;
mod rate_limit;
mod refusal;
mod robots;
mod sniff;
mod sources;
mod text;
mod web;
mod wire;

pub use api::{FetchApi, MetricsRenderer, router};
pub use browser::{Browser, BrowserPage, LaunchError, PrintRequest, browser_lacks_sandbox, find_browser};
pub use child::{Confinement, parse_child_main};
pub use config::{
    BrowserConfig, CacheConfig, FetchConfig, HttpConfig, ParseConfig, PoolConfig, RateLimitConfig, ReadConfig, RobotsConfig,
};
pub use documents::{DocumentWithBytes, Documents, Input, Page, UploadWriter, UploadedFiles};
pub use feeds::{OpmlFeed, OpmlList, write_opml};
pub use guard::Exception;
pub use http::Resolve;
pub use messages::MessageClient;
pub use pool::{ParserCommand, ParserPool};
pub use rate_limit::{MemoryRateLimiter, RateLimit, RateLimiter};
pub use sniff::READABLE_KINDS;
pub use sources::{
    Catalogue, JsonSearch, Paging, SourceAccess, SourceError, SourceRequest, SourceResponse, SourceTransport, SourcesConfig,
};
pub use web::{AccessMode, Now, Request, Response, Web, WebDeps, WebPage};

/// Hex SHA-256, the identity and checksum of a copy.
fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    use sha2::{Digest, Sha256};
    hex::encode(Sha256::digest(bytes))
}
