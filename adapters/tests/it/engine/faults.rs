//! Faults of a provider, one at a time: the message to the person and the work that is kept.

use super::prelude::*;
use engine::{
    embeddings::{EmbedError, Embedder},
    reliability::Circuit,
};
use std::sync::atomic::AtomicUsize;

/// End of an investigation with faults.
struct Run {
    world: World,
    investigation: Investigation,
    events: Vec<Event>,
}

async fn play(seed: u64, change: impl FnOnce(&mut Parts)) -> Run {
    let mut world = World::open(&folder(), seed, change).await;
    let (investigation, events) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    Run { world, investigation, events }
}

async fn play_analyst(lines: Vec<Line>, after: After) -> Run {
    play(60, |parts| parts.role_models.analyst = Script::new(lines, after).into()).await
}

/// Outcome of the same question without faults.
async fn undisturbed() -> String {
    let played = play(60, |parts| parts.role_models.analyst = Script::new(vec![], After::Extractive).into()).await;
    played.assessment().await
}

impl Run {
    fn status(&self) -> Status {
        self.investigation.progress.status
    }

    fn reason(&self) -> &str {
        self.investigation.reason.as_deref().unwrap_or_default()
    }

    fn suspensions(&self) -> Vec<&str> {
        suspensions(&self.events)
    }

    async fn assessment(&self) -> String {
        without_cost(&without_ids(&self.world.assessment(&self.investigation).await))
    }

    async fn sessions(&self) -> Vec<AgentSession> {
        self.world.engine.sessions.sessions(self.investigation.id).await.unwrap()
    }

    async fn outcomes(&self) -> Vec<CallOutcome> {
        let mut outcomes = vec![];
        for session in self.sessions().await {
            outcomes.extend(self.world.engine.ledger.model_calls(session.id).await.unwrap().iter().map(|call| call.outcome));
        }
        outcomes
    }

    async fn circuit(&self, name: &str) -> Circuit {
        self.world.engine.circuits.circuit(name).await.unwrap()
    }
}

fn unavailable(retry_after_ms: Option<u64>) -> Line {
    Line::Fails(ModelError::Unavailable { message: "status 529".into(), retry_after_ms })
}

#[tokio::test]
async fn a_short_failure_is_retried_without_a_trace() {
    let played = play_analyst(vec![unavailable(None), unavailable(Some(5))], After::Extractive).await;
    assert_eq!((played.status(), played.suspensions().len()), (Status::Completed, 0));
    assert_eq!(played.outcomes().await[..3], [CallOutcome::Unavailable, CallOutcome::Unavailable, CallOutcome::Answered]);
    assert_eq!(played.circuit("script script-1").await.failures, 0, "an answer clears the count");
    assert_eq!(played.assessment().await, undisturbed().await);
}

#[tokio::test]
async fn an_outage_suspends_the_investigation_and_the_assessment_stays_the_same() {
    let down = || (0..8).map(|_| Line::Down);
    let mut lines: Vec<Line> = extractive_then_hang(2);
    lines.pop();
    let played = play_analyst(lines.into_iter().chain(down()).collect(), After::Extractive).await;
    assert_eq!(played.status(), Status::Completed);
    // Three failures open it; each of the five others is a probe that fails, and each probe is one suspension.
    let suspensions = played.suspensions();
    assert_eq!(suspensions.len(), 6, "{suspensions:?}");
    assert!(suspensions[0].contains("overloaded"));
    assert_eq!(played.circuit("script script-1").await.state, CircuitState::Closed);
    assert_eq!(played.assessment().await, undisturbed().await);
    // Every session goes on where it was: what was answered is not asked again.
    let sessions = played.sessions().await;
    assert!(sessions.iter().all(|session| session.status == SessionStatus::Completed), "{sessions:#?}");
    let never_down = play_analyst(vec![], After::Extractive).await;
    assert_eq!(sessions.len(), never_down.sessions().await.len());
    let answered = |outcomes: Vec<CallOutcome>| outcomes.iter().filter(|outcome| **outcome == CallOutcome::Answered).count();
    assert_eq!(answered(played.outcomes().await), answered(never_down.outcomes().await));
}

#[tokio::test]
async fn orders_that_were_given_before_an_outage_are_carried_out_once_after_it() {
    let down = (0..4).map(|_| Line::Down);
    let lines = [calls(vec![order("read everything")])].into_iter().chain(down).chain([says("ordered")]).collect();
    let played = play_analyst(lines, After::Extractive).await;
    assert_eq!((played.status(), played.suspensions().len()), (Status::Completed, 2));
    let orders = played.world.engine.work_orders.work_orders(played.investigation.id).await.unwrap();
    let objectives: Vec<&str> = orders.iter().map(|order| order.objective.as_str()).collect();
    assert_eq!(objectives, ["read everything"]);
}

#[tokio::test]
async fn an_unavailable_model_is_waited_for_if_the_next_one_cannot_take_over() {
    let refusals: [fn() -> Line; 2] = [rejected, || Line::Fails(ModelError::ContextTooLong { used: Usage::default() })];
    for refusal in refusals {
        let first = Script::new((0..4).map(|_| Line::Down).collect(), After::Extractive);
        let second = Arc::new(Script::named("second", (0..99).map(|_| refusal()).collect(), After::Empty));
        let chain = Chain::new(first, vec![second.clone() as Arc<dyn Model>]);
        let played = play(73, |parts| parts.role_models.analyst = chain).await;
        assert_eq!(played.status(), Status::Completed, "{}", played.reason());
        let suspensions = played.suspensions();
        assert!(suspensions.iter().all(|reason| reason.contains("overloaded")), "{suspensions:?}");
        assert_eq!((suspensions.len(), second.calls()), (2, 2), "it waits for the first one, not for the one that is there");
        assert!(played.sessions().await.iter().all(|session| session.status == SessionStatus::Completed));
    }
}

#[tokio::test]
async fn an_unavailable_model_with_too_small_a_context_is_not_waited_for() {
    let away = Arc::new(Script::named("away", vec![], After::Down).with_context(500));
    let first = Arc::new(Script::named("small", vec![], After::TooLong).with_context(1_000));
    let chain = Chain::new(away, vec![first as Arc<dyn Model>]);
    let played = play(74, |parts| parts.role_models.analyst = chain).await;
    assert_eq!((played.status(), played.suspensions().len()), (Status::Failed, 0));
}

#[tokio::test]
async fn the_next_model_of_the_chain_takes_over_and_is_named() {
    let first = Arc::new(Script::named("first", vec![], After::Down));
    let second = Arc::new(Script::named("second", vec![], After::Extractive));
    let chain = Chain::new(first.clone(), vec![second.clone() as Arc<dyn Model>]);
    let played = play(61, |parts| {
        parts.role_models.analyst = chain;
        parts.reliability.breaker.cooldown_ms = 60_000;
    })
    .await;
    assert_eq!((played.status(), played.suspensions().len()), (Status::Completed, 0));
    assert_eq!(first.calls(), 3, "once its circuit is open it is left alone");
    let stored = played.world.assessment(&played.investigation).await;
    assert_eq!(stored.assessment.producer.model, "second");
}

#[tokio::test]
async fn a_refused_key_is_not_retried_and_its_remedy_is_named() {
    let refused = || Line::Fails(ModelError::Configuration("the key was refused: set a valid one under [models]".into()));
    let played = play_analyst(vec![refused()], After::Extractive).await;
    assert_eq!(played.suspensions(), ["the key was refused: set a valid one under [models]"]);
    assert_eq!(played.outcomes().await.iter().filter(|outcome| **outcome == CallOutcome::Misconfigured).count(), 1);
    assert_eq!(played.status(), Status::Completed);
}

fn rejected() -> Line {
    Line::Fails(ModelError::Rejected("script says (400): messages.3 has no role".into()))
}

#[tokio::test]
async fn a_refused_request_ends_only_its_session_and_reports_the_reason() {
    let played = play_analyst(vec![rejected()], After::Extractive).await;
    assert_eq!((played.status(), played.suspensions().len()), (Status::Completed, 0));
    let sessions = played.sessions().await;
    assert_eq!(
        (sessions[0].status, sessions[0].reason.as_deref()),
        (SessionStatus::Empty, Some("script says (400): messages.3 has no role"))
    );
    assert_eq!(played.outcomes().await[0], CallOutcome::Rejected);
    let circuit = played.circuit("script script-1").await;
    assert_eq!((circuit.state, circuit.failures), (CircuitState::Closed, 0), "nobody else is kept from it");

    // A model that refuses every request is not asked for ever.
    let played = play_analyst((0..9).map(|_| rejected()).collect(), After::Extractive).await;
    assert_eq!(played.status(), Status::Failed);
    let report = played.world.assessment(&played.investigation).await;
    assert!(
        report.is_partial
            && report.assessment.body.gaps[0].impact.as_deref().is_some_and(|impact| impact.contains("messages.3 has no role")),
        "{:?}",
        report.assessment.body.gaps
    );
}

#[tokio::test]
async fn a_request_refused_by_one_model_goes_to_the_next_and_a_failed_order_is_retried() {
    let first = Script::new(vec![rejected()], After::Extractive);
    let second = Arc::new(Script::named("second", vec![], After::Extractive));
    let chain = Chain::new(first.clone(), vec![second.clone() as Arc<dyn Model>]);
    let played = play(71, |parts| parts.role_models.analyst = chain).await;
    assert_eq!((played.status(), second.calls()), (Status::Completed, 1));
    assert!(played.sessions().await.iter().all(|session| session.status == SessionStatus::Completed));

    let played = play(72, |parts| parts.role_models.processor = Script::new(vec![rejected()], After::Extractive).into()).await;
    assert_eq!(played.status(), Status::Completed);
    let orders = played.world.engine.work_orders.work_orders(played.investigation.id).await.unwrap();
    assert_eq!(orders[0].tries(), 2, "{orders:#?}");
}

#[tokio::test]
async fn an_unreadable_reply_goes_back_and_three_in_a_row_end_the_session() {
    let garbled = || Line::Fails(ModelError::Malformed("the JSON ends in the middle".into()));
    let script = Script::new(vec![garbled(), garbled()], After::Extractive);
    let played = play(62, |parts| parts.role_models.analyst = script.clone().into()).await;
    assert_eq!(played.status(), Status::Completed);
    let third = script.seen.lock().unwrap()[2].messages.clone();
    let Some(Message::User { text }) = third.last() else { panic!("{third:?}") };
    assert!(text.contains("the JSON ends in the middle"), "{text}");

    let played = play_analyst(vec![garbled(), garbled(), garbled()], After::Extractive).await;
    assert_eq!(played.status(), Status::Completed, "an empty session is followed by another");
    let sessions = played.sessions().await;
    assert_eq!(sessions[0].status, SessionStatus::Empty);
    assert!(sessions[0].reason.as_deref().unwrap().contains("the JSON ends in the middle"), "{:?}", sessions[0].reason);
}

#[tokio::test]
async fn a_conversation_that_is_too_long_is_shortened_once() {
    let look = || calls(vec![("list_fetch_sources", json!({})), ("get_investigation_history", json!({}))]);
    let too_long = || Line::Fails(ModelError::ContextTooLong { used: Usage::default() });
    let script = Script::new(vec![look(), look(), too_long(), look(), too_long(), too_long()], After::Extractive);
    let played = play(63, |parts| parts.role_models.analyst = script.clone().into()).await;
    assert_eq!(played.status(), Status::Completed);
    let seen = script.seen.lock().unwrap().clone();
    assert_ne!(seen[2].messages, seen[3].messages, "never the same payload again");
    assert_eq!(seen[3].messages.last(), seen[2].messages.last(), "the newest results are kept");
    let Message::Tools { results } = &seen[3].messages[2] else { panic!("{:?}", seen[3].messages) };
    assert!(results[0].content.contains("ask again"), "{}", results[0].content);
    assert_ne!(seen[4].messages, seen[5].messages, "what came since is shortened again");
    assert_eq!(seen[6].messages.len(), 1, "two in a row end the session");
    assert_eq!(played.circuit("script script-1").await.failures, 0, "the model is not down");
}

#[tokio::test]
async fn a_request_beyond_the_known_context_is_never_sent() {
    let look = || calls(vec![("list_fetch_sources", json!({}))]);
    let sizes = |script: &Script, played: &Run| -> Vec<u64> {
        let bytes_per_token = played.world.engine.budget.bytes_per_token;
        script.seen.lock().unwrap().iter().map(|request| prompt_tokens(request, bytes_per_token)).collect()
    };
    let unbounded = Script::new(vec![], After::Empty);
    let played = play(65, |parts| parts.role_models.analyst = unbounded.clone().into()).await;
    // Requests of a session that may write are the largest.
    let least = sizes(&unbounded, &played).into_iter().max().unwrap() + u64::from(played.world.engine.budget.min_output_tokens);

    let context = u32::try_from(least).unwrap() + 600;
    let lines = std::iter::repeat_with(look).take(40).collect();
    let script = Arc::new(Script::named("small", lines, After::Empty).with_context(context));
    let played = play(65, |parts| parts.role_models.analyst = (script.clone() as Arc<dyn Model>).into()).await;
    let tokens = sizes(&script, &played);
    let seen = script.seen.lock().unwrap().clone();
    assert!(seen.len() > 40, "{}", seen.len());
    assert!(tokens.iter().all(|tokens| tokens + 1_024 <= u64::from(context)), "{tokens:?}");
    let is_shortened = |request: &ModelRequest| format!("{:?}", request.messages).contains("left out");
    assert!(seen.iter().any(is_shortened), "the conversation never came near: {tokens:?}");
    assert_eq!(played.circuit("script small").await.failures, 0, "the model is not down");
}

#[tokio::test]
async fn a_model_with_a_larger_context_is_asked_instead() {
    let small = Arc::new(Script::named("small", vec![], After::TooLong).with_context(1_000));
    let smaller = Arc::new(Script::named("smaller", vec![], After::TooLong).with_context(500));
    let large = Arc::new(Script::named("large", vec![], After::Extractive).with_context(100_000));
    let chain = Chain::new(small, vec![smaller.clone() as Arc<dyn Model>, large]);
    let played = play(64, |parts| parts.role_models.analyst = chain).await;
    assert_eq!(played.status(), Status::Completed);
    assert_eq!(smaller.calls(), 0);
}

#[tokio::test]
async fn a_refusal_is_an_empty_session_and_orders_before_it_count() {
    let lines = vec![calls(vec![order("read everything")])];
    let script = Script::new(lines, After::Refuse);
    let played = play(65, |parts| parts.role_models.analyst = script.into()).await;
    assert_eq!(played.status(), Status::Failed);
    let sessions = played.sessions().await;
    assert_eq!(sessions[0].status, SessionStatus::Completed, "its order was carried out");
    let last = sessions.iter().rfind(|session| session.provider == "script").unwrap();
    assert_eq!(last.reason.as_deref(), Some("the model refused to continue"));
    assert!(played.world.assessment(&played.investigation).await.is_partial);
}

#[tokio::test]
async fn an_order_that_waits_for_its_model_costs_no_attempt() {
    let down: Vec<Line> = (0..9).map(|_| Line::Down).collect();
    let nonsense = (0..3).map(|_| calls(vec![("read_minds", json!({}))]));
    let lines = down.into_iter().chain([unplanned()]).chain(nonsense).collect();
    let script = Script::new(lines, After::Extractive);
    let played = play(66, |parts| parts.role_models.processor = script.into()).await;
    assert_eq!(played.status(), Status::Completed, "{}", played.reason());
    let orders = played.world.engine.work_orders.work_orders(played.investigation.id).await.unwrap();
    assert!(orders[0].returned > 2, "{orders:#?}");
    assert_eq!((orders[0].status, orders[0].tries()), (WorkOrderStatus::Completed, 2), "one try failed, the other did not");
    assert_eq!(played.investigation.progress.failed_cycles, 0, "an order that failed once and then succeeded is a success");
    assert!(played.sessions().await.iter().any(|session| session.role == AgentRole::Processor));
}

#[tokio::test]
async fn ten_that_wait_send_one_probe_at_a_time_and_all_come_through() {
    let script = Script::new((0..12).map(|_| Line::Down).collect(), After::Extractive);
    let mut world = World::open(&folder(), 67, |parts| {
        parts.role_models.analyst = script.clone().into();
        parts.config.max_empty_sessions = 2;
    })
    .await;
    let mut asked = vec![];
    for n in 0..10 {
        let person = world.person(&format!("person {n}")).await;
        let collection = world.collection(&person).await;
        world.ingest(collection, &three_reports()).await;
        asked.push(world.ask(&person, collection, FIRE_QUESTION).await);
    }
    world.start(2);
    let mut times = 0;
    for investigation in asked {
        let (investigation, events) = world.end_of(investigation.id).await;
        assert_eq!(investigation.progress.status, Status::Completed);
        times += suspensions(&events).len();
    }
    // All ten wait; after that each failed probe suspends one.
    assert!(times <= 10 + 12, "{times}");
    world.close().await;
}

#[tokio::test]
async fn an_open_circuit_is_known_after_a_restart() {
    let folder = folder();
    let mut world = World::open(&folder, 68, |parts| {
        parts.role_models.analyst = Script::new(vec![], After::Down).into();
        parts.reliability.breaker.cooldown_ms = 3_600_000;
    })
    .await;
    let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
    world.start(1);
    let is_open = async || world.engine.circuits.circuit("script script-1").await.unwrap().state == CircuitState::Open;
    assert!(eventually(is_open).await, "the circuit opens");
    world.kill().await;
    // An hour later by the clock of the test the cooldown is over.
    let mut world =
        World::open(&folder, 69, |parts| parts.role_models.analyst = Script::new(vec![], After::Extractive).into()).await;
    assert_eq!(world.engine.circuits.circuit("script script-1").await.unwrap().state, CircuitState::Open);
    world.forget_the_dead().await;
    world.start(1);
    assert_eq!(world.end_of(investigation.id).await.0.progress.status, Status::Completed);
    assert_eq!(world.engine.circuits.circuit("script script-1").await.unwrap().state, CircuitState::Closed);
}

/// An embedder that fails so often. Then it answers, or never does.
struct FailingEmbedder {
    failures: AtomicUsize,
    answers: bool,
}

#[async_trait]
impl Embedder for FailingEmbedder {
    fn model(&self) -> &'static str {
        "failing"
    }

    fn dimensions(&self) -> usize {
        1
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        match self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) {
            Ok(_) => Err(EmbedError("no answer".into())),
            Err(_) if self.answers => Ok(texts.iter().map(|_| vec![1.0]).collect()),
            Err(_) => std::future::pending().await,
        }
    }
}

#[tokio::test]
async fn a_search_does_not_wait_for_the_probe_of_another_nor_for_one_that_was_given_up() {
    let silent = Arc::new(FailingEmbedder { failures: AtomicUsize::new(6), answers: false });
    let world = World::open(&folder(), 73, |parts| parts.embedder = Some(silent)).await;
    let embedder = world.engine.embedder.clone().unwrap();
    let texts = ["a".to_owned()];
    for _ in 0..3 {
        assert!(embedder.embed(&texts).await.is_err());
    }
    world.clock.forward_ms(40);
    let state = || async { world.engine.circuits.circuit("embedder failing").await.unwrap().state };
    {
        let probe = embedder.embed(&texts);
        tokio::pin!(probe);
        assert!(tokio::time::timeout(Duration::from_millis(100), &mut probe).await.is_err(), "it is asked");
        assert_eq!(state().await, CircuitState::HalfOpen);
        let other = tokio::time::timeout(Duration::from_secs(1), embedder.embed(&texts)).await.expect("nobody waits");
        assert_eq!(other.unwrap_err().to_string(), "no vectors: no answer");
    }
    world.engine.drain().await;
    assert_eq!(state().await, CircuitState::Open, "the next one may probe");
    world.close().await;
}

#[tokio::test]
async fn an_embedder_that_fails_is_left_alone_and_asked_again_later() {
    let shaky = Arc::new(FailingEmbedder { failures: AtomicUsize::new(6), answers: true });
    let world = World::open(&folder(), 70, |parts| parts.embedder = Some(shaky.clone())).await;
    let embedder = world.engine.embedder.clone().unwrap();
    for _ in 0..3 {
        assert!(embedder.embed(&["a".into()]).await.is_err(), "two attempts each");
    }
    assert_eq!(shaky.failures.load(Ordering::SeqCst), 0);
    assert_eq!(world.engine.circuits.circuit("embedder failing").await.unwrap().state, CircuitState::Open);
    assert_eq!(embedder.embed(&["a".into()]).await.unwrap_err().to_string(), "no vectors: no answer", "nobody asked it");
    world.clock.forward_ms(40);
    assert_eq!(embedder.embed(&["a".into()]).await.unwrap(), [[1.0]]);
    world.close().await;
}
