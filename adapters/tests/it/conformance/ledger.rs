//! The ledger: concurrent calls keep to every cap, and unsettled reservations are released.

use super::prelude::*;
use domain::{
    ModelCallId,
    agent::AgentSession,
    budget::{BudgetLevel, CallOutcome, OwnCap, Spend},
    investigation::Depth,
};
use engine::{
    accounts::{AccountChange, Accounts},
    budget::{BudgetRequest, Caps, Ledger, LevelUsage, Limit, Reservation, Settlement},
    events::Events,
    investigations::Investigations,
    sessions::Sessions,
};
use futures::{StreamExt, stream};
use protocol::model::{Price, Usage};

/// A calling session with its user and investigation.
pub struct CallingSession {
    user: UserId,
    investigation: InvestigationId,
    session: SessionId,
}

pub async fn place(backend: &TestBackend) -> CallingSession {
    let (user, collection) = backend.person(&format!("person {}", id())).await;
    let investigation = backend.investigation(user, collection).await;
    let session = backend.session(investigation, None);
    backend.store.start(&session, "{}").await.unwrap();
    CallingSession { user, investigation, session: session.id }
}

/// A call that needs 100 tokens for its prompt and up to 50 for its answer, at one millionth for each.
pub fn call(backend: &TestBackend, place: &CallingSession) -> Reservation {
    let price = Price { input: 1.0, output: 1.0, currency: "USD".into(), ..Price::default() };
    Reservation {
        id: ModelCallId(id()),
        user_id: place.user,
        investigation_id: place.investigation,
        is_stored: true,
        parent_id: None,
        session_id: place.session,
        role: AgentRole::Analyst,
        step: 4,
        attempt: 1,
        provider: "openai".into(),
        model: "m".into(),
        ask: BudgetRequest {
            prompt_tokens: 100,
            max_output_tokens: 50,
            min_output_tokens: 50,
            price,
            is_metered: true,
            is_final: false,
            is_part: false,
            is_of_object: false,
            depth_share: 1.0,
        },
        at: backend.now(),
        until: backend.now().plus_ms(1_000),
    }
}

fn answered_settlement(backend: &TestBackend, tokens_in: u64, tokens_out: u64) -> Settlement {
    let usage = Usage { tokens_in, tokens_out, cache_read: 7, cache_written: 2 };
    Settlement {
        outcome: CallOutcome::Answered,
        message: None,
        usage,
        cost_micros: tokens_in + tokens_out,
        latency_ms: 12,
        at: backend.now(),
    }
}

fn cap(level: BudgetLevel, tokens: u64) -> Caps {
    let mut caps = Caps::default();
    caps.levels[level as usize] = Limit { tokens: Some(tokens), micros: None };
    caps
}

async fn used(backend: &TestBackend, of: &Reservation) -> Vec<LevelUsage> {
    let mut all = vec![];
    for (level, key) in BudgetLevel::ALL.into_iter().zip(of.keys()) {
        all.push(backend.store.used(level, &key).await.unwrap());
    }
    all
}

pub async fn a_call_counts_on_every_level_first_reserved_then_as_used(backend: &TestBackend) {
    let (store, place) = (&backend.store, place(backend).await);
    let call = call(backend, &place);
    let grant = store.reserve(&call, &Caps::default()).await.unwrap().unwrap();
    assert_eq!(grant.max_output_tokens, 50);
    assert_eq!(used(backend, &call).await, [LevelUsage { tokens: 150, micros: 150 }; 4]);
    for _ in 0..2 {
        store.settle(call.id, &answered_settlement(backend, 90, 20)).await.unwrap();
    }
    assert_eq!(used(backend, &call).await, [LevelUsage { tokens: 110, micros: 110 }; 4]);
    let spent = Spend { tokens_in: 90, tokens_out: 20, cost_micros: 110 };
    assert_eq!(store.spent(place.investigation).await.unwrap(), spent);
    let calls = store.model_calls(place.session).await.unwrap();
    assert_eq!(calls.len(), 1);
    let made = &calls[0];
    assert_eq!((made.step, made.attempt, made.spent, made.cache_read, made.cache_written), (4, 1, spent, 7, 2));
    assert_eq!((made.outcome, made.latency_ms, made.called_at), (CallOutcome::Answered, 12, call.at));
    assert_eq!(store.last_answer(place.investigation, AgentRole::Analyst).await.unwrap().as_ref(), Some(made));
    assert_eq!(store.last_answer(place.investigation, AgentRole::Processor).await.unwrap(), None);
    let events = store.after(place.investigation, 0, 10).await.unwrap();
    let told = events.iter().filter(|event| matches!(event.kind, EventKind::ModelCalled { spent: told, .. } if told == spent));
    assert_eq!((told.count(), events.len()), (1, 1), "watchers are told once");
}

pub async fn each_level_has_its_own_cap_and_a_refusal_reserves_nothing(backend: &TestBackend) {
    let (store, place) = (&backend.store, place(backend).await);
    for level in BudgetLevel::ALL {
        let call = call(backend, &place);
        let before = used(backend, &call).await;
        let refused = store.reserve(&call, &cap(level, before[level as usize].tokens + 149)).await.unwrap().unwrap_err();
        assert_eq!((refused.level, refused.is_money), (level, false));
        assert_eq!(used(backend, &call).await, before);
        store.reserve(&call, &cap(level, before[level as usize].tokens + 150)).await.unwrap().unwrap();
    }
}

pub async fn the_own_cap_of_a_person_replaces_the_configured_one(backend: &TestBackend) {
    let (store, place, other) = (&backend.store, place(backend).await, place(backend).await);
    let entry = entry(backend, "change_cap");
    let set = |cap| store.change_user(place.user, AccountChange::Cap(cap), &entry);
    let configured = cap(BudgetLevel::User, 1_000);
    assert!(set(OwnCap { tokens: Some(149), cost_micros: None }).await.unwrap(), "also of somebody who cannot sign in");
    assert_eq!(store.user(place.user).await.unwrap().unwrap().cap.tokens, Some(149));
    let refused = store.reserve(&call(backend, &place), &configured).await.unwrap().unwrap_err();
    assert_eq!((refused.level, refused.cap), (BudgetLevel::User, 149));
    assert!(store.reserve_elsewhere(&call(backend, &place), &configured).await.unwrap().is_err());
    store.reserve(&call(backend, &other), &configured).await.unwrap().unwrap();
    assert!(set(OwnCap { tokens: None, cost_micros: Some(100) }).await.unwrap());
    assert!(store.reserve(&call(backend, &place), &configured).await.unwrap().unwrap_err().is_money);
    assert!(set(OwnCap::default()).await.unwrap());
    store.reserve(&call(backend, &place), &configured).await.unwrap().unwrap();
}

pub async fn the_reservation_of_a_dead_process_is_released_and_its_late_usage_counts(backend: &TestBackend) {
    let (store, place) = (&backend.store, place(backend).await);
    let dead = call(backend, &place);
    let caps = cap(BudgetLevel::Investigation, 260);
    store.reserve(&dead, &caps).await.unwrap().unwrap();
    assert!(store.reserve(&call(backend, &place), &caps).await.unwrap().is_err());
    backend.clock.forward_ms(1_000);
    let live = call(backend, &place);
    store.reserve(&live, &caps).await.unwrap().unwrap();
    let lost = &store.model_calls(place.session).await.unwrap()[0];
    assert_eq!(
        (lost.outcome, lost.spent.tokens_in, lost.spent.cost_micros),
        (CallOutcome::Lost, 100, 100),
        "its prompt was read"
    );
    assert_eq!(used(backend, &live).await[2].tokens, 250);
    assert_eq!(store.spent(place.investigation).await.unwrap().tokens_in, 100, "of what runs nothing is known");
    store.settle(live.id, &answered_settlement(backend, 100, 0)).await.unwrap();
    store.settle(dead.id, &answered_settlement(backend, 5, 0)).await.unwrap();
    assert_eq!(used(backend, &live).await[2].tokens, 105);
}

pub async fn thousands_of_calls_do_not_pass_a_cap(backend: &TestBackend) {
    const CAP: u64 = 30_000;
    // In PostgreSQL a refused call costs some milliseconds.
    let attempts = if backend.database().is_some() { 2_000 } else { 10_000 };
    let places = Arc::new([place(backend).await, place(backend).await]);
    let stores = [backend.store.clone(), backend.other_process().await];
    let made = Arc::new(AtomicU64::new(0));
    let caps = Arc::new(cap(BudgetLevel::Day, CAP));
    stream::iter(0..attempts)
        .for_each_concurrent(64, |n| {
            let (store, places, made, caps) = (stores[n % 2].clone(), places.clone(), made.clone(), caps.clone());
            let (call, settlement) = (call(backend, &places[n % 2]), answered_settlement(backend, 100, 50));
            async move {
                if store.reserve(&call, &caps).await.unwrap().is_ok() {
                    made.fetch_add(1, Ordering::SeqCst);
                    store.settle(call.id, &settlement).await.unwrap();
                }
            }
        })
        .await;
    assert_eq!(made.load(Ordering::SeqCst), CAP / 150, "as many as fit, and not one more");
    assert_eq!(used(backend, &call(backend, &places[0])).await[0], LevelUsage { tokens: CAP, micros: CAP });
}

pub async fn past_investigations_are_finished_ones_of_the_same_models(backend: &TestBackend) {
    let store = &backend.store;
    let mut ended = vec![];
    for (model, status) in
        [("m", Status::Completed), ("m", Status::Failed), ("other", Status::Completed), ("m", Status::Completed)]
    {
        let place = place(backend).await;
        let call = Reservation { model: model.into(), ..call(backend, &place) };
        store.reserve(&call, &Caps::default()).await.unwrap().unwrap();
        store.settle(call.id, &answered_settlement(backend, 10 + ended.len() as u64, 1)).await.unwrap();
        let lease = backend.lease(place.investigation).await;
        backend.clock.forward_ms(1);
        backend.advance(&lease, &Progress::default(), status, StagedOrders::Discard).await;
        ended.push(place);
    }
    let models = [("openai".to_owned(), "m".to_owned())];
    let runs = store.past_investigations(&models, 10).await.unwrap();
    assert_eq!(runs.iter().map(|run| run.spend.tokens_in).collect::<Vec<_>>(), [13, 10], "the newest first");
    assert!(runs.iter().all(|run| run.depth == Depth::Quick && run.took_ms >= 1), "{runs:?}");
    assert_eq!(store.past_investigations(&models, 1).await.unwrap().len(), 1);
    assert!(store.past_investigations(&[], 10).await.unwrap().is_empty());
}

pub async fn each_session_has_its_usage_and_number_of_replies(backend: &TestBackend) {
    let (store, place) = (&backend.store, place(backend).await);
    let session = backend.session(place.investigation, None);
    store.start(&session, "{}").await.unwrap();
    let other = CallingSession { session: session.id, ..place };
    for (of, outcome, tokens) in [
        (&other, CallOutcome::Answered, 10),
        (&other, CallOutcome::Unavailable, 0),
        (&other, CallOutcome::Answered, 5),
        (&other, CallOutcome::Cut, 3),
    ] {
        let call = call(backend, of);
        store.reserve(&call, &Caps::default()).await.unwrap().unwrap();
        store.settle(call.id, &Settlement { outcome, ..answered_settlement(backend, tokens, 1) }).await.unwrap();
    }
    let open = call(backend, &CallingSession { session: place.session, ..other });
    store.reserve(&open, &Caps::default()).await.unwrap().unwrap();
    let spent = store.spent_by_session(other.investigation).await.unwrap();
    assert_eq!(spent[&other.session], (Spend { tokens_in: 18, tokens_out: 4, cost_micros: 22 }, 2));
    assert_eq!(spent[&place.session], (Spend::default(), 0), "what runs has used nothing yet");
    assert_eq!(spent.values().map(|(spent, _)| *spent).sum::<Spend>(), store.spent(other.investigation).await.unwrap());
    let calls = store.model_calls(other.session).await.unwrap();
    assert_eq!(calls.iter().map(|call| call.outcome).collect::<Vec<_>>()[3], CallOutcome::Cut);
    assert!(store.spent_by_session(InvestigationId(id())).await.unwrap().is_empty());
}

pub async fn a_part_uses_the_budget_of_the_whole_and_is_spent_with_it(backend: &TestBackend) {
    let (store, whole) = (&backend.store, place(backend).await);
    let (_, collection) = backend.person("bob").await;
    let part = Investigation { parent_id: Some(whole.investigation), ..backend.an_investigation(whole.user, collection) };
    store.add(&part).await.unwrap();
    let session = backend.session(part.id, None);
    store.start(&session, "{}").await.unwrap();
    let of_part = CallingSession { user: whole.user, investigation: part.id, session: session.id };
    let by_part = || Reservation { parent_id: Some(whole.investigation), model: "other".into(), ..call(backend, &of_part) };
    let (first, second, caps) = (call(backend, &whole), by_part(), cap(BudgetLevel::Investigation, 320));
    for call in [&first, &second] {
        store.reserve(call, &caps).await.unwrap().unwrap();
    }
    let refused = store.reserve(&by_part(), &caps).await.unwrap().unwrap_err();
    assert_eq!((refused.level, refused.used), (BudgetLevel::Investigation, 300));
    for call in [&first, &second] {
        store.settle(call.id, &answered_settlement(backend, 90, 20)).await.unwrap();
    }
    assert_eq!(store.used(BudgetLevel::Investigation, &whole.investigation.to_string()).await.unwrap().tokens, 220);
    assert_eq!(store.used(BudgetLevel::Investigation, &part.id.to_string()).await.unwrap().tokens, 0);
    let tokens = async |id| store.spent(id).await.unwrap().tokens();
    assert_eq!((tokens(whole.investigation).await, tokens(part.id).await), (220, 110));

    // Both have come to their end: that is one run, by the models of both.
    for id in [part.id, whole.investigation] {
        let lease = backend.lease(id).await;
        backend.advance(&lease, &Progress::default(), Status::Completed, StagedOrders::Discard).await;
    }
    let model = |name: &str| ("openai".to_owned(), name.to_owned());
    assert!(store.past_investigations(&[model("m")], 10).await.unwrap().is_empty());
    let runs = store.past_investigations(&[model("m"), model("other")], 10).await.unwrap();
    assert_eq!(runs.iter().map(|run| run.spend.tokens()).collect::<Vec<_>>(), [220]);
}

pub async fn late_and_repeated_reports_do_not_reduce_the_usage_of_a_level(backend: &TestBackend) {
    let place = place(backend).await;
    let stores = [backend.store.clone(), backend.other_process().await];
    let calls: Vec<Reservation> = (0..24).map(|_| call(backend, &place)).collect();
    for call in &calls {
        backend.store.reserve(call, &Caps::default()).await.unwrap().unwrap();
    }
    // Their reservations lapse while they are settled, each of them twice, from two processes.
    backend.clock.forward_ms(1_000);
    let (place, settlement) = (&place, &answered_settlement(backend, 2, 1));
    let settled = (0..48).map(|n| {
        let (store, id) = (stores[n % 2].clone(), calls[n / 2].id);
        async move { store.settle(id, settlement).await.unwrap() }
    });
    let released = (0..8).map(|n| {
        let (store, next) = (stores[n % 2].clone(), call(backend, place));
        async move {
            store.reserve(&next, &Caps::default()).await.unwrap().unwrap();
            store
                .settle(
                    next.id,
                    &Settlement {
                        outcome: CallOutcome::Unavailable,
                        usage: Usage::default(),
                        cost_micros: 0,
                        ..settlement.clone()
                    },
                )
                .await
                .unwrap();
        }
    });
    futures::future::join(futures::future::join_all(settled), futures::future::join_all(released)).await;
    assert_eq!(used(backend, &calls[0]).await, [LevelUsage { tokens: 24 * 3, micros: 24 * 3 }; 4]);
}

pub async fn a_call_for_an_object_of_a_feature_counts_without_an_investigation(backend: &TestBackend) {
    let (store, place) = (&backend.store, place(backend).await);
    let object = id();
    let session = AgentSession {
        owner: SessionOwner::Feature { kind: Word::new("interview"), id: object },
        investigation_id: None,
        role: AgentRole::feature("guide"),
        ..backend.session(place.investigation, None)
    };
    store.start(&session, "{}").await.unwrap();
    let made = Reservation {
        investigation_id: InvestigationId(object),
        is_stored: false,
        session_id: session.id,
        role: session.role,
        ..call(backend, &place)
    };
    store.reserve(&made, &Caps::default()).await.unwrap().unwrap();
    store.settle(made.id, &answered_settlement(backend, 30, 4)).await.unwrap();
    assert_eq!(used(backend, &made).await, [LevelUsage { tokens: 34, micros: 34 }; 4]);
    let of_same_id = store.used(BudgetLevel::Investigation, &object.to_string()).await.unwrap();
    assert_eq!(of_same_id, LevelUsage::default(), "an investigation of the same id has a budget of its own");
    let calls = store.model_calls(session.id).await.unwrap();
    assert_eq!((calls[0].investigation_id, calls[0].role, calls[0].outcome), (None, session.role, CallOutcome::Answered));
    assert_eq!(store.spent(place.investigation).await.unwrap(), Spend::default());
}

pub async fn a_call_that_is_recorded_elsewhere_counts_on_every_level_and_meets_every_cap(backend: &TestBackend) {
    let (store, place) = (&backend.store, place(backend).await);
    let elsewhere =
        Reservation { investigation_id: InvestigationId(id()), session_id: SessionId(id()), ..call(backend, &place) };
    let caps = cap(BudgetLevel::User, 200);
    store.reserve_elsewhere(&elsewhere, &caps).await.unwrap().unwrap();
    assert_eq!(used(backend, &elsewhere).await, [LevelUsage { tokens: 150, micros: 150 }; 4]);
    let refused = store.reserve(&call(backend, &place), &caps).await.unwrap().unwrap_err();
    assert_eq!((refused.level, refused.used), (BudgetLevel::User, 150));
    assert!(store.reserve_elsewhere(&elsewhere, &caps).await.unwrap().is_err());
    store.settle_elsewhere(&elsewhere, LevelUsage { tokens: 20, micros: 30 }).await.unwrap();
    assert_eq!(used(backend, &elsewhere).await, [LevelUsage { tokens: 20, micros: 30 }; 4]);
    assert!(store.model_calls(place.session).await.unwrap().is_empty());
}

pub async fn the_reservation_of_a_dead_trial_is_released_and_its_late_usage_counts(backend: &TestBackend) {
    let (store, place) = (&backend.store, place(backend).await);
    let dead = call(backend, &place);
    let caps = cap(BudgetLevel::User, 200);
    store.reserve_elsewhere(&dead, &caps).await.unwrap().unwrap();
    backend.clock.forward_ms(999);
    assert!(store.reserve_elsewhere(&call(backend, &place), &caps).await.unwrap().is_err());
    backend.clock.forward_ms(1);
    let live = call(backend, &place);
    store.reserve_elsewhere(&live, &caps).await.unwrap().unwrap();
    assert_eq!(used(backend, &live).await[1].tokens, 150, "what the dead one held is given back, once");
    store.settle_elsewhere(&live, LevelUsage { tokens: 100, micros: 0 }).await.unwrap();
    store.settle_elsewhere(&dead, LevelUsage { tokens: 5, micros: 0 }).await.unwrap();
    assert_eq!(used(backend, &live).await[1].tokens, 105);
    let never_sent = call(backend, &place);
    store.settle_elsewhere(&never_sent, LevelUsage::default()).await.unwrap();
    assert_eq!(used(backend, &live).await[1].tokens, 105, "one that was stopped before it reserved gives nothing back");
}
