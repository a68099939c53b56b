//! The interactive parts (islands). Everything else is static HTML; each island also renders on the server.

mod browser;
mod live;
mod sessions;
mod theme;
mod upload;

pub use live::LiveInvestigation;
pub use sessions::{LiveSession, LiveSessions};
pub use theme::ThemeSwitch;
pub use upload::FileChoice;
