//! State of the handlers of features.

use crate::{FeatureSettings, PageCache, ShareableKind, WatchedKind};
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
    /// Kinds of objects of the kernel and of all features that people share by links.
    pub shareable: Arc<[ShareableKind]>,
    pub limits: Arc<dyn RateLimits>,
    /// Encrypted secrets, under names that begin with that of the feature.
    pub secrets: Arc<dyn Secrets>,
    pub(crate) leptos: LeptosOptions,
    context: Arc<dyn Fn() + Send + Sync>,
}

/// Rate limits, encrypted secrets, and what the features offer to one another.
pub struct FeaturePorts {
    pub watched: Arc<[WatchedKind]>,
    pub shareable: Arc<[ShareableKind]>,
    pub limits: Arc<dyn RateLimits>,
    pub secrets: Arc<dyn Secrets>,
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
        let FeaturePorts { watched, shareable, limits, secrets } = ports;
        Self { engine, store, settings, agents, watched, shareable, limits, secrets, leptos, context: Arc::new(context) }
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
