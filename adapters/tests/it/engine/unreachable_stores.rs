//! Tests of unreachable stores: work in flight is kept, and nothing is billed twice.

use super::prelude::*;
use engine::investigations;

/// An investigation in which the first call of one role is held until `go_on`.
struct HeldCall {
    world: World,
    fault_point: Arc<FaultPoint>,
    analyst: Arc<Script>,
    processor: Arc<Script>,
    go_on: CancellationToken,
    investigation: Investigation,
}

/// Result of a run.
struct RunResult {
    events: Vec<Event>,
    assessment: String,
    /// Calls of both models.
    calls: [usize; 2],
}

impl HeldCall {
    /// Until the call is under way.
    async fn at(role: AgentRole, seed: u64, heartbeat_ms: u64) -> Self {
        Self::under(FaultPoint::never(), role, seed, heartbeat_ms).await
    }

    async fn under(fault_point: Arc<FaultPoint>, role: AgentRole, seed: u64, heartbeat_ms: u64) -> Self {
        let go_on = CancellationToken::new();
        let script = |its: AgentRole| {
            let lines = (its == role).then(|| Line::Held(go_on.clone())).into_iter().collect();
            Script::new(lines, After::Extractive)
        };
        let (analyst, processor) = (script(AgentRole::Analyst), script(AgentRole::Processor));
        let mut world = World::open(&folder(), seed, |parts| {
            guard(parts, &fault_point);
            parts.role_models.analyst = analyst.clone().into();
            parts.role_models.processor = processor.clone().into();
            parts.config.lease_ms = 3_000;
            parts.config.heartbeat_ms = heartbeat_ms;
            parts.config.max_order_deliveries = 3;
        })
        .await;
        let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
        world.start(1);
        let held = Self { world, fault_point, analyst, processor, go_on, investigation };
        held.model(role).until_called(1).await;
        held
    }

    fn model(&self, role: AgentRole) -> &Script {
        match role {
            AgentRole::Analyst => &self.analyst,
            AgentRole::Processor => &self.processor,
            other => panic!("{other:?}"),
        }
    }

    /// Until something has happened.
    async fn until(&self, has_come: impl Fn(&EventKind) -> bool) {
        let mut events = self.world.engine.events.follow(self.investigation.id, 0);
        while !has_come(&events.next().await.expect("it goes on").unwrap().kind) {}
    }

    async fn end(self) -> RunResult {
        let (investigation, events) = self.world.end_of(self.investigation.id).await;
        assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
        let assessment = without_cost(&without_ids(&self.world.assessment(&investigation).await));
        let orders = self.world.engine.work_orders.work_orders(investigation.id).await.unwrap();
        assert!(orders.iter().all(|order| order.tries() == 1), "{orders:#?}");
        let calls = [self.analyst.calls(), self.processor.calls()];
        self.world.close().await;
        RunResult { events, assessment, calls }
    }
}

/// Returns the outcome without faults.
async fn undisturbed() -> RunResult {
    let held = HeldCall::at(AgentRole::Analyst, 90, 60_000).await;
    held.go_on.cancel();
    held.end().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_investigation_without_the_graph_waits_at_no_cost() {
    let expected = undisturbed().await;
    for (role, seed) in [(AgentRole::Analyst, 91), (AgentRole::Processor, 92)] {
        // Heartbeats so short that the outage lasts for more of them than an order may be given out.
        let held = HeldCall::at(role, seed, 300).await;
        held.fault_point.cut("Graph");
        held.go_on.cancel();
        let suspended = |what: &EventKind| matches!(what, EventKind::StatusChanged { status: Status::Suspended, .. });
        held.until(suspended).await;
        let calls = held.model(role).calls();
        // It is looked for in every `worker_pause_ms`.
        held.fault_point.until_refused(75).await;
        assert_eq!(held.model(role).calls(), calls, "{role:?}: no model is asked while it waits");
        held.fault_point.mend();
        let ended = held.end().await;
        assert_eq!((&ended.assessment, ended.calls), (&expected.assessment, expected.calls), "{role:?}");
        let reasons = suspensions(&ended.events);
        assert!(matches!(reasons[..], [reason] if reason.contains("Graph")), "{reasons:?}");
    }
}

/// Returns an investigation whose Analyst finds the search broken, tried three times.
async fn with_broken_search(seed: u64, max_backoff_ms: u64, max_suspended_ms: u64) -> (World, Arc<FaultPoint>, Investigation) {
    let fault_point = FaultPoint::never();
    let mut world = World::open(&folder(), seed, |parts| {
        guard(parts, &fault_point);
        parts.config.max_suspended_ms = max_suspended_ms;
        let usual = parts.reliability.investigation;
        parts.reliability.investigation = RetryConfig { max_attempts: 3, max_backoff_ms, ..usual };
    })
    .await;
    let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
    fault_point.spoil("Graph::find_claims");
    world.start(1);
    (world, fault_point, investigation)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_investigation_whose_search_is_broken_is_suspended_after_a_few_attempts_and_ends() {
    const HOUR_MS: u64 = 3_600_000;
    let (world, fault_point, investigation) = with_broken_search(130, HOUR_MS, 1).await;
    let (ended, events) = world.end_of(investigation.id).await;
    assert_eq!(ended.progress.status, Status::Failed);
    assert!(ended.reason.unwrap().contains("is broken"));
    let reasons = suspensions(&events);
    assert!(!reasons.is_empty() && reasons.iter().all(|why| why.starts_with("failed 3 times in a row: ")), "{reasons:?}");
    assert!(fault_point.refused() < 10, "three attempts, and the report: {}", fault_point.refused());
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_investigation_continues_once_its_search_is_repaired() {
    let (world, fault_point, investigation) = with_broken_search(131, 20, 60_000).await;
    fault_point.until_refused(5).await;
    fault_point.mend();
    let (ended, events) = world.end_of(investigation.id).await;
    assert_eq!(ended.progress.status, Status::Completed, "{:?}", ended.reason);
    assert!(!suspensions(&events).is_empty());
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_resume_request_ends_the_backoff_of_a_suspended_investigation() {
    const HOUR_MS: u64 = 3_600_000;
    let (world, fault_point, investigation) = with_broken_search(132, HOUR_MS, HOUR_MS).await;
    let suspended = async || {
        let found = world.engine.investigations.investigation(investigation.id).await.unwrap().unwrap();
        (found.progress.status == Status::Suspended).then_some(found)
    };
    assert!(eventually(async || suspended().await.is_some()).await);
    fault_point.mend();
    let has_ended = async || {
        // A request that comes before the wait has begun is lost; a person asks again.
        if let Some(suspended) = suspended().await {
            investigations::resume(&world.engine, &suspended, None).await.unwrap();
        }
        let found = world.engine.investigations.investigation(investigation.id).await.unwrap().unwrap();
        found.progress.status == Status::Completed
    };
    assert!(eventually(has_ended).await, "it waits an hour by itself");
    world.close().await;
}

/// The time of an outage.
#[derive(Debug)]
enum When {
    /// During the call, while followers receive an event.
    Meanwhile,
    /// When it is answered.
    AfterReply,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_short_outage_of_the_state_store_loses_no_work() {
    use {
        AgentRole::{Analyst, Processor},
        When::{AfterReply, Meanwhile},
    };
    let expected = undisturbed().await;
    for (seed, (role, when, away)) in (100..).zip([
        (Analyst, Meanwhile, "Investigations::renew"),
        (Analyst, Meanwhile, "Events::follow"),
        (Analyst, AfterReply, "Sessions::append_step"),
        (Analyst, AfterReply, "Investigations::advance"),
        (Analyst, AfterReply, "WorkOrders::assign"),
        (Processor, Meanwhile, "Events::follow"),
        (Processor, AfterReply, "Documents"),
        (Processor, AfterReply, "Sessions::append_step"),
        (Processor, AfterReply, "WorkOrders::complete"),
    ]) {
        let begun = Instant::now();
        let held = HeldCall::at(role, seed, 60_000).await;
        let engine = &held.world.engine;
        let refused = held.fault_point.until_refused(if let When::Meanwhile = when { 1 } else { 3 });
        held.fault_point.cut(away);
        if let When::Meanwhile = when {
            let nothing = EventKind::DocumentsIngested { stored: 0, copies: 0, copied: vec![], rejected: 0 };
            engine.events.append(held.investigation.id, engine.clock.now(), nothing).await.unwrap();
            refused.await;
            held.fault_point.mend();
            held.go_on.cancel();
        } else {
            held.go_on.cancel();
            refused.await;
            held.fault_point.mend();
        }
        let ended = held.end().await;
        assert_eq!((&ended.assessment, ended.calls), (&expected.assessment, expected.calls), "{role:?}: {away}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{role:?}: nobody waits for a heartbeat when {away} is away");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_reassigned_order_is_carried_out_only_by_its_new_worker() {
    let (folder, fault_point, go_on) = (folder(), FaultPoint::sleeping_before("WorkOrders::assign"), CancellationToken::new());
    let [sleeper, other] =
        [Script::new(vec![], After::Extractive), Script::new(vec![Line::Held(go_on.clone())], After::Extractive)];
    let model = sleeper.clone();
    let mut first = World::open(&folder, 110, |parts| {
        guard(parts, &fault_point);
        // Over when the other comes, an hour later; and no beat tells the sleeper before he wakes.
        parts.config.heartbeat_ms = 600_000;
        parts.role_models.processor = model.into();
    })
    .await;
    let id = first.ask_about(&three_reports(), FIRE_QUESTION).await.id;
    first.start(1);
    fault_point.dead.cancelled().await;
    let model = other.clone();
    let mut second = World::open(&folder, 111, |parts| parts.role_models.processor = model.into()).await;
    second.start(1);
    other.until_called(1).await;
    fault_point.wake().await;
    go_on.cancel();
    let (ended, _) = second.end_of(id).await;
    assert_eq!(ended.progress.status, Status::Completed, "{:?}", ended.reason);
    let orders = second.engine.work_orders.work_orders(id).await.unwrap();
    assert!(orders.iter().all(|order| order.attempt == 1), "{orders:#?}");
    assert_eq!(sleeper.calls(), 0, "who slept pays for nothing");
    first.kill().await;
    second.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_result_of_a_session_survives_a_lost_end_event() {
    let expected = undisturbed().await;
    let held = HeldCall::under(FaultPoint::sleeping_before("Sessions::end"), AgentRole::Analyst, 120, 60_000).await;
    held.go_on.cancel();
    held.fault_point.dead.cancelled().await;
    held.fault_point.cut("Events::append");
    held.fault_point.wake().await;
    held.fault_point.until_refused(5).await;
    held.fault_point.mend();
    let ended = held.end().await;
    assert_eq!((&ended.assessment, ended.calls), (&expected.assessment, expected.calls));
}
