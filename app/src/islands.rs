//! The interactive parts (islands). Everything else is static HTML; each island also renders on the server.

mod browser;
mod live;
mod sessions;

pub use live::{LiveInvestigation, investigation_body};
pub use sessions::{LiveSession, LiveSessions};
