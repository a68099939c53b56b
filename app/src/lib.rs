//! The web app: every page, rendered on the server, with islands that run in the browser.
//!
//! Invariant: depends on `domain`, and on `engine` only under `ssr`. Every page can be read and every form sent without
//! JavaScript: changes are plain form posts that `server` answers. The browser gets the islands and what they draw, nothing else.

// Views are types nested as deep as their markup; the default is too shallow for the largest pages.
#![recursion_limit = "256"]

#[cfg(not(erase_components))]
compile_error!("build with the flags of .cargo/config.toml: server and browser must erase the types of views alike");

#[cfg(feature = "ssr")]
mod app;
#[cfg_attr(not(feature = "ssr"), allow(dead_code, unused_imports, reason = "islands draw some of them"))]
pub mod atoms;
#[cfg(feature = "ssr")]
mod contributions;
mod error;
pub mod format;
mod islands;
mod live;
#[cfg(feature = "ssr")]
mod markdown;
#[cfg(feature = "ssr")]
mod notice;
#[cfg(feature = "ssr")]
mod pages;
#[cfg(feature = "ssr")]
pub mod parts;
#[cfg(feature = "ssr")]
mod prelude;
#[cfg(feature = "ssr")]
pub mod session;

#[cfg(feature = "ssr")]
pub use app::{App, Titles, document, shell};
#[cfg(feature = "ssr")]
pub use contributions::{
    AddedFilter, Area, Contributions, NavEntry, NavTables, NoticeText, Piece, Pieces, SelectedAssessments, Slot,
    TablesWithRows, TablesWithRowsFuture,
};
pub use error::{AppError, Fault};
pub use islands::*;
#[cfg(feature = "ssr")]
pub use notice::{Notice, NoticeAction, store_notice};
#[cfg(feature = "ssr")]
pub use pages::{
    AddedNodes, AddedNodesFuture, AddedSource, PrintForm, SourceHits, WATCHED_QUESTION, added_groups, lay_over, printed_body,
};
#[cfg(feature = "ssr")]
pub use views::graph::{AddedNode, NodeLink};
