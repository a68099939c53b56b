//! Parts that islands draw: on the server, and again in the browser.

mod confirm;
pub mod investigation;
mod page_links;
mod phase;
pub mod sessions;

pub use confirm::{Confirm, STOP_WARNING};
pub use page_links::PageLinks;
pub use phase::Phase;
