//! A whole AutOSINT in this process: store and graph in a folder, orchestrator and workers in tasks.

use super::prelude::*;
use adapters::sql::{SqlConfig, Store};
use domain::{
    Collection,
    investigation::{InvestigationKind, Progress, Terms, Trigger, WebAccess},
    model_choice::ModelChoices,
};
use engine::{
    Clock, Ids, library,
    orchestrator::Orchestrator,
    reliability::{BreakerConfig, ReliabilityConfig},
    workers::{self, ShutdownPolicy},
};
use futures::stream;
use sha2::{Digest, Sha256};
use std::{path::Path, sync::atomic::AtomicI64};
use tempfile::TempDir;
pub use testkit::{EXTRACTIVE, config_files};
use tokio::task::JoinSet;

/// A clock that also advances a little with each reading, so that no two events share a time.
pub struct Steps {
    begun: Instant,
    begins_at: AtomicI64,
    last: AtomicI64,
}

impl Steps {
    pub fn from(micros: i64) -> Self {
        Self { begun: Instant::now(), begins_at: AtomicI64::new(micros), last: AtomicI64::new(micros) }
    }

    pub fn forward_ms(&self, ms: i64) {
        self.begins_at.fetch_add(ms * 1_000, Ordering::SeqCst);
    }
}

impl Clock for Steps {
    fn now(&self) -> Timestamp {
        let real = self.begins_at.load(Ordering::SeqCst) + i64::try_from(self.begun.elapsed().as_micros()).unwrap();
        let last = self.last.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |last| Some(real.max(last + 10))).unwrap();
        Timestamp::from_micros(real.max(last + 10))
    }
}

/// Ids from a seed. They do not grow, so that results depending on their order differ between seeds.
pub struct SeededIds {
    seed: u64,
    next: AtomicU64,
}

impl SeededIds {
    pub fn by(seed: u64) -> Self {
        Self { seed, next: AtomicU64::new(0) }
    }
}

impl Ids for SeededIds {
    fn next(&self) -> Uuid {
        let n = self.next.fetch_add(1, Ordering::SeqCst);
        let hash = Sha256::digest(format!("{} {n}", self.seed));
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }
}

/// Everything that waits waits only a moment.
fn impatient() -> ReliabilityConfig {
    let quick = |usual| RetryConfig { initial_backoff_ms: 1, max_backoff_ms: 20, ..usual };
    ReliabilityConfig {
        model: quick(RetryConfig::MODEL),
        store: quick(RetryConfig::STORE),
        module: quick(RetryConfig::MODULE),
        investigation: quick(RetryConfig::INVESTIGATION),
        breaker: BreakerConfig { cooldown_ms: 30, misconfigured_cooldown_ms: 30, ..BreakerConfig::default() },
    }
}

/// Where a world keeps its data; several worlds may follow each other on one.
pub type Folder = Arc<TempDir>;

pub fn folder() -> Folder {
    Arc::new(tempfile::tempdir().unwrap())
}

pub struct World {
    pub engine: Engine,
    pub agents: Arc<Agents>,
    pub store: Store,
    pub shutdown: CancellationToken,
    pub clock: Arc<Steps>,
    /// Addresses that a person gives with every question.
    pub addresses: Vec<String>,
    /// Terms of the investigations that are asked.
    pub terms: Terms,
    tasks: JoinSet<()>,
    _folder: Folder,
}

impl World {
    /// An empty world; ids are drawn by `seed`.
    pub async fn new(seed: u64) -> Self {
        Self::open(&folder(), seed, |_| {}).await
    }

    /// A world in which these models have their roles.
    pub async fn playing(seed: u64, analyst: impl Into<Chain>, processor: impl Into<Chain>) -> Self {
        Self::open(&folder(), seed, |parts| {
            parts.role_models.analyst = analyst.into();
            parts.role_models.processor = processor.into();
        })
        .await
    }

    /// The world in `folder`, with parts changed by `change`.
    pub async fn open(folder: &Folder, seed: u64, change: impl FnOnce(&mut Parts)) -> Self {
        let clock = Arc::new(Steps::from(1_950_000_000_000_000 + now_in(folder.path())));
        let config = SqlConfig { recheck_ms: 20, lease_check_ms: 200, ..SqlConfig::default() };
        let store = Store::open_sqlite(&folder.path().join("state.db"), config, clock.clone()).await.unwrap();
        let mut parts = testkit::engine_parts(&store, clock.clone(), Arc::new(SeededIds::by(seed)));
        parts.config.worker_pause_ms = 20;
        parts.reliability = impatient();
        change(&mut parts);
        Self {
            engine: Engine::new(parts),
            agents: Arc::new(Agents::load(&config_files(), "none").unwrap()),
            store,
            shutdown: CancellationToken::new(),
            clock,
            addresses: vec![],
            terms: Terms::default(),
            tasks: JoinSet::new(),
            _folder: folder.clone(),
        }
    }

    /// Starts the orchestrator and so many workers.
    pub fn start(&mut self, workers: u32) {
        let orchestrator = Orchestrator::new(self.engine.clone(), self.agents.clone());
        let shutdown = self.shutdown.clone();
        self.tasks.spawn(async move { orchestrator.run(shutdown).await.unwrap() });
        let (engine, agents) = (self.engine.clone(), self.agents.clone());
        let stop = ShutdownPolicy { shutdown: self.shutdown.clone(), drain: Duration::ZERO };
        self.tasks.spawn(workers::run(engine, agents, workers, stop));
    }

    /// Ends everything at once, as a killed process does.
    pub async fn kill(mut self) {
        self.tasks.shutdown().await;
        self.store.close().await;
    }

    /// Recovery of the first process after a crash.
    pub async fn forget_the_dead(&self) {
        self.engine.investigations.forget_holders().await.unwrap();
        self.engine.queue.forget_workers().await.unwrap();
    }

    /// A person of that name, made when missing.
    pub async fn person(&self, name: &str) -> User {
        if let Some((user, _)) = self.engine.accounts.user_by_name(name).await.unwrap() {
            return user;
        }
        let id = UserId(self.engine.ids.next());
        let user = User::new(id, name, Role::Analyst, self.engine.clock.now());
        assert!(self.engine.accounts.add_user(&user, None, None).await.unwrap());
        user
    }

    /// The private collection of a person.
    pub async fn collection(&self, owner: &User) -> CollectionId {
        let collection = Collection {
            id: CollectionId(self.engine.ids.next()),
            kind: CollectionKind::Private,
            name: "documents".into(),
            owner: owner.id,
            created_at: self.engine.clock.now(),
        };
        self.engine.accounts.ensure_collection(&collection).await.unwrap().id
    }

    pub async fn ingest(&self, collection: CollectionId, papers: &[Paper]) {
        let files = stream::iter(papers.iter().map(|paper| Ok(paper.read())).collect::<Vec<_>>());
        let report = library::ingest(&self.engine, collection, &Scope::from(collection), None, files, |_| {}).await.unwrap();
        assert!(report.rejected.is_empty(), "{:?}", report.rejected);
    }

    /// Stores an investigation of one collection, which may be empty: `investigations::start` would refuse that.
    pub async fn ask(&self, owner: &User, collection: CollectionId, question: &str) -> Investigation {
        self.ask_within(owner, collection, Scope::from(collection), question, None).await
    }

    /// The same where it may read more, or names its model.
    pub async fn ask_within(
        &self,
        owner: &User,
        collection: CollectionId,
        scope: Scope,
        question: &str,
        model: Option<&str>,
    ) -> Investigation {
        let investigation = Investigation {
            id: InvestigationId(self.engine.ids.next()),
            owner: owner.id,
            question: question.to_owned(),
            kind: InvestigationKind::Intelligence,
            trigger: Trigger::Prompt,
            model: model.map(str::to_owned),
            models: ModelChoices::default(),
            parent_id: None,
            scope,
            collection_id: collection,
            addresses: self.addresses.clone(),
            web: WebAccess::On,
            terms: self.terms,
            progress: Progress::default(),
            reason: None,
            suspended_at: None,
            traceparent: format!("00-{:032x}-0000000000000001-01", self.engine.ids.next().as_u128()),
            created_at: self.engine.clock.now(),
            completed_at: None,
        };
        self.engine.investigations.add(&investigation).await.unwrap();
        investigation
    }

    /// Starts a session of the analyst of an investigation, without a driver.
    pub async fn analyst_session(&self, investigation: InvestigationId) -> AgentSession {
        let session = AgentSession {
            id: SessionId(self.engine.ids.next()),
            owner: SessionOwner::Investigation(investigation),
            investigation_id: Some(investigation),
            role: AgentRole::Analyst,
            cycle: 1,
            provider: "script".into(),
            model: "script-1".into(),
            prompt_hash: "p".into(),
            status: SessionStatus::Running,
            reason: None,
            turns: 0,
            tokens_in: 0,
            tokens_out: 0,
            started_at: self.engine.clock.now(),
            ended_at: None,
        };
        self.engine.sessions.start(&session, "{}").await.unwrap();
        session
    }

    /// Puts documents in and asks about them, all by one person.
    pub async fn ask_about(&self, papers: &[Paper], question: &str) -> Investigation {
        let person = self.person("ada").await;
        let collection = self.collection(&person).await;
        self.ingest(collection, papers).await;
        self.ask(&person, collection, question).await
    }

    /// Asks about documents, starts one worker, and follows the investigation to its end.
    pub async fn investigate(&mut self, papers: &[Paper], question: &str) -> (Investigation, Vec<Event>) {
        let investigation = self.ask_about(papers, question).await;
        self.start(1);
        self.end_of(investigation.id).await
    }

    /// Follows the events to the terminal status, and gives the investigation as it is then.
    pub async fn end_of(&self, id: InvestigationId) -> (Investigation, Vec<Event>) {
        let events = self.engine.events.follow(id, 0).map(Result::unwrap).collect::<Vec<_>>();
        let events = tokio::time::timeout(Duration::from_secs(300), events).await.expect("the investigation ends");
        let investigation = self.engine.investigations.investigation(id).await.unwrap().unwrap();
        assert!(investigation.progress.status.is_terminal(), "{:?}", investigation.progress);
        (investigation, events)
    }

    pub async fn assessment(&self, investigation: &Investigation) -> StoredAssessment {
        self.engine.assessments.of_investigation(&investigation.scope, investigation.id).await.unwrap().expect("an assessment")
    }

    pub async fn close(mut self) {
        self.shutdown.cancel();
        while let Some(ended) = self.tasks.join_next().await {
            ended.unwrap();
        }
        self.store.close().await;
    }
}

/// Each world in a folder begins later than the one before.
fn now_in(folder: &Path) -> i64 {
    let file = folder.join("worlds");
    let count = std::fs::read_to_string(&file).ok().and_then(|text| text.parse::<i64>().ok()).unwrap_or(0);
    std::fs::write(&file, (count + 1).to_string()).unwrap();
    count * 3_600_000_000
}

/// The assessment as JSON with every id and the moment of writing replaced: what two runs must agree on, byte for byte.
pub fn without_ids(stored: &StoredAssessment) -> String {
    let value = testkit::without_ids(serde_json::to_value(&stored.assessment).unwrap());
    serde_json::to_string_pretty(&value).unwrap()
}

/// The same without what it cost: calls that failed or were stopped may cost something.
pub fn without_cost(assessment: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(assessment).unwrap();
    value["cost"] = serde_json::Value::Null;
    serde_json::to_string_pretty(&value).unwrap()
}

/// Why it was suspended, each time.
pub fn suspensions(events: &[Event]) -> Vec<&str> {
    let reasons = events.iter().filter_map(|event| match &event.kind {
        EventKind::StatusChanged { status: Status::Suspended, reason, .. } => Some(reason.as_deref().unwrap_or_default()),
        _ => None,
    });
    reasons.collect()
}
