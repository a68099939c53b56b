//! State of the handlers of features.

use crate::{FeatureSettings, PageCache, Ports, WatchedKind};
use adapters::sql::Store;
use app::session::TakenForm;
use engine::{Engine, agents::Agents};
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
    /// Offers of features to each other.
    pub ports: Ports,
    /// Values that features keep for the life of the process, by type and key.
    pub memory: PageCache,
    pub(crate) leptos: LeptosOptions,
    context: Arc<dyn Fn() + Send + Sync>,
}

impl Web {
    /// `context` provides what every page finds in its Leptos context.
    pub fn new(
        engine: Engine,
        store: Store,
        settings: FeatureSettings,
        agents: Arc<Agents>,
        ports: Ports,
        leptos: LeptosOptions,
        context: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let (watched, memory) = (ports.watched.clone(), PageCache::default());
        Self { engine, store, settings, agents, watched, ports, memory, leptos, context: Arc::new(context) }
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
