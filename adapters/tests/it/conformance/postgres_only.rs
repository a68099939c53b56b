//! Tests of PostgreSQL only: outages, and statements on large tables.

use super::{backends, ledger, prelude::*};
use crate::flaky_proxy::FlakyProxy;
use engine::{
    Clock,
    accounts::WebSessions,
    agents::cache::ToolCache,
    assessments::Assessments,
    budget::{Caps, Ledger},
    events::Events,
    investigations::{Investigations, ProcessRole, WorkOrders},
    library::Documents,
    queue::Queue,
    reliability::RetryConfig,
    sessions::Sessions,
};
use futures::StreamExt;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::time::Instant;

/// Tables that grow with use, each filled with so many rows that reading it whole would be seen.
const BIG: [&str; 13] = [
    "documents",
    "texts",
    "blobs",
    "investigations",
    "investigation_scopes",
    "work_orders",
    "events",
    "contents",
    "agent_sessions",
    "session_steps",
    "tool_calls",
    "model_calls",
    "web_sessions",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_database_that_was_away_is_used_again() {
    let Some(backend) = backends::postgres().await else { return };
    let cut = FlakyProxy::before(backend.url()).await;
    let path = url::Url::parse(backend.url()).unwrap().path().to_owned();
    let retry = RetryConfig { initial_backoff_ms: 1, max_backoff_ms: 5, ..RetryConfig::STORE };
    let config = SqlConfig { recheck_ms: 20, acquire_timeout_ms: 2_000, retry, ..SqlConfig::default() };
    let url = format!("{}{path}", cut.address("postgres://autosint@"));
    let store = Store::open_postgres(&url, config, backend.clock.clone(), None).await.unwrap();
    let investigation = backend.any_investigation().await;
    assert!(store.investigation(investigation).await.unwrap().is_some());

    cut.sever();
    let refused = soon(store.append(investigation, backend.now(), growth(1))).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    cut.mend();
    soon(async { while store.ping().await.is_err() {} }).await;
    let mut stream = store.follow(investigation, 0);
    not_yet(stream.next()).await;
    // It hears notices of others again, too.
    let event = backend.store.append(investigation, backend.now(), growth(2)).await.unwrap();
    assert_eq!(soon(stream.next()).await.unwrap().unwrap(), event);
    assert_eq!(event.sequence, 1, "what was refused was not written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_database_that_comes_later_is_waited_for() {
    let Some(backend) = backends::postgres().await else { return };
    let cut = FlakyProxy::before(backend.url()).await;
    let path = url::Url::parse(backend.url()).unwrap().path().to_owned();
    let url = format!("{}{path}", cut.address("postgres://autosint@"));
    let retry = RetryConfig { initial_backoff_ms: 20, max_backoff_ms: 50, max_attempts: 1, ..RetryConfig::STORE };
    let opened = |patience_ms: u64| {
        let config = SqlConfig { acquire_timeout_ms: patience_ms, retry, ..SqlConfig::default() };
        Store::open_postgres(&url, config, backend.clock.clone(), None)
    };
    cut.sever();
    let refused = soon(opened(200)).await.map(drop);
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    let opening = opened(20_000);
    tokio::pin!(opening);
    let early = tokio::time::timeout(Duration::from_millis(300), &mut opening).await.map(|opened| opened.map(drop));
    assert!(early.is_err(), "{early:?}");
    cut.mend();
    soon(opening).await.unwrap().ping().await.unwrap();
}

/// As when the process that wrote it is killed before it can tell the others.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_event_without_a_notification_is_found() {
    let Some(backend) = backends::postgres().await else { return };
    let config = SqlConfig { lease_check_ms: 50, ..SqlConfig::default() };
    let store = Store::open_postgres(backend.url(), config, backend.clock.clone(), None).await.unwrap();
    let investigation = backend.any_investigation().await;
    let mut stream = store.follow(investigation, 0);
    not_yet(stream.next()).await;
    let mut admin = PgConnection::connect(backend.url()).await.unwrap();
    let mut transaction = admin.begin().await.unwrap();
    let counted = sqlx::query("update investigations set event_count = 1 where id = $1").bind(investigation.0);
    counted.execute(&mut *transaction).await.unwrap();
    let written = sqlx::query("insert into events (investigation_id, sequence, at, what) values ($1, 1, now(), $2)");
    let written = written.bind(investigation.0).bind(sqlx::types::Json(growth(1)));
    written.execute(&mut *transaction).await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(soon(stream.next()).await.unwrap().unwrap().kind, growth(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_listener_recovers_from_a_silently_lost_connection() {
    let Some(backend) = backends::postgres().await else { return };
    let cut = FlakyProxy::before_connections_sending(backend.url(), "LISTEN").await;
    let path = url::Url::parse(backend.url()).unwrap().path().to_owned();
    let config = SqlConfig { recheck_ms: 20, silence_ms: 500, ..SqlConfig::default() };
    let url = format!("{}{path}", cut.address("postgres://autosint@"));
    let store = Store::open_postgres(&url, config, backend.clock.clone(), None).await.unwrap();
    let taking = Queue::take(&store, HolderId(id()), 60_000);
    tokio::pin!(taking);
    not_yet(&mut taking).await;
    for _ in 0..2 {
        cut.deaden();
        let (_, order) = backend.queued_order().await;
        backend.store.push(order, Priority::Normal).await.unwrap();
        let taken = soon(&mut taking).await.unwrap();
        assert_eq!(taken.work_order_id, order);
        taking.set(Queue::take(&store, HolderId(id()), 60_000));
        not_yet(&mut taking).await;
    }
}

fn growth(claims: u64) -> EventKind {
    EventKind::GraphAdded(GraphCounts { claims, entities: 0, relationships: 0 })
}

/// Until somebody waits for a lock of the database.
async fn somebody_waits(backend: &TestBackend) {
    let admin = tokio::sync::Mutex::new(PgConnection::connect(backend.url()).await.unwrap());
    let waiting =
        "select exists (select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')";
    let does =
        eventually(async || sqlx::query_scalar::<_, bool>(waiting).fetch_one(&mut *admin.lock().await).await.unwrap()).await;
    assert!(does, "nobody waits for a lock");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn releasing_the_lost_calls_of_yesterday_causes_no_deadlock() {
    let Some(backend) = backends::postgres().await else { return };
    let place = ledger::place(&backend).await;
    let lost = ledger::call(&backend, &place);
    backend.store.reserve(&lost, &Caps::default()).await.unwrap().unwrap();
    backend.clock.forward_ms(86_400_000);
    let call = ledger::call(&backend, &place);
    let [day, _, investigation, _] = call.keys();
    assert_ne!(lost.keys()[0], day);
    // Another call of the same investigation holds the lock of today and takes that of the investigation next.
    let mut other = PgConnection::connect(backend.url()).await.unwrap();
    let mut other = other.begin().await.unwrap();
    let today = "insert into budget_levels (level, key, tokens, micros) values ('day', $1, 0, 0)";
    sqlx::query(today).bind(&day).execute(&mut *other).await.unwrap();
    let store = backend.store.clone();
    let reserved = tokio::spawn(async move { store.reserve(&call, &Caps::default()).await });
    soon(somebody_waits(&backend)).await;
    let next = "update budget_levels set tokens = tokens where level = 'investigation' and key = $1";
    soon(sqlx::query(next).bind(&investigation).execute(&mut *other)).await.unwrap();
    other.commit().await.unwrap();
    soon(reserved).await.unwrap().unwrap().unwrap();
}

/// Counts how often somebody looks at it.
#[derive(Default)]
struct Looks(AtomicU64);

impl Clock for Looks {
    fn now(&self) -> Timestamp {
        self.0.fetch_add(1, Ordering::SeqCst);
        Timestamp::from_micros(1_900_000_000_000_000)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_waiting_worker_polls_with_pauses_while_another_takes_an_order() {
    let Some(backend) = backends::postgres().await else { return };
    backend.queue.push(WorkOrderId(id()), Priority::Normal).await.unwrap();
    let mut other = PgConnection::connect(backend.url()).await.unwrap();
    let mut taking = other.begin().await.unwrap();
    sqlx::query("select 1 from queue for update").execute(&mut *taking).await.unwrap();
    let looks = Arc::new(Looks::default());
    let store = Store::open_postgres(backend.url(), SqlConfig::default(), looks.clone(), None).await.unwrap();
    let (begun, before) = (Instant::now(), looks.0.load(Ordering::SeqCst));
    not_yet(Queue::take(&store, HolderId(id()), 60_000)).await;
    let rounds = u128::from(looks.0.load(Ordering::SeqCst) - before);
    assert!(rounds <= begun.elapsed().as_millis() / 10 + 2, "{rounds} in {:?}", begun.elapsed());
    taking.rollback().await.unwrap();
    soon(Queue::take(&store, HolderId(id()), 60_000)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_usual_statement_scans_a_big_table() {
    let Some(backend) = backends::postgres().await else { return };
    let (owner, collection) = backend.person("ada").await;
    let (investigation, order) = backend.queued_order().await;
    let session = SessionId(id());
    let mut admin = PgConnection::connect(backend.url()).await.unwrap();
    fill(&mut admin, collection.0, owner.0).await;
    let before = scans(&mut admin).await;

    let store = backend.other_process().await;
    let scope = Scope::from(collection);
    store.investigation(investigation).await.unwrap();
    store.unheld(backend.now(), 10).await.unwrap();
    store.parts(investigation).await.unwrap();
    let filter = InvestigationFilter { owner: Some(owner), scope: Some(scope.clone()), limit: 20, ..Default::default() };
    Investigations::list(&store, &filter).await.unwrap();
    let suspended = InvestigationFilter { statuses: vec![Status::Suspended], limit: 20, ..Default::default() };
    Investigations::list(&store, &suspended).await.unwrap();
    store.is_any_running().await.unwrap();
    store.progress_summaries(&[investigation]).await.unwrap();
    store.live_holders(backend.now()).await.unwrap();
    store.count_by_status().await.unwrap();
    store.count_orders_by_status().await.unwrap();
    store.open().await.unwrap();
    store.work_orders(investigation).await.unwrap();
    backend.assign(order, HolderId(id())).await.unwrap();
    store.documents_read(investigation).await.unwrap();
    store.append(investigation, backend.now(), growth(1)).await.unwrap();
    store.after(investigation, 0, 50).await.unwrap();
    store.before(investigation, 50, 50).await.unwrap();
    store.last(investigation).await.unwrap();
    store.sessions(investigation).await.unwrap();
    store.session(session).await.unwrap();
    store.unfinished(SessionOwner::Investigation(InvestigationId(id())), AgentRole::Analyst).await.unwrap();
    store.unfinished(SessionOwner::WorkOrder(WorkOrderId(id())), AgentRole::Processor).await.unwrap();
    let object = SessionOwner::Feature { kind: Word::new("interview"), id: id() };
    store.completed(object, AgentRole::feature("guide")).await.unwrap();
    store.steps_from(session, 0, 20).await.unwrap();
    store.calls(session).await.unwrap();
    store.tallies(investigation).await.unwrap();
    store.spent(investigation).await.unwrap();
    store.spent_by_session(investigation).await.unwrap();
    store.last_answer(investigation, AgentRole::Analyst).await.unwrap();
    store.cached("key", backend.now()).await.unwrap();
    store.load("session", backend.now()).await.unwrap();
    store.push(order, domain::work_order::Priority::Normal).await.unwrap();
    Queue::depth(&store).await.unwrap();
    let words = DocumentQuery { text: Some("ferry".into()), limit: 20, ..DocumentQuery::default() };
    Documents::list(&store, &scope, &words).await.unwrap();
    let of_investigation = AssessmentQuery { limit: 20, ..AssessmentQuery::default() };
    store.latest(&scope, &of_investigation).await.unwrap();
    store.of_investigation(&scope, InvestigationId(id())).await.unwrap();
    // What a connection has read is counted when it is closed.
    store.close().await;

    let after = scans(&mut admin).await;
    let read_whole: Vec<_> = BIG.into_iter().filter(|table| after.get(*table) != before.get(*table)).collect();
    assert!(read_whole.is_empty(), "read as a whole: {read_whole:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_process_measures_its_clock_skew_to_the_database() {
    let Some(backend) = backends::postgres().await else { return };
    let before = backend.store.clock_ahead_ms().await.unwrap();
    backend.clock.forward_ms(600_000);
    let after = backend.store.clock_ahead_ms().await.unwrap();
    assert!((595_000..=600_000).contains(&(after - before)), "{before} {after}");
    // Behind it, too: this clock stands in 1970.
    backend.clock.forward_ms(-backend.now().as_micros() / 1_000);
    assert!(backend.store.clock_ahead_ms().await.unwrap() < -1_000_000_000_000);
}

/// Number of full scans of each table.
async fn scans(admin: &mut PgConnection) -> BTreeMap<String, i64> {
    sqlx::query("select pg_stat_clear_snapshot()").execute(&mut *admin).await.unwrap();
    let rows: Vec<(String, i64)> =
        sqlx::query_as("select relname::text, seq_scan from pg_stat_user_tables").fetch_all(&mut *admin).await.unwrap();
    rows.into_iter().collect()
}

/// Forty thousand investigations with what belongs to them, in one collection of one person.
async fn fill(admin: &mut PgConnection, collection: uuid::Uuid, owner: uuid::Uuid) {
    let statements = FILL.replace("COLLECTION", &collection.to_string()).replace("OWNER", &owner.to_string());
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut *admin).await.unwrap();
    sqlx::raw_sql("vacuum analyze").execute(&mut *admin).await.unwrap();
    // What this session has read is counted now.
    sqlx::raw_sql("select pg_stat_force_next_flush()").execute(&mut *admin).await.unwrap();
}

const FILL: &str = include_str!("fill.sql");

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_processes_whose_registrations_are_over_do_not_wait_for_each_other() {
    let Some(backend) = backends::postgres().await else { return };
    let [me, other] = [HolderId(id()), HolderId(id())];
    for holder in [me, other] {
        backend.store.register_holder(holder, ProcessRole::Full, backend.now().plus_ms(1_000)).await.unwrap();
    }
    backend.clock.forward_ms(2_000);
    // The other has registered again and deletes the expired registrations next.
    let mut registering = PgConnection::connect(backend.url()).await.unwrap();
    let mut registering = registering.begin().await.unwrap();
    let touch = "update holders set works_only = works_only where id = $1";
    sqlx::query(touch).bind(other.0).execute(&mut *registering).await.unwrap();
    let (store, until) = (backend.store.clone(), backend.now().plus_ms(1_000));
    let registered = tokio::spawn(async move { store.register_holder(me, ProcessRole::Full, until).await });
    soon(somebody_waits(&backend)).await;
    soon(sqlx::query(touch).bind(me.0).execute(&mut *registering)).await.unwrap();
    registering.commit().await.unwrap();
    soon(registered).await.unwrap().unwrap();
    assert_eq!(backend.store.live_holders(backend.now()).await.unwrap(), [(me, ProcessRole::Full)]);
}
