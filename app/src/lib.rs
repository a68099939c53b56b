//! The web app: every page, rendered on the server, with islands that run in the browser.
//!
//! Invariant: depends on `domain`, and on `engine` only under `ssr`. Every page can be read and every form sent without
//! JavaScript: changes are plain form posts that `server` answers, reads are server functions here.

// Views are types nested as deep as their markup; the default is too shallow for the largest pages.
#![recursion_limit = "256"]

mod app;
mod atoms;
mod error;
mod format;
mod islands;
#[cfg(feature = "ssr")]
mod markdown;
mod notice;
mod pages;
mod parts;
#[cfg(feature = "ssr")]
pub mod session;

pub use app::{App, shell};
pub use error::{AppError, Fault};
pub use islands::*;
pub use notice::{Notice, NoticeAction};
#[cfg(feature = "ssr")]
pub use pages::{PrintForm, printed_body};
