//! Contract between the kernel and a feature: what a feature declares, and what its handlers are given.
//!
//! A feature is one crate in `features/` that holds a whole system. Its one public item is `feature()`, and one line in
//! `server/src/features.rs` registers it.
//!
//! Invariant: features import the kernel, never one another, and the kernel imports no feature. What one feature needs of another
//! goes through a port or an event of the kernel.

mod agents;
mod api;
mod bundles;
mod cache;
mod command;
mod contributions;
mod form;
mod graph_views;
mod interests;
mod job;
mod messages;
mod metric;
mod nav_tables;
mod nodes;
mod notifications;
mod openapi;
mod page;
mod probe;
mod products;
mod questions;
mod redirect;
pub mod region;
mod schedule;
mod search;
mod session;
mod settings;
pub mod shareable;
#[cfg(feature = "testing")]
pub mod testing;
mod watched;
mod web;

pub use adapters::sql::Schema;
pub use agents::{AgentParts, NamedText, ToolParts, added_roles, config_files};
pub use api::{ApiError, ApiUser};
pub use app::{
    AddedFilter, AddedNode, Area, NavEntry, NodeLink, NoticeText, Piece, SelectedAssessments, Slot, session::KeptForm,
};
pub use bundles::{BundlePort, BundleRequest};
pub use cache::PageCache;
pub use command::{Command, CommandError, OfflineCommand, RunOffline, RunOnData};
pub use contributions::contributions;
pub use form::{AnyFields, FormPost};
pub use graph_views::{GraphViewPort, PublicGraphView, SavedGraphView};
pub use interests::{InterestPort, MAX_INTEREST_CHARS, NamedInterest, ProposedInterest};
pub use job::{Job, JobContext};
pub use messages::{MessagePort, WebMessage};
pub use metric::{Metric, MetricKind};
pub use nodes::{FoundNodes, NodeSource};
pub use notifications::{
    FoundNotifications, NotificationAction, NotificationAnswer, NotificationItem, NotificationList, NotificationSource,
};
pub use openapi::ApiDescription;
pub use page::{OpenVisit, PageVisit};
pub use probe::{Probe, ProbeFinding};
pub use products::{Product, ProductFuture, ProductMark, ProductQuery, ProductSource, ReadPair, ReadableProduct};
pub use questions::QUESTIONS;
pub use redirect::{query_string, redirect, redirect_with};
pub use schedule::Schedule;
pub use search::{SearchHit, SearchSource};
pub use session::{AccountUser, ClientAddress, SessionUser};
pub use settings::{FeatureSettings, Settings, SettingsPart};
pub use shareable::{ShareableKind, SharedObject};
pub use watched::{SignValue, WatchedFuture, WatchedKind, WatchedObject, WatchedSign, WatchedSigns};
pub use web::{FeaturePorts, Web};

use axum::Router;

/// A system of the product, as the kernel sees it. A feature declares what it has; the rest stays empty.
#[derive(Clone, Copy)]
pub struct Feature {
    /// Name of its folder, of its section in the configuration (`[features.NAME]`), and of its migrations.
    pub name: &'static str,
    /// Its pages, form posts and API, at addresses that no other feature has.
    pub routes: fn() -> Router<Web>,
    /// Addresses whose form posts ask for the password again, such as those that store secrets.
    pub confirmed: &'static [&'static str],
    pub schema: &'static Schema,
    pub settings: SettingsPart,
    /// Entries of the second row of an area, or of the account menu.
    pub nav: &'static [NavEntry],
    /// Messages of its refused forms, by their codes.
    pub notices: &'static [NoticeText],
    /// Its pieces inside pages of the kernel.
    pub pieces: &'static [Piece],
    /// Filters that it adds to the list of assessments.
    pub filters: &'static [AddedFilter],
    /// Its work in the background.
    pub jobs: &'static [Job],
    /// Adds its paths to the description of the JSON API.
    pub api: Option<fn(&mut ApiDescription)>,
    /// Its hits on the search page and in the palette.
    pub search: Option<SearchSource>,
    /// Its objects in the picture of the explorer.
    pub nodes: Option<NodeSource>,
    /// Kinds of its objects that people watch.
    pub watched: &'static [WatchedKind],
    /// Kinds of its products that interests are matched with.
    pub products: &'static [ProductSource],
    /// Its notifications on the one list.
    pub notifications: Option<NotificationSource>,
    /// Port with which others propose and list interests.
    pub interests: Option<InterestPort>,
    /// The one list of the notifications of all features, which other features deliver.
    pub notification_list: Option<NotificationList>,
    /// Its check in `autosint doctor --probe`.
    pub probe: Option<Probe>,
    /// Kinds of its objects that people share by links.
    pub shareable: &'static [ShareableKind],
    /// Port with which it writes signed bundles of shared objects.
    pub bundles: Option<BundlePort>,
    /// Port to the graph views that it keeps.
    pub graph_views: Option<GraphViewPort>,
    /// Its commands of the `autosint` binary.
    pub commands: &'static [Command],
    /// Its commands that need no data.
    pub offline_commands: &'static [OfflineCommand],
    /// Its commands below `autosint export`.
    pub exports: &'static [Command],
    pub metrics: &'static [Metric],
    /// Its roles, tools and prompts of agents.
    pub agents: AgentParts,
}

impl Feature {
    /// A feature with tables, routes and settings, and nothing else.
    pub const fn new(name: &'static str, routes: fn() -> Router<Web>, schema: &'static Schema, settings: SettingsPart) -> Self {
        Self {
            name,
            routes,
            schema,
            settings,
            confirmed: &[],
            nav: &[],
            notices: &[],
            pieces: &[],
            filters: &[],
            jobs: &[],
            api: None,
            search: None,
            nodes: None,
            watched: &[],
            products: &[],
            notifications: None,
            interests: None,
            notification_list: None,
            probe: None,
            shareable: &[],
            bundles: None,
            graph_views: None,
            commands: &[],
            offline_commands: &[],
            exports: &[],
            metrics: &[],
            agents: AgentParts::NONE,
        }
    }

    /// Adds addresses whose form posts ask for the password again.
    pub const fn confirmed(self, confirmed: &'static [&'static str]) -> Self {
        Self { confirmed, ..self }
    }

    /// Adds entries to the navigation.
    pub const fn nav(self, nav: &'static [NavEntry]) -> Self {
        Self { nav, ..self }
    }

    /// Adds messages of refused forms.
    pub const fn notices(self, notices: &'static [NoticeText]) -> Self {
        Self { notices, ..self }
    }

    /// Adds pieces inside pages of the kernel.
    pub const fn pieces(self, pieces: &'static [Piece]) -> Self {
        Self { pieces, ..self }
    }

    /// Adds filters to the list of assessments.
    pub const fn filters(self, filters: &'static [AddedFilter]) -> Self {
        Self { filters, ..self }
    }

    /// Adds work in the background.
    pub const fn jobs(self, jobs: &'static [Job]) -> Self {
        Self { jobs, ..self }
    }

    /// Adds paths to the description of the JSON API.
    pub const fn api(self, describe: fn(&mut ApiDescription)) -> Self {
        Self { api: Some(describe), ..self }
    }

    /// Adds a source of the search.
    pub const fn search(self, source: SearchSource) -> Self {
        Self { search: Some(source), ..self }
    }

    /// Adds objects to the picture of the explorer.
    pub const fn nodes(self, source: NodeSource) -> Self {
        Self { nodes: Some(source), ..self }
    }

    /// Adds kinds of objects that people watch.
    pub const fn watched(self, watched: &'static [WatchedKind]) -> Self {
        Self { watched, ..self }
    }

    /// Adds sources of products.
    pub const fn products(self, products: &'static [ProductSource]) -> Self {
        Self { products, ..self }
    }

    /// Adds notifications.
    pub const fn notifications(self, source: NotificationSource) -> Self {
        Self { notifications: Some(source), ..self }
    }

    /// Offers the port with which others propose and list interests.
    pub const fn interests(self, port: InterestPort) -> Self {
        Self { interests: Some(port), ..self }
    }

    /// Offers the one list of notifications.
    pub const fn notification_list(self, list: NotificationList) -> Self {
        Self { notification_list: Some(list), ..self }
    }

    /// Adds a check of the doctor.
    pub const fn probe(self, probe: Probe) -> Self {
        Self { probe: Some(probe), ..self }
    }

    /// Adds kinds of objects that people share by links.
    pub const fn shareable(self, shareable: &'static [ShareableKind]) -> Self {
        Self { shareable, ..self }
    }

    /// Offers signed bundles of shared objects.
    pub const fn bundles(self, port: BundlePort) -> Self {
        Self { bundles: Some(port), ..self }
    }

    /// Offers the saved graph views.
    pub const fn graph_views(self, port: GraphViewPort) -> Self {
        Self { graph_views: Some(port), ..self }
    }

    /// Adds commands of the `autosint` binary.
    pub const fn commands(self, commands: &'static [Command]) -> Self {
        Self { commands, ..self }
    }

    /// Adds commands that need no data.
    pub const fn offline_commands(self, offline_commands: &'static [OfflineCommand]) -> Self {
        Self { offline_commands, ..self }
    }

    /// Adds commands below `autosint export`.
    pub const fn exports(self, exports: &'static [Command]) -> Self {
        Self { exports, ..self }
    }

    /// Adds metrics.
    pub const fn metrics(self, metrics: &'static [Metric]) -> Self {
        Self { metrics, ..self }
    }
}
