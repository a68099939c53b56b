//! Engine: ports and configuration as one cheap clone; `server` builds it once.

use crate::{
    Clock, Ids, StoreError, StoreResult,
    accounts::Accounts,
    agents::cache::ToolCache,
    annotations::AnnotationStore,
    assessments::Assessments,
    browse::Browse,
    budget::{BudgetConfig, Ledger},
    config::EngineConfig,
    embeddings::Embedder,
    events::Events,
    fetch::{
        Captures, Fetch,
        sources::{Catalogue, SourceLog},
    },
    graph::{Graph, Resolve, search::SearchConfig},
    investigations::{Investigations, WorkOrders},
    library::Documents,
    models::{ChosenModels, NamedModels, RoleModels},
    pages::LiveStates,
    queue::Queue,
    reliability::{BreakerHandle, Circuits, GuardedEmbedder, ReliabilityConfig},
    sessions::Sessions,
    task_tracker::TaskTracker,
    teams::Teams,
};
use domain::{
    agent::AgentRole,
    investigation::{Investigation, WebAccess},
    model_choice::ModelChoices,
};
use std::{
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::watch;

/// Engine of the use cases. Dereferences to its parts.
#[derive(Clone)]
pub struct Engine {
    parts: Arc<Parts>,
    disk_full: Arc<watch::Sender<bool>>,
    cleanup: TaskTracker,
    pub(crate) live_states: LiveStates,
    /// Choices of models as this process saw them last, for what may be a little behind.
    seen_choices: Arc<Mutex<ModelChoices>>,
}

/// Ports and configuration of an `Engine`.
#[derive(Clone)]
pub struct Parts {
    pub accounts: Arc<dyn Accounts>,
    pub annotations: Arc<dyn AnnotationStore>,
    pub assessments: Arc<dyn Assessments>,
    pub captures: Arc<dyn Captures>,
    pub documents: Arc<dyn Documents>,
    pub events: Arc<dyn Events>,
    pub graph: Arc<dyn Graph>,
    pub investigations: Arc<dyn Investigations>,
    pub work_orders: Arc<dyn WorkOrders>,
    pub queue: Arc<dyn Queue>,
    pub sessions: Arc<dyn Sessions>,
    pub teams: Arc<dyn Teams>,
    pub tool_cache: Arc<dyn ToolCache>,
    pub circuits: Arc<dyn Circuits>,
    pub ledger: Arc<dyn Ledger>,
    /// None without web access.
    pub fetch: Option<Arc<dyn Fetch>>,
    /// None without a browser.
    pub browse: Option<Arc<dyn Browse>>,
    /// None when the library is the only source.
    pub catalogue: Option<Arc<dyn Catalogue>>,
    pub chosen_models: Arc<dyn ChosenModels>,
    pub source_log: Arc<dyn SourceLog>,
    /// Entity resolution.
    pub resolve: Arc<dyn Resolve>,
    /// None when searches use no vectors.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Configured models of every role.
    pub role_models: RoleModels,
    /// Models that a question may name instead.
    pub named_models: Arc<NamedModels>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub config: EngineConfig,
    pub reliability: ReliabilityConfig,
    pub budget: BudgetConfig,
    pub search: SearchConfig,
}

impl Engine {
    pub fn new(mut parts: Parts) -> Self {
        let cleanup = TaskTracker::default();
        if let Some(embedder) = parts.embedder.take() {
            parts.embedder = Some(Arc::new(GuardedEmbedder::new(embedder, &parts, cleanup.clone())));
        }
        let live_states = LiveStates::new(&parts.config.pages);
        let (disk_full, seen_choices) = (Arc::new(watch::Sender::new(false)), Arc::default());
        Self { parts: Arc::new(parts), disk_full, cleanup, live_states, seen_choices }
    }

    /// Spawns a cleanup task that outlives its caller.
    pub(crate) fn spawn_cleanup(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.cleanup.spawn(work);
    }

    /// Returns the handle by which dropped calls release their probes.
    pub(crate) fn breaker_handle(&self) -> BreakerHandle {
        BreakerHandle {
            circuits: self.circuits.clone(),
            clock: self.clock.clone(),
            config: self.reliability.breaker.clone(),
            cleanup: self.cleanup.clone(),
        }
    }

    /// Waits for all cleanup tasks; called before the store is closed.
    pub async fn drain(&self) {
        self.cleanup.drain().await;
    }

    /// Notes a failure of background work: a full disk is signalled to `disk_is_full`.
    pub fn note_failure(&self, error: &StoreError) {
        if matches!(error, StoreError::Full) {
            self.disk_full.send_replace(true);
        }
    }

    /// Waits until background work finds the disk full. An event cannot report it, because events need disk space.
    pub async fn disk_is_full(&self) {
        // The sender lives as long as this does.
        let _ = self.disk_full.subscribe().wait_for(|full| *full).await;
    }
}

impl Engine {
    /// Returns the choices of models for the next investigation.
    pub async fn model_choices(&self) -> StoreResult<ModelChoices> {
        let choices = self.chosen_models.model_choices().await?;
        self.seen_choices.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&choices);
        Ok(choices)
    }

    /// Returns the models of the next investigation, as far as this process has seen.
    pub fn models_seen(&self) -> RoleModels {
        let choices = self.seen_choices.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.models_with(&choices)
    }

    /// Returns whether a language model plays a role next.
    pub async fn has_model(&self, role: AgentRole) -> StoreResult<bool> {
        Ok(self.models_with(&self.model_choices().await?).has_language_model(role))
    }
}

impl Deref for Engine {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Parts {
    /// Returns the models of an investigation, without a judge when disabled.
    pub fn models_for(&self, investigation: &Investigation) -> RoleModels {
        match &investigation.model {
            None => self.models_with(&investigation.models),
            named => self.models_named(named.as_deref()),
        }
    }

    /// Returns whether every model that an investigation may call has a price.
    pub fn prices_known(&self, investigation: &Investigation) -> bool {
        self.models_for(investigation).all().all(|model| !model.price().currency.is_empty())
    }

    /// Returns the web access of the agents of an investigation.
    pub fn web_access(&self, investigation: &Investigation) -> WebAccess {
        if self.config.web.enabled { investigation.web } else { WebAccess::Off }
    }

    /// Returns whether a browser can be started.
    pub fn has_browser(&self) -> bool {
        self.browse.as_ref().is_some_and(|browse| browse.is_available())
    }

    /// Returns whether the web of the agents is an invented one.
    pub fn has_invented_web(&self) -> bool {
        self.catalogue.as_ref().is_some_and(|catalogue| catalogue.is_invented())
    }

    /// Returns the models for a named model, or the configured ones.
    pub fn models_named(&self, model: Option<&str>) -> RoleModels {
        let named = model.map(|name| RoleModels::single((self.named_models)(name)));
        self.judging(named.unwrap_or_else(|| self.role_models.clone()))
    }

    /// Returns the configured models with those that an administrator chose in their place.
    pub fn models_with(&self, choices: &ModelChoices) -> RoleModels {
        self.judging(self.role_models.clone().with_choices(choices, &*self.named_models))
    }

    /// Removes the judge where judging is off.
    fn judging(&self, models: RoleModels) -> RoleModels {
        RoleModels { judge: models.judge.filter(|_| self.config.judge.max_pairs > 0), ..models }
    }
}
