//! State of the handlers of features.

use crate::{
    BundlePort, FeatureSettings, GraphViewPort, InterestPort, MessagePort, NotificationList, NotificationSource, PageCache,
    ProductSource, ShareableKind, WatchedKind,
};
use adapters::sql::Store;
use app::session::TakenForm;
use engine::{Engine, agents::Agents, limits::RateLimits, settings::Secrets};
use leptos::{
    config::LeptosOptions,
    prelude::{provide_context, use_context},
};
use std::sync::Arc;

/// State for the handlers, pieces and jobs of features. A cheap clone.
#[derive(Clone)]
pub struct Web {
    pub engine: Engine,
    pub store: Store,
    pub settings: FeatureSettings,
    /// Roles, prompts and tools, for runs of a role (`engine::agents::run_role`).
    pub agents: Arc<Agents>,
    /// Kinds of objects of all features that people watch.
    pub watched: Arc<[WatchedKind]>,
    /// The one list of notifications; none without the feature that keeps it.
    pub notification_list: Option<NotificationList>,
    /// Encrypted secrets, under names that begin with that of the feature.
    pub secrets: Arc<dyn Secrets>,
    /// Kinds of objects of the kernel and of all features that people share by links.
    pub shareable: Arc<[ShareableKind]>,
    /// Port of the feature that writes signed bundles; none without one.
    pub bundles: Option<BundlePort>,
    /// Port of the feature that keeps graph views; none without one.
    pub graph_views: Option<GraphViewPort>,
    /// Products of all features that interests are matched with.
    pub products: Arc<[ProductSource]>,
    /// Notifications of all features, besides those of the feature that lists them.
    pub notifications: Arc<[NotificationSource]>,
    /// Port of the feature that keeps interests; none without one.
    pub interests: Option<InterestPort>,
    /// Port of messages to the web; none where the web is switched off.
    pub messages: Option<MessagePort>,
    pub limits: Arc<dyn RateLimits>,
    /// Values that features keep for the life of the process, by type and key.
    pub memory: PageCache,
    pub(crate) leptos: LeptosOptions,
    context: Arc<dyn Fn() + Send + Sync>,
}

/// Rate limits, encrypted secrets, the memory of the process, and what the features offer to one another.
pub struct FeaturePorts {
    pub watched: Arc<[WatchedKind]>,
    pub notification_list: Option<NotificationList>,
    pub shareable: Arc<[ShareableKind]>,
    pub bundles: Option<BundlePort>,
    pub graph_views: Option<GraphViewPort>,
    pub products: Arc<[ProductSource]>,
    pub notifications: Arc<[NotificationSource]>,
    pub interests: Option<InterestPort>,
    pub messages: Option<MessagePort>,
    pub limits: Arc<dyn RateLimits>,
    pub secrets: Arc<dyn Secrets>,
    pub memory: PageCache,
}

impl Web {
    /// `context` provides what every page finds in its Leptos context.
    pub fn new(
        engine: Engine,
        store: Store,
        settings: FeatureSettings,
        agents: Arc<Agents>,
        ports: FeaturePorts,
        leptos: LeptosOptions,
        context: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let FeaturePorts {
            watched,
            notification_list,
            shareable,
            bundles,
            graph_views,
            products,
            notifications,
            interests,
            messages,
            limits,
            secrets,
            memory,
        } = ports;
        Self {
            engine,
            store,
            settings,
            agents,
            watched,
            notification_list,
            secrets,
            shareable,
            bundles,
            graph_views,
            products,
            notifications,
            interests,
            messages,
            limits,
            memory,
            leptos,
            context: Arc::new(context),
        }
    }

    /// Provides what every page finds in its context, with this state and an empty cache for the pieces of features.
    pub fn provide(&self) {
        (self.context)();
        provide_context(self.clone());
        provide_context(PageCache::default());
        provide_context(TakenForm::default());
    }

    /// Returns the state from the context of a page.
    pub fn of_page() -> Option<Self> {
        use_context()
    }
}
