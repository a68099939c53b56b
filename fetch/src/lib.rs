//! Fetch gets things and reads them: bytes, text and metadata. It never writes a Document; the Engine does.
//!
//! Invariant: HTML, PDF, e-mail and archives are parsed only in child processes ([`ParserPool`]), which a file can kill
//! without harm to anything but itself.

mod api;
mod archive;
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
mod pace;
mod parse;
mod pdf;
mod pool;
mod refusal;
mod robots;
mod sniff;
mod sources;
mod text;
mod web;
mod wire;

pub use api::{KeyOf, Service, router};
pub use browser::{Browsed, Browser, LaunchError, browser_lacks_sandbox, find_browser};
pub use child::parse_child_main;
pub use config::{
    BrowserConfig, CacheConfig, FetchConfig, HttpConfig, PaceConfig, ParseConfig, PoolConfig, ReadConfig, RobotsConfig,
};
pub use documents::{Documents, Fetched, Input, Page};
pub use feeds::{OpmlError, OpmlFeed, OpmlList, common_places, read_opml, write_opml};
pub use guard::{Exception, Unsafe};
pub use http::{Resolve, SystemResolver};
pub use pace::{Buckets, MemoryBuckets, Rule};
pub use pool::{ParserCommand, ParserPool};
pub use sniff::KINDS_IN_WORDS;
pub use sources::{
    Catalogue, Get, JsonSearch, Paging, SourceAccess, SourceError, SourceRequest, SourceResponse, SourcesConfig,
};
pub use web::{Manner, Now, Request, Response, Web, WebPage, World};

/// Hex SHA-256 of bytes: what names a copy and shows that it is whole.
fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    use sha2::{Digest, Sha256};
    hex::encode(Sha256::digest(bytes))
}
