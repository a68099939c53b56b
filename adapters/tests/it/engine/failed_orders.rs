//! Tests of work orders that failed for good: seen by administrators, queued again, discarded.

use super::prelude::*;
use domain::{WorkOrderId, investigation::Progress, work_order::Priority};
use engine::investigations::{StagedOrders, Transition, discard_order, requeue_order};

/// Stores a work order of a running investigation that failed for good.
async fn failed_order(world: &World, investigation: &Investigation) -> WorkOrderId {
    let (engine, session) = (&world.engine, SessionId(world.engine.ids.next()));
    let now = engine.clock.now();
    let order = WorkOrder {
        id: WorkOrderId(engine.ids.next()),
        investigation_id: investigation.id,
        cycle: 1,
        objective: "Find the gate log".into(),
        referenced_entities: vec![],
        source_guidance: vec![],
        priority: Priority::High,
        status: WorkOrderStatus::Staged,
        attempt: 0,
        returned: 0,
        failure: None,
        traceparent: String::new(),
        created_at: now,
        completed_at: None,
    };
    engine.work_orders.stage(session, &order).await.unwrap();
    let holder = HolderId(engine.ids.next());
    let lease = engine.investigations.take(investigation.id, holder, now, now.plus_ms(60_000)).await.unwrap().unwrap();
    let from = investigation.progress.clone();
    let to = Progress { status: Status::Processing, cycle: 1, ..from.clone() };
    let event = domain::event::EventKind::FinishRequested;
    let orders = StagedOrders::Commit(session);
    let transition = Transition { from, to, reason: None, at: now, orders, parts: vec![], event, parent_event: None };
    engine.investigations.advance(&lease, &transition).await.unwrap();
    engine.work_orders.assign(order.id, 0, holder, now).await.unwrap().unwrap();
    engine.work_orders.fail(order.id, 1, "more than 4 tool calls", 0, now).await.unwrap();
    order.id
}

#[tokio::test]
async fn an_administrator_requeues_and_discards_failed_orders_without_their_private_text() {
    let world = World::new(31).await;
    let engine = &world.engine;
    let ada = world.person("ada").await;
    let collection = world.collection(&ada).await;
    let investigation = world.ask(&ada, collection, "Who opened the gate?").await;
    let order = failed_order(&world, &investigation).await;
    assert_eq!(engine.failed_orders_view(&ada, 1).await.unwrap(), None, "ada is an analyst");
    let boss = User { role: Role::Admin, ..world.person("boss").await };
    let page = engine.failed_orders_view(&boss, 1).await.unwrap().unwrap();
    let line = &page.lines[0];
    assert_eq!((page.total, line.id, line.is_open, &line.words), (1, order, true, &None));
    assert_eq!(line.reason, "", "it may quote private words");
    let own = engine.failed_orders_view(&User { role: Role::Admin, ..ada }, 1).await.unwrap().unwrap();
    assert_eq!(own.lines[0].words.as_ref().unwrap().objective, "Find the gate log");
    assert_eq!(own.lines[0].reason, "more than 4 tool calls");
    assert!(engine.failed_order_lines(10).await.unwrap()[0].words.is_some(), "the operator reads everything");

    let by = Actor::from(boss.id);
    assert!(requeue_order(engine, by, order).await.unwrap());
    let delivery = engine.queue.take(HolderId(engine.ids.next()), 60_000).await.unwrap();
    assert_eq!(delivery.work_order_id, order);
    assert_eq!(engine.failed_orders_view(&boss, 1).await.unwrap().unwrap().total, 0);
    assert!(!discard_order(engine, by, order).await.unwrap(), "it is queued");
    let holder = delivery.worker;
    let assigned = engine.work_orders.assign(order, 1, holder, engine.clock.now()).await.unwrap().unwrap();
    engine.work_orders.fail(order, assigned.attempt, "again", 0, engine.clock.now()).await.unwrap();
    assert!(discard_order(engine, by, order).await.unwrap());
    assert_eq!(engine.failed_orders_view(&boss, 1).await.unwrap().unwrap().total, 0);
    let acts: Vec<String> = engine.accounts.audit_log(10).await.unwrap().into_iter().map(|entry| entry.act).collect();
    assert_eq!(acts, ["discard_work_order", "requeue_work_order"]);
    world.close().await;
}
