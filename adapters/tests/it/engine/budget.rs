//! Caps lead to the final session; what was used is counted and shown.

use super::prelude::*;
use domain::live::LiveState;
use engine::{agents::record::SessionSetup, budget};

/// The built-in provider, counting as a model does.
fn metered() -> Arc<Script> {
    Arc::new(Script::named("metered", vec![], After::Extractive).metered())
}

async fn play(seed: u64, change: impl FnOnce(&mut Parts)) -> (World, Investigation, Vec<Event>) {
    let mut world = World::open(&folder(), seed, change).await;
    let (investigation, events) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    (world, investigation, events)
}

fn reached(events: &[Event]) -> Vec<&str> {
    let reasons = events.iter().filter_map(|event| match &event.kind {
        EventKind::BudgetReached { reason } => Some(reason.as_str()),
        _ => None,
    });
    reasons.collect()
}

#[tokio::test]
async fn the_cost_is_in_the_assessment_the_events_and_the_estimate() {
    let price = Price { input: 1_000.0, output: 10_000.0, currency: "USD".into(), ..Price::default() };
    let script = || Arc::new(Script::named("dear", vec![says("hm")], After::Extractive).with_price(price.clone()));
    let (world, investigation, events) = play(80, |parts| parts.role_models.analyst = script().into()).await;
    let cost = world.assessment(&investigation).await.assessment.cost;
    // One reply of the script: 3 tokens in, 2 out; the rest is free.
    assert_eq!((cost.currency.as_str(), cost.tokens_in, cost.tokens_out), ("USD", 3, 2));
    let amount = cost.amount.expect("the model has a price");
    assert!((amount - 0.023).abs() < 1e-9, "{amount}");
    let spent = LiveState::from_events(&events).spent;
    assert_eq!(spent, world.engine.ledger.spent(investigation.id).await.unwrap());
    let [quick, estimate, thorough] = &budget::estimates(&world.engine, &world.engine.models_seen()).await.unwrap()[..] else {
        panic!("one of each depth")
    };
    assert_eq!((quick.past_investigations, thorough.past_investigations), (0, 0), "none of this depth");
    assert_eq!((estimate.past_investigations, estimate.median, estimate.p90), (1, spent, spent));
}

#[tokio::test]
async fn an_analyst_over_its_session_budget_writes_from_the_existing_claims() {
    let analyst = Script::new(vec![calls(vec![order("read everything")]), says("sent"), says("hm")], After::Extractive);
    let (world, investigation, _) = play(81, |parts| {
        parts.role_models.analyst = analyst.clone().into();
        // What a first call takes, but not what the whole session would.
        parts.budget.min_output_tokens = 1;
        parts.budget.investigation.tokens = Some(30_000);
        parts.config.max_output_tokens = 2_000;
    })
    .await;
    assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
    assert!(!world.assessment(&investigation).await.is_partial);
}

#[tokio::test]
async fn a_processor_over_budget_leads_to_the_final_session_and_its_order_is_cancelled() {
    let (world, investigation, events) = play(82, |parts| {
        let price = Price { input: 1.0, output: 1.0, currency: "USD".into(), ..Price::default() };
        parts.role_models.processor = Arc::new(Script::named("dear", vec![], After::Extractive).with_price(price)).into();
        parts.budget.day.money = Some(0.000_001);
    })
    .await;
    assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
    assert!(investigation.progress.final_session);
    assert_eq!(reached(&events).len(), 1, "{:?}", reached(&events));
    assert!(reached(&events)[0].contains("the daily budget is too small for this call, which needs"));
    let orders = world.engine.work_orders.work_orders(investigation.id).await.unwrap();
    assert!(orders.iter().all(|order| order.status == WorkOrderStatus::Failed));
    let sessions = world.engine.sessions.sessions(investigation.id).await.unwrap();
    assert!(sessions.iter().all(|session| session.status != SessionStatus::Running), "{sessions:#?}");
}

#[tokio::test]
async fn without_money_for_the_final_session_a_partial_report_says_so() {
    let (world, investigation, events) = play(83, |parts| parts.budget.user.tokens = Some(2_000)).await;
    assert_eq!(investigation.progress.status, Status::Failed);
    let stored = world.assessment(&investigation).await;
    assert!(stored.is_partial);
    let told = stored.assessment.body.gaps[0].impact.as_deref().unwrap();
    assert!(told.contains("this user's daily budget is too small for this call"), "{told}");
    assert_eq!(reached(&events).len(), 2, "once before, once in the final session");
    assert_eq!(stored.assessment.cost.tokens_in, 0, "not one call was made");
    let key = format!("{} {}", investigation.owner, investigation.created_at.to_datetime().format("%Y-%m-%d"));
    assert_eq!(world.engine.ledger.used(BudgetLevel::User, &key).await.unwrap().tokens, 0);
}

#[tokio::test]
async fn an_order_over_its_session_budget_fails_once_and_the_others_continue() {
    let (world, investigation, _) = play(84, |parts| {
        let price = Price { input: 1.0, output: 1.0, currency: "USD".into(), ..Price::default() };
        parts.role_models.processor = Arc::new(Script::named("dear", vec![], After::Extractive).with_price(price)).into();
        parts.budget.session.money = Some(0.000_001);
    })
    .await;
    let orders = world.engine.work_orders.work_orders(investigation.id).await.unwrap();
    assert!(orders.iter().all(|order| order.status == WorkOrderStatus::Failed && order.attempt == 1), "{orders:#?}");
    assert!(orders[0].failure.as_deref().unwrap().contains("the session budget is too small for this call"));
}

/// An assessment is written for every share; with a small one the final session does not search.
#[tokio::test]
async fn a_final_session_with_a_small_share_writes_from_the_existing_claims() {
    let (world, investigation, _) = play(85, |parts| parts.role_models.analyst = metered().into()).await;
    let sessions = world.engine.sessions.sessions(investigation.id).await.unwrap();
    let spent = world.engine.ledger.spent_by_session(investigation.id).await.unwrap();
    let analysts: Vec<u64> = sessions
        .iter()
        .filter(|session| session.role == AgentRole::Analyst)
        .map(|session| spent[&session.id].0.tokens())
        .collect();
    let [ordering, writing] = analysts[..] else { panic!("{analysts:?}") };

    // The second session begins, and does not come to its end; nor does a final one that searches first.
    for (share, search_tokens, caps_reached) in [(0.2, 60_000, 1), (0.32, 1, 2)] {
        let cap = ((ordering + writing / 2) as f64 / (1.0 - share)) as u64;
        let model = metered();
        let analyst = model.clone();
        let (world, investigation, events) = play(85, |parts| {
            parts.role_models.analyst = analyst.into();
            parts.budget.investigation.tokens = Some(cap);
            parts.budget.min_output_tokens = 256;
            parts.budget.final_share = share;
            parts.budget.final_search_tokens = search_tokens;
            parts.budget.final_answer_tokens = 4_096;
        })
        .await;
        assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
        assert_eq!(reached(&events).len(), caps_reached);
        let stored = world.assessment(&investigation).await;
        assert!(!stored.is_partial && !stored.assessment.citations.is_empty());
        let line = stored.assessment.body.bottom_line.as_str();
        assert!(line.contains("Red Anchor"), "as with the whole of it: {line}");
        let last = model.seen.lock().unwrap().last().cloned().unwrap();
        let offered: Vec<&str> = last.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!((offered, last.messages.len()), (vec!["produce_assessment", "amend_assessment"], 1));
        let spent = world.engine.ledger.spent(investigation.id).await.unwrap().tokens();
        assert!(spent <= cap, "{spent} of {cap}");
        // It is recorded as it was, and is the same again.
        let last = world.engine.sessions.sessions(investigation.id).await.unwrap().pop().unwrap();
        let setup = world.engine.sessions.setup(last.id).await.unwrap().unwrap();
        assert!(SessionSetup::read(&setup).unwrap().from_record);
        for replayed in engine::replay::replay(&world.engine, &world.agents, investigation.id).await.unwrap() {
            assert_eq!(replayed.difference, None);
        }
    }
}
