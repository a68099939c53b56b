//! The engine as a value: its ports, its configuration, and nothing else. Cheap to clone; `server` builds it once.

use crate::{
    Clock, Ids, StoreError,
    accounts::Accounts,
    afterwards::Afterwards,
    agents::cache::ToolCache,
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
    models::{Cast, NamedModels},
    queue::Queue,
    reliability::{Circuits, GuardedEmbedder, Heir, ReliabilityConfig},
    sessions::Sessions,
};
use domain::investigation::Investigation;
use std::{ops::Deref, sync::Arc};
use tokio::sync::watch;

/// Everything that use cases need. Derefs to its parts.
#[derive(Clone)]
pub struct Engine {
    parts: Arc<Parts>,
    disk_full: Arc<watch::Sender<bool>>,
    afterwards: Afterwards,
}

/// The ports and the configuration that an `Engine` is made of.
#[derive(Clone)]
pub struct Parts {
    pub accounts: Arc<dyn Accounts>,
    pub assessments: Arc<dyn Assessments>,
    pub captures: Arc<dyn Captures>,
    pub documents: Arc<dyn Documents>,
    pub events: Arc<dyn Events>,
    pub graph: Arc<dyn Graph>,
    pub investigations: Arc<dyn Investigations>,
    pub work_orders: Arc<dyn WorkOrders>,
    pub queue: Arc<dyn Queue>,
    pub sessions: Arc<dyn Sessions>,
    pub tool_cache: Arc<dyn ToolCache>,
    pub circuits: Arc<dyn Circuits>,
    pub ledger: Arc<dyn Ledger>,
    /// None: there is no web.
    pub fetch: Option<Arc<dyn Fetch>>,
    /// None: pages are not rendered.
    pub browse: Option<Arc<dyn Browse>>,
    /// None: there are no sources but the library.
    pub catalogue: Option<Arc<dyn Catalogue>>,
    pub source_log: Arc<dyn SourceLog>,
    /// How entities are told apart.
    pub resolve: Arc<dyn Resolve>,
    /// None: searches go on without vectors.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Who plays the roles as configured.
    pub cast: Cast,
    /// Whom a question may name instead.
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
        let afterwards = Afterwards::default();
        if let Some(embedder) = parts.embedder.take() {
            parts.embedder = Some(Arc::new(GuardedEmbedder::new(embedder, &parts, afterwards.clone())));
        }
        Self { parts: Arc::new(parts), disk_full: Arc::new(watch::Sender::new(false)), afterwards }
    }

    /// Does what must be done although nobody waits for it any more.
    pub(crate) fn afterwards(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.afterwards.begin(work);
    }

    /// What speaks for calls that are gone.
    pub(crate) fn heir(&self) -> Heir {
        Heir {
            circuits: self.circuits.clone(),
            clock: self.clock.clone(),
            config: self.reliability.breaker.clone(),
            afterwards: self.afterwards.clone(),
        }
    }

    /// Waits for what was left behind: to be asked for before the store is closed.
    pub async fn settled(&self) {
        self.afterwards.done().await;
    }

    /// Background work notes here why it could not go on.
    pub fn note_failure(&self, error: &StoreError) {
        if matches!(error, StoreError::Full) {
            self.disk_full.send_replace(true);
        }
    }

    /// Waits until background work has met a full disk: that cannot be told by an event, as events are written to it.
    pub async fn disk_is_full(&self) {
        // The sender lives as long as this does.
        let _ = self.disk_full.subscribe().wait_for(|full| *full).await;
    }
}

impl Deref for Engine {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Parts {
    /// Who plays the roles in an investigation; without a judge where none is wanted.
    pub fn cast_of(&self, investigation: &Investigation) -> Cast {
        self.cast_named(investigation.model.as_deref())
    }

    /// The same where a question names its model, or nobody.
    pub fn cast_named(&self, model: Option<&str>) -> Cast {
        let named = model.map(|name| Cast::of_one((self.named_models)(name)));
        let cast = named.unwrap_or_else(|| self.cast.clone());
        Cast { judge: cast.judge.filter(|_| self.config.judge.max_pairs > 0), ..cast }
    }
}
