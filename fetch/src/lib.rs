//! Fetch gets things and reads them: bytes, text and metadata. It never writes a Document; the Engine does.
//!
//! Invariant: HTML, PDF, e-mail and archives are parsed only in child processes ([`ParserPool`]), which a file can kill
//! without harm to anything but itself.

mod archive;
mod child;
mod config;
mod dates;
mod documents;
mod html;
mod language;
mod mail;
mod parse;
mod pdf;
mod pool;
mod refusal;
mod sniff;
mod text;
mod wire;

pub use child::parse_child_main;
pub use config::{FetchConfig, ParseConfig, PoolConfig, ReadConfig};
pub use documents::{Documents, Fetched, Input};
pub use pool::{ParserCommand, ParserPool};
pub use sniff::KINDS_IN_WORDS;
