//! Calls of models that are stopped in the middle, and calls that probe: counted usage and admission.

use super::prelude::*;
use crate::llm::setup::NoKeys;
use adapters::sql::{MasterKey, SealedSecrets};
use engine::{
    budget::LevelUsage,
    investigations::stop,
    reliability::{Caller, TrialModel},
    settings::{KeyRing, ModelSetup, ProbeResult, Prober, SettingError, Settings},
};
use futures::stream::FuturesUnordered;
use protocol::model::ReplyProgress;
use std::{future::poll_fn, task::Poll};
use tokio::sync::Notify;
use views::settings::{ModelTest, RoleModels};

fn price() -> Price {
    Price { input: 1.0, output: 1.0, currency: "USD".into(), ..Price::default() }
}

fn request() -> ModelRequest {
    ModelRequest {
        role: AgentRole::Analyst,
        system: "You are the Analyst.".into(),
        messages: vec![Message::User { text: "Question: who did it?\nCycle: 1".into() }],
        tools: Arc::new([]),
        max_output_tokens: 4_000,
        output_schema: None,
        progress: None,
    }
}

/// A session of an investigation of its own, without a driver.
async fn caller(world: &World, name: &str) -> Caller {
    let person = world.person(name).await;
    let collection = world.collection(&person).await;
    let investigation = world.ask(&person, collection, FIRE_QUESTION).await;
    let session = world.analyst_session(investigation.id).await;
    Caller {
        user_id: person.id,
        investigation_id: investigation.id,
        is_stored: true,
        parent_id: None,
        session_id: session.id,
        step: 0,
        is_final: false,
        depth_share: 1.0,
        session_share: None,
    }
}

async fn calls(world: &World, caller: Caller) -> Vec<ModelCall> {
    world.engine.ledger.model_calls(caller.session_id).await.unwrap()
}

async fn used(world: &World, caller: Caller) -> LevelUsage {
    world.engine.ledger.used(BudgetLevel::Session, &caller.session_id.to_string()).await.unwrap()
}

/// Writes a little, and then nothing more.
#[derive(Default)]
struct Slow {
    has_written: Notify,
}

#[async_trait]
impl Model for Slow {
    fn provider(&self) -> &'static str {
        "slow"
    }

    fn model(&self) -> &'static str {
        "slow-1"
    }

    fn price(&self) -> Price {
        price()
    }

    fn streams(&self) -> bool {
        true
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let usage = Usage { tokens_in: 700, tokens_out: 1, cache_read: 200, ..Usage::default() };
        request.progress.as_ref().expect("somebody watches").send_replace(ReplyProgress { bytes: 300, usage, call: None });
        self.has_written.notify_one();
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_dropped_call_releases_its_reservation_and_counts_its_usage() {
    let world = World::new(90).await;
    let caller = caller(&world, "ada").await;
    let hanging = Arc::new(Script::named("dear", vec![Line::Hang], After::Extractive).with_price(price()));
    let chain = Chain::from(hanging.clone() as Arc<dyn Model>);
    let began = Instant::now();
    tokio::select! {
        _ = chain.call(&world.engine, caller, |_| request()) => unreachable!("the model never answers"),
        () = hanging.until_called(1) => {}
    }
    let took = began.elapsed();
    world.engine.drain().await;
    let made = calls(&world, caller).await.remove(0);
    assert_eq!(made.outcome, CallOutcome::Cut);
    assert!(made.message.as_deref().unwrap().contains("estimate"), "{:?}", made.message);
    // The prompt, and at most what the configured speed allows until the call was dropped.
    let most = (took.as_secs_f64() * f64::from(world.engine.budget.tokens_per_second)).ceil() as u64;
    assert!(made.spent.tokens_in > 0 && (1..=most).contains(&made.spent.tokens_out), "{:?} of {most}", made.spent);
    let tokens = made.spent.tokens();
    assert_eq!(used(&world, caller).await, LevelUsage { tokens, micros: made.spent.cost_micros });
    assert_eq!(made.spent.cost_micros, tokens, "at one millionth each");

    let slow = Arc::new(Slow::default());
    let chain = Chain::from(slow.clone() as Arc<dyn Model>);
    tokio::select! {
        _ = chain.call(&world.engine, caller, |_| request()) => unreachable!("the model never answers"),
        () = slow.has_written.notified() => {}
    }
    world.engine.drain().await;
    let made = calls(&world, caller).await.remove(1);
    assert_eq!((made.spent.tokens_in, made.spent.tokens_out, made.cache_read), (700, 100, 200), "as far as it was streamed");
    world.close().await;
}

#[tokio::test]
async fn a_call_dropped_at_any_point_leaves_no_reservation() {
    let world = World::new(91).await;
    let caller = caller(&world, "ada").await;
    for polls in 0..40 {
        let script = Arc::new(Script::named("dear", vec![], After::Extractive).with_price(price()));
        let chain = Chain::from(script as Arc<dyn Model>);
        let mut call = Box::pin(chain.call(&world.engine, caller, |_| request()));
        let mut left = polls;
        // Polled as often as it wakes its task, and dropped then.
        poll_fn(|context| match left {
            0 => Poll::Ready(()),
            _ => {
                left -= 1;
                call.as_mut().poll(context).map(drop)
            }
        })
        .await;
        drop(call);
        world.engine.drain().await;
        let made = calls(&world, caller).await;
        assert!(
            made.iter().all(|made| !matches!(made.outcome, CallOutcome::Running | CallOutcome::Lost)),
            "{polls}: {made:#?}"
        );
        let spent: u64 = made.iter().map(|made| made.spent.tokens()).sum();
        assert_eq!(used(&world, caller).await.tokens, spent, "{polls}");
    }
    world.close().await;
}

#[tokio::test]
async fn a_finish_request_stops_the_calls_and_keeps_their_usage() {
    let analyst = Arc::new(Script::named("dear", vec![Line::Hang], After::Extractive).with_price(price()));
    let mut world = World::open(&folder(), 92, |parts| parts.role_models.analyst = analyst.clone().into()).await;
    let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
    world.start(1);
    analyst.until_called(1).await;
    stop(&world.engine, &investigation).await.unwrap();
    let (ended, _) = world.end_of(investigation.id).await;
    assert_eq!((ended.progress.status, ended.progress.final_session), (Status::Completed, true));
    assert!(!world.assessment(&ended).await.is_partial);
    world.engine.drain().await;
    let sessions = world.engine.sessions.sessions(ended.id).await.unwrap();
    assert!(sessions.iter().all(|session| session.status != SessionStatus::Running), "{sessions:#?}");
    let stopped = world.engine.ledger.model_calls(sessions[0].id).await.unwrap().remove(0);
    assert_eq!((sessions[0].status, stopped.outcome), (SessionStatus::Abandoned, CallOutcome::Cut));
    assert!(stopped.spent.tokens_in > 0);
    let user = format!("{} {}", ended.owner, stopped.called_at.to_datetime().format("%Y-%m-%d"));
    let spent = world.engine.ledger.spent(ended.id).await.unwrap().tokens();
    assert_eq!(world.engine.ledger.used(BudgetLevel::User, &user).await.unwrap().tokens, spent);
}

/// A world in which the one model has failed until its circuit opened, and may be tried again now.
async fn tired(seed: u64, lines: Vec<Line>) -> (World, Caller, Chain) {
    let down = (0..3).map(|_| Line::Down);
    let script = Script::new(down.chain(lines).collect(), After::Extractive);
    let world = World::open(&folder(), seed, |parts| parts.reliability.model.max_backoff_ms = 5_000).await;
    let chain = Chain::from(script as Arc<dyn Model>);
    let caller = caller(&world, "ada").await;
    chain.call(&world.engine, caller, |_| request()).await.unwrap_err();
    assert_eq!(state(&world).await, CircuitState::Open);
    world.clock.forward_ms(50);
    (world, caller, chain)
}

async fn state(world: &World) -> CircuitState {
    world.engine.circuits.circuit("script script-1").await.unwrap().state
}

#[tokio::test]
async fn a_postponed_probe_holds_other_calls_back_and_then_closes_the_circuit() {
    let later = ModelError::Unavailable { message: "slow down".into(), retry_after_ms: Some(1_500) };
    let (world, first, chain) = tired(93, vec![Line::Fails(later)]).await;
    let second = caller(&world, "bob").await;
    let probe = chain.call(&world.engine, first, |_| request());
    tokio::pin!(probe);
    assert!(tokio::time::timeout(Duration::from_millis(300), &mut probe).await.is_err(), "it waits as it was told");
    let other = tokio::time::timeout(Duration::from_millis(500), chain.call(&world.engine, second, |_| request())).await;
    assert!(other.expect("it does not hang").is_err(), "nobody asks before the time that was named");
    assert!(calls(&world, second).await.is_empty(), "nothing went out for it");
    probe.await.unwrap();
    assert_eq!(state(&world).await, CircuitState::Closed);
    chain.call(&world.engine, second, |_| request()).await.unwrap();
}

#[tokio::test]
async fn one_of_two_calls_probes_and_a_dropped_probe_passes_to_the_other() {
    let (world, caller, chain) = tired(94, vec![Line::Hang]).await;
    {
        let probe = chain.call(&world.engine, caller, |_| request());
        tokio::pin!(probe);
        assert!(tokio::time::timeout(Duration::from_millis(200), &mut probe).await.is_err());
        assert_eq!(state(&world).await, CircuitState::HalfOpen);
        let made = calls(&world, caller).await.len();
        let other = chain.call(&world.engine, caller, |_| request());
        assert!(tokio::time::timeout(Duration::from_millis(200), other).await.is_err(), "it waits");
        assert_eq!(calls(&world, caller).await.len(), made, "only one has gone out");
    }
    // A lost probe would hold the call back for ten minutes.
    let next = tokio::time::timeout(Duration::from_secs(2), chain.call(&world.engine, caller, |_| request())).await;
    next.expect("it is its turn").unwrap();
    assert_eq!(state(&world).await, CircuitState::Closed);
}

#[tokio::test]
async fn a_model_trial_is_billed_to_its_person_and_meets_the_daily_caps() {
    let world = World::open(&folder(), 97, |parts| {
        // Caps of a session or an investigation do not limit a trial.
        (parts.budget.session.tokens, parts.budget.investigation.tokens) = (Some(1), Some(1));
        parts.budget.day.tokens = Some(6_000);
        parts.budget.final_share = 0.0;
    })
    .await;
    let boss = world.person("boss").await;
    let [day, person] = day_keys(world.engine.clock.now(), boss.id);
    let used = async || {
        world.engine.drain().await;
        let of = async |level, key: &str| world.engine.ledger.used(level, key).await.unwrap();
        (of(BudgetLevel::Day, &day).await, of(BudgetLevel::User, &person).await)
    };
    let script = Arc::new(Script::named("dear", vec![says("yes"), Line::Hang], After::Down).with_price(price()));
    let tried = TrialModel::new(&world.engine, boss.id, script.clone());
    tried.call(&request()).await.unwrap();
    let once = LevelUsage { tokens: 5, micros: 5 };
    assert_eq!(used().await, (once, once));
    // One that is left in the middle counts as an estimate, one that is not answered costs nothing.
    assert!(tokio::time::timeout(Duration::from_millis(50), tried.call(&request())).await.is_err());
    let (left, _) = used().await;
    assert!(left.tokens > once.tokens, "{left:?}");
    assert!(matches!(tried.call(&request()).await, Err(ModelError::Unavailable { .. })));
    assert_eq!((used().await.0, tried.capped()), (left, None));
    let long = ModelRequest { system: "x".repeat(18_000).into(), ..request() };
    assert!(matches!(tried.call(&long).await, Err(ModelError::Configuration(why)) if why.contains("daily budget")));
    assert_eq!((tried.capped().map(|cap| cap.level), script.calls()), (Some(BudgetLevel::Day), 3));
    assert_eq!(used().await.0, left, "what is refused reserves nothing");
}

/// A prober that answers on request.
struct Patient(tokio::sync::Semaphore);

#[async_trait]
impl Prober for Patient {
    async fn probe(&self, _: UserId, _: &str) -> ProbeResult {
        self.0.acquire().await.unwrap().forget();
        ProbeResult { is_usable: true, line: "tools".into() }
    }
}

#[tokio::test]
async fn one_model_trial_runs_at_a_time_and_an_abandoned_one_is_released() {
    let world = World::new(95).await;
    let setup = ModelSetup {
        roles: vec![RoleModels { role: "analyst".into(), models: vec!["extractive".into()] }],
        ..ModelSetup::default()
    };
    let master = MasterKey::from_hex(&"5e".repeat(32)).unwrap();
    let keys = Arc::new(KeyRing::new(Arc::new(NoKeys), Arc::new(SealedSecrets::new(world.store.clone(), master))));
    let prober = Arc::new(Patient(tokio::sync::Semaphore::new(0)));
    let settings = Settings::new(world.engine.clone(), setup, keys, prober.clone());
    let boss = User { role: Role::Admin, ..world.person("boss").await };
    let busy = |done: &Result<(), SettingError>| matches!(done, Err(SettingError::Busy));
    {
        let mut tries: FuturesUnordered<_> = (0..8).map(|_| settings.probe(&boss, "extractive")).collect();
        for _ in 0..7 {
            let done = tries.next().await.unwrap();
            assert!(busy(&done), "{done:?}");
        }
    }
    prober.0.add_permits(1);
    settings.probe(&boss, "extractive").await.expect("the one that was left is over");
    let trials = settings.view(&boss).await.unwrap().setup.unwrap().models;
    assert!(matches!(&trials[0].trial, ModelTest::Done { line, .. } if line.starts_with("tools (took ")), "{trials:?}");
}

#[tokio::test]
async fn a_worker_stops_a_cancelled_order_at_once_and_keeps_its_results() {
    let processor = Arc::new(Script::named("dear", vec![Line::Extractive, Line::Hang], After::Extractive).with_price(price()));
    let mut world = World::playing(96, Script::new(vec![vague_order()], After::Extractive), processor.clone()).await;
    let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
    world.start(1);
    processor.until_called(2).await;
    stop(&world.engine, &investigation).await.unwrap();
    let (ended, _) = world.end_of(investigation.id).await;
    assert_eq!((ended.progress.status, ended.progress.final_session), (Status::Completed, true));
    assert!(!world.assessment(&ended).await.is_partial);
    let sessions = world.engine.sessions.sessions(ended.id).await.unwrap();
    let is_running = |session: &AgentSession| session.role == AgentRole::Analyst && session.status == SessionStatus::Running;
    assert!(!sessions.iter().any(is_running), "{sessions:#?}");
    let processors = || async {
        let sessions = world.engine.sessions.sessions(ended.id).await.unwrap();
        sessions.into_iter().filter(|session| session.role == AgentRole::Processor).collect::<Vec<_>>()
    };
    // The worker hears of it by an event.
    let has_ended = async || processors().await[0].status != SessionStatus::Running;
    assert!(eventually(has_ended).await, "the call that hangs is dropped");
    let stopped = processors().await.remove(0);
    assert_eq!((stopped.status, stopped.reason.as_deref()), (SessionStatus::Abandoned, Some("work order cancelled")));
    assert!(stopped.tokens_in > 0, "what the call used that was dropped is counted: {stopped:?}");
    let outcomes: Vec<_> = world.engine.ledger.model_calls(stopped.id).await.unwrap().iter().map(|made| made.outcome).collect();
    assert_eq!(outcomes, [CallOutcome::Answered, CallOutcome::Cut]);
    assert_eq!(world.engine.queue.depth().await.unwrap(), [0, 0, 0]);
    assert_eq!(processors().await.len(), 1, "nobody takes it up again");
    world.close().await;
}
