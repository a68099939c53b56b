//! Backends of the state store for the tests of all crates, and small values to store.
//!
//! A suite is plain functions that take a `TestBackend`; `on_every_backend!` runs them on SQLite and PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod archive;
mod assessment;
mod databases;
mod scope;
mod scripted_model;
mod smtp_server;
mod test_engine;

pub use archive::{assert_transfer, schema};
pub use assessment::{stored_assessment, without_ids};
pub use scope::{ColumnText, assert_no_other_person_reads, assert_rows_go_with_their_objects};
pub use scripted_model::{ScriptedModel, ScriptedTurn};
pub use smtp_server::{SmtpBehaviour, SmtpServer};
pub use test_engine::{EXTRACTIVE, config_files, engine_parts};

use adapters::{
    Address,
    limits::LocalLimits,
    redis::{Redis, RedisCache, RedisConfig, RedisLimits, RedisQueue},
    sql::{Schema, SqlConfig, Store},
};
use bytes::Bytes;
use databases::migrated_database;
use domain::{
    Collection, CollectionId, CollectionKind, DocumentId, HolderId, InvestigationId, Scope, SessionId, Timestamp, UserId,
    WorkOrderId,
    agent::{AgentRole, AgentSession, SessionOwner, SessionStatus},
    document::{Credits, Document, DocumentDetails},
    event::EventKind,
    investigation::{Depth, Investigation, InvestigationKind, Progress, Status, Terms, Trigger, WebAccess},
    model_choice::ModelChoices,
    user::{Role, User},
    work_order::{Priority, WorkOrder, WorkOrderStatus},
};
use engine::{
    Clock, Ids, StoreResult,
    accounts::{Accounts, AuditEntry},
    agents::cache::ToolCache,
    investigations::{Investigations, Lease, StagedOrders, Transition, WorkOrders},
    library::Capture,
    limits::RateLimits,
    queue::Queue,
};
use sha2::{Digest, Sha256};
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};
use tempfile::TempDir;
use uuid::Uuid;

/// A clock that moves only when told.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    pub fn forward_ms(&self, ms: i64) {
        self.0.fetch_add(ms * 1000, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

/// One backend with an empty store.
pub struct TestBackend {
    pub store: Store,
    pub queue: Arc<dyn Queue>,
    pub tool_cache: Arc<dyn ToolCache>,
    pub limits: Arc<dyn RateLimits>,
    pub clock: Arc<ManualClock>,
    place: Location,
    schemas: &'static [&'static Schema],
}

enum Location {
    File(TempDir),
    Url(String),
    /// The database, and Redis with a prefix of its own.
    WithRedis(String, Address, String),
}

fn config() -> SqlConfig {
    SqlConfig {
        recheck_ms: 20,
        lease_check_ms: 5_000,
        silence_ms: 3_600_000,
        event_page: 7,
        follow_pause_ms: 1,
        ..SqlConfig::default()
    }
}

/// Runs functions of the surrounding module on SQLite and on PostgreSQL, with the tables of features.
#[macro_export]
macro_rules! on_every_backend {
    ($schemas:path; $($name:ident)+) => {
        mod sqlite {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                let Some(backend) = $crate::sqlite_with(&$schemas).await else { return };
                super::$name(&backend).await;
                backend.close().await;
            }
        )+}
        mod postgres {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                let Some(backend) = $crate::postgres_with(&$schemas).await else { return };
                super::$name(&backend).await;
                backend.close().await;
            }
        )+}
    };
}

pub async fn sqlite() -> Option<TestBackend> {
    sqlite_with(&[]).await
}

/// SQLite with the tables of features.
pub async fn sqlite_with(schemas: &'static [&'static Schema]) -> Option<TestBackend> {
    let folder = tempfile::tempdir().unwrap();
    Some(TestBackend::open(Location::File(folder), schemas).await)
}

pub async fn postgres() -> Option<TestBackend> {
    postgres_with(&[]).await
}

/// PostgreSQL with the tables of features; none without a server.
pub async fn postgres_with(schemas: &'static [&'static Schema]) -> Option<TestBackend> {
    Some(TestBackend::open(Location::Url(migrated_database(schemas).await?), schemas).await)
}

/// PostgreSQL, with Redis for what processes share.
pub async fn redis() -> Option<TestBackend> {
    let server = backend("AUTOSINT_TEST_REDIS")?;
    let prefix = format!("conformance:{}:{}:", std::process::id(), id().as_u128());
    let location = Location::WithRedis(migrated_database(&[]).await?, Address::try_from(server).unwrap(), prefix);
    Some(TestBackend::open(location, &[]).await)
}

/// Returns the address of a service, or the folder of a tool, from the environment; without it the test is skipped, with a printed line.
#[expect(clippy::disallowed_methods, reason = "which backends there are is told to the tests by the environment")]
pub fn backend(variable: &str) -> Option<String> {
    let address = std::env::var(variable).ok();
    if address.is_none() {
        assert!(std::env::var("REQUIRE_BACKENDS").is_err(), "a backend is required and {variable} is unset");
        println!("skipped: {variable} is unset");
    }
    address
}

impl TestBackend {
    async fn open(place: Location, schemas: &'static [&'static Schema]) -> Self {
        let clock = Arc::new(ManualClock(AtomicI64::new(1_900_000_000_000_000)));
        let (store, redis) = open(&place, clock.clone(), schemas).await;
        let (queue, tool_cache) = ports(&store, redis.as_ref());
        let limits: Arc<dyn RateLimits> = match &redis {
            Some(redis) => Arc::new(RedisLimits::new(redis)),
            None => Arc::new(LocalLimits::new(clock.clone())),
        };
        Self { store, queue, tool_cache, limits, clock, place, schemas }
    }

    /// Advances the clock, and in Redis, which has its own, shortens every time to live by as much.
    pub async fn let_pass_ms(&self, ms: i64) {
        self.clock.forward_ms(ms);
        if let Location::WithRedis(_, address, prefix) = &self.place {
            age(address, prefix, ms).await;
        }
    }

    pub async fn other_queue(&self) -> Arc<dyn Queue> {
        let (store, redis) = open(&self.place, self.clock.clone(), self.schemas).await;
        ports(&store, redis.as_ref()).0
    }

    pub async fn other_tool_cache(&self) -> Arc<dyn ToolCache> {
        let (store, redis) = open(&self.place, self.clock.clone(), self.schemas).await;
        ports(&store, redis.as_ref()).1
    }

    /// Opens a second store on the same data, as another process would.
    pub async fn other_process(&self) -> Store {
        open(&self.place, self.clock.clone(), self.schemas).await.0
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn file(&self) -> PathBuf {
        match &self.place {
            Location::File(folder) => folder.path().join("state.db"),
            Location::Url(_) | Location::WithRedis(..) => PathBuf::new(),
        }
    }

    /// The address of the PostgreSQL database.
    pub fn database(&self) -> Option<&str> {
        match &self.place {
            Location::File(_) => None,
            Location::Url(url) | Location::WithRedis(url, ..) => Some(url),
        }
    }

    /// Returns the address of the PostgreSQL database of a backend that has one.
    pub fn url(&self) -> &str {
        self.database().expect("this backend is on PostgreSQL")
    }

    /// The address and prefix of Redis.
    pub fn redis_endpoint(&self) -> (&Address, &str) {
        match &self.place {
            Location::WithRedis(_, address, prefix) => (address, prefix),
            Location::File(_) | Location::Url(_) => panic!("there is no Redis on this bench"),
        }
    }

    pub async fn close(self) {
        self.store.close().await;
    }

    pub async fn user(&self, name: &str) -> UserId {
        let user = User::new(UserId(id()), name, Role::Analyst, self.now());
        assert!(self.store.add_user(&user, Some("$argon2id$x"), None).await.unwrap());
        user.id
    }

    pub async fn collection(&self, owner: UserId, kind: CollectionKind) -> CollectionId {
        let id = CollectionId(id());
        let collection = Collection { id, kind, name: format!("c{id}"), owner, created_at: self.now() };
        self.store.ensure_collection(&collection).await.unwrap().id
    }

    /// A person with a private collection.
    pub async fn person(&self, name: &str) -> (UserId, CollectionId) {
        let user = self.user(name).await;
        (user, self.collection(user, CollectionKind::Private).await)
    }

    /// A new investigation that reads and writes one collection.
    pub async fn investigation(&self, owner: UserId, collection: CollectionId) -> InvestigationId {
        let investigation = self.an_investigation(owner, collection);
        self.store.add(&investigation).await.unwrap();
        investigation.id
    }

    pub fn an_investigation(&self, owner: UserId, collection: CollectionId) -> Investigation {
        Investigation {
            id: InvestigationId(id()),
            owner,
            question: "Who opened the lock?".into(),
            kind: InvestigationKind::Intelligence,
            trigger: Trigger::Prompt,
            model: Some("house:small".into()),
            models: ModelChoices { analyst: Some("house:large".into()), ..ModelChoices::default() },
            parent_id: None,
            scope: Scope::from(collection),
            collection_id: collection,
            addresses: vec!["https://example.org/\"ä\"".into()],
            web: WebAccess::Off,
            terms: Terms { depth: Depth::Quick, ..Terms::default() },
            progress: Progress::default(),
            reason: None,
            suspended_at: None,
            traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".into(),
            created_at: self.now(),
            completed_at: None,
        }
    }

    /// An investigation of a new person.
    pub async fn any_investigation(&self) -> InvestigationId {
        let (owner, collection) = self.person(&format!("person {}", id())).await;
        self.investigation(owner, collection).await
    }

    pub async fn lease(&self, investigation: InvestigationId) -> Lease {
        let until = self.now().plus_ms(60_000);
        Investigations::take(&self.store, investigation, HolderId(id()), self.now(), until).await.unwrap().unwrap()
    }

    /// Advances an investigation and returns its progress.
    pub async fn advance(&self, lease: &Lease, from: &Progress, status: Status, orders: StagedOrders) -> Progress {
        let to = Progress { status, cycle: from.cycle + u32::from(status == Status::Processing), ..from.clone() };
        self.store.advance(lease, &self.transition(from, &to, orders)).await.unwrap();
        to
    }

    pub fn transition(&self, from: &Progress, to: &Progress, orders: StagedOrders) -> Transition {
        Transition {
            from: from.clone(),
            to: to.clone(),
            reason: None,
            at: self.now(),
            orders,
            parts: vec![],
            event: status_event(to.status),
            parent_event: None,
        }
    }

    pub fn order(&self, investigation: InvestigationId, cycle: u32, objective: &str) -> WorkOrder {
        WorkOrder {
            id: WorkOrderId(id()),
            investigation_id: investigation,
            cycle,
            objective: objective.into(),
            referenced_entities: vec![],
            source_guidance: vec!["documents".into()],
            priority: Priority::Normal,
            status: WorkOrderStatus::Staged,
            attempt: 0,
            returned: 0,
            failure: None,
            traceparent: String::new(),
            created_at: self.now(),
            completed_at: None,
        }
    }

    /// Assigns an order as it is now.
    pub async fn assign(&self, order: WorkOrderId, holder: HolderId) -> StoreResult<Option<WorkOrder>> {
        let seen = self.store.work_order(order).await?.map_or(0, |order| order.attempt);
        self.store.assign(order, seen, holder, self.now()).await
    }

    /// An order that waits in cycle 1 of a new investigation.
    pub async fn queued_order(&self) -> (InvestigationId, WorkOrderId) {
        let investigation = self.any_investigation().await;
        let lease = self.lease(investigation).await;
        let session = SessionId(id());
        let order = self.order(investigation, 1, "find the night keeper");
        self.store.stage(session, &order).await.unwrap();
        self.advance(&lease, &Progress::default(), Status::Processing, StagedOrders::Commit(session)).await;
        self.store.release(&lease).await.unwrap();
        (investigation, order.id)
    }

    pub fn session(&self, investigation: InvestigationId, order: Option<WorkOrderId>) -> AgentSession {
        AgentSession {
            id: SessionId(id()),
            owner: order.map_or(SessionOwner::Investigation(investigation), SessionOwner::WorkOrder),
            investigation_id: Some(investigation),
            role: if order.is_some() { AgentRole::Processor } else { AgentRole::Analyst },
            cycle: 0,
            provider: "extractive".into(),
            model: "extractive".into(),
            prompt_hash: "00".into(),
            status: SessionStatus::Running,
            reason: None,
            turns: 0,
            tokens_in: 0,
            tokens_out: 0,
            started_at: self.now(),
            ended_at: None,
        }
    }
}

async fn open(place: &Location, clock: Arc<ManualClock>, schemas: &'static [&'static Schema]) -> (Store, Option<Redis>) {
    match place {
        Location::File(folder) => {
            let path = folder.path().join("state.db");
            (Store::open_sqlite_with(&path, config(), clock, schemas).await.unwrap(), None)
        }
        Location::Url(url) => (Store::open_postgres_with(url, config(), clock, None, schemas).await.unwrap(), None),
        Location::WithRedis(url, address, prefix) => {
            let config = RedisConfig { prefix: prefix.clone(), recheck_ms: 20, ..RedisConfig::default() };
            let redis = Redis::new(address, config, clock.clone()).unwrap();
            (Store::open_postgres_with(url, self::config(), clock, Some(&redis), schemas).await.unwrap(), Some(redis))
        }
    }
}

/// A heartbeat of the Redis queue, for what was held when it was lost.
pub const GRACE_MS: u64 = 60_000;

fn ports(store: &Store, redis: Option<&Redis>) -> (Arc<dyn Queue>, Arc<dyn ToolCache>) {
    let port = Arc::new(store.clone());
    match redis {
        Some(redis) => {
            (Arc::new(RedisQueue::new(redis, port, Arc::new(SequentialIds), GRACE_MS)), Arc::new(RedisCache::new(redis)))
        }
        None => (port.clone(), port),
    }
}

/// Ids from `id`, in sequence.
pub struct SequentialIds;

impl Ids for SequentialIds {
    fn next(&self) -> Uuid {
        id()
    }
}

/// Shortens the time to live of every key.
async fn age(address: &Address, prefix: &str, ms: i64) {
    let script = redis::Script::new(
        "for _, key in ipairs(redis.call('keys', KEYS[1] .. '*')) do
             local left = redis.call('pttl', key)
             if left >= 0 then redis.call('pexpire', key, left - ARGV[1]) end
         end",
    );
    let client = redis::Client::open(address.exposed()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let _: () = script.key(prefix).arg(ms).invoke_async(&mut connection).await.unwrap();
}

/// A new id; they grow.
pub fn id() -> Uuid {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    Uuid::from_u128(u128::from(NEXT.fetch_add(1, Ordering::SeqCst)))
}

/// Returns an entry of the audit log with the current time and without a person.
pub fn entry(backend: &TestBackend, act: &str) -> AuditEntry {
    AuditEntry { at: backend.now(), user: None, act: act.into(), object: "somebody".into(), address: None }
}

pub fn status_event(status: Status) -> EventKind {
    EventKind::StatusChanged { status, cycle: 0, final_session: false, reason: None }
}

pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// A text file as captured.
pub fn capture(collection: CollectionId, path: &str, text: &str) -> Capture {
    let document = Document {
        id: DocumentId(id()),
        collection_id: collection,
        path: path.into(),
        title: path.into(),
        outlet: Some("The Ledger".into()),
        published: None,
        language: Some("en".into()),
        media_type: "text/plain".into(),
        sha256: sha256(text.as_bytes()),
        size_bytes: text.len() as u64,
        text_sha256: sha256(text.as_bytes()),
        text_bytes: text.len() as u64,
        extractor: "plain-1".into(),
        captured_at: Timestamp::from_micros(1_900_000_000_000_001),
        credits: Credits::default(),
    };
    Capture { document, bytes: Bytes::from(text.to_owned()), text: text.to_owned(), details: DocumentDetails::default() }
}

/// The same bytes with another text, as another charset gives it.
pub fn as_text(mut capture: Capture, text: &str) -> Capture {
    capture.document.text_sha256 = sha256(text.as_bytes());
    capture.document.text_bytes = text.len() as u64;
    capture.text = text.to_owned();
    capture
}

/// Awaits a future with a generous timeout, so that an endless wait fails the test.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), future).await.expect("this comes soon")
}

/// Asserts that a future does not finish within a moment.
pub async fn not_yet<T: std::fmt::Debug>(future: impl Future<Output = T>) {
    if let Ok(done) = tokio::time::timeout(Duration::from_millis(120), future).await {
        panic!("this came too early: {done:?}");
    }
}
