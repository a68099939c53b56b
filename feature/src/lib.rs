//! Contract between the kernel and a feature: what a feature declares, and what its handlers are given.
//!
//! A feature is one crate in `features/` that holds a whole system. Its one public item is `feature()`, and one line in
//! `server/src/features.rs` registers it.
//!
//! Invariant: features import the kernel, never one another, and the kernel imports no feature. What one feature needs of another
//! goes through a port or an event of the kernel.

mod agents;
mod cache;
mod form;
mod page;
mod redirect;
mod session;
mod settings;
#[cfg(feature = "testing")]
pub mod testing;
mod web;

pub use adapters::sql::Schema;
pub use agents::{AgentParts, NamedText, ToolParts};
pub use app::{NavEntry, NoticeText, Piece, Slot};
pub use cache::PageCache;
pub use form::{FormPost, KeptForm};
pub use page::PageVisit;
pub use redirect::{query_string, redirect, redirect_with};
pub use session::{AccountUser, ClientAddress, SessionUser, signed_in_user};
pub use settings::{FeatureSettings, Settings, SettingsPart};
pub use web::Web;

use axum::Router;
use domain::{AssessmentId, UserId};
use engine::{StoreResult, leader::Leadership};
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

/// A system of the product, as the kernel sees it.
pub struct Feature {
    /// Name of its folder, of its section in the configuration (`[features.NAME]`), and of its migrations.
    pub name: &'static str,
    /// Its pages, form posts and API, at addresses that no other feature has.
    pub routes: fn() -> Router<Web>,
    pub schema: &'static Schema,
    /// Entries of the menu.
    pub nav: &'static [NavEntry],
    /// Messages of its refused forms, by their codes.
    pub notices: &'static [NoticeText],
    /// Its pieces inside pages of the kernel.
    pub pieces: &'static [Piece],
    /// Filters that it adds to the list of assessments.
    pub filters: &'static [AssessmentFilter],
    /// Its work in the background.
    pub jobs: &'static [Job],
    pub settings: SettingsPart,
    /// Its roles, tools and prompts of agents.
    pub agents: AgentParts,
}

/// Background work, run until the shutdown in every process that runs an orchestrator; `autosint worker` runs none.
#[derive(Clone, Copy)]
pub struct Job {
    /// Name in the log.
    pub name: &'static str,
    pub run: fn(Web, Leadership, CancellationToken) -> BoxFuture<'static, ()>,
}

/// Filter of the list of assessments: those that a feature names for a person.
#[derive(Clone, Copy)]
pub struct AssessmentFilter {
    /// Field of the address; its value is `me`.
    pub field: &'static str,
    pub label: &'static str,
    pub choice: &'static str,
    pub select: fn(Web, UserId) -> BoxFuture<'static, StoreResult<Vec<AssessmentId>>>,
}
