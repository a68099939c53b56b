//! What moves in the browser. Everything else is sent as finished HTML; each island also renders whole on the server.

mod browser;
mod live;
mod sessions;
mod theme;
mod upload;

pub use live::LiveInvestigation;
pub use sessions::{LiveSession, LiveSessions};
pub use theme::ThemeSwitch;
pub use upload::FileChoice;
