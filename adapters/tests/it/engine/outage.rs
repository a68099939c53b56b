//! A model that does not answer, and processes that die in the middle of a session.

use super::prelude::*;
use engine::{
    investigations,
    models::{NamedModels, RoleModels},
    replay,
};

#[tokio::test]
async fn a_processor_without_a_model_suspends_its_investigation_and_keeps_its_order() {
    let processor = Script::new((0..5).map(|_| Line::Down).collect(), After::Extractive);
    let mut world = World::open(&folder(), 8, |parts| parts.role_models.processor = processor.into()).await;
    let (ended, events) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    assert_eq!(ended.progress.status, Status::Completed);
    // Whether a worker still meets the open circuit, or its probe, depends on how long it takes.
    assert!((2..=3).contains(&suspensions(&events).len()), "{:?}", suspensions(&events));
    let sessions = world.engine.sessions.sessions(ended.id).await.unwrap();
    let processors: Vec<_> = sessions.iter().filter(|session| session.role == AgentRole::Processor).collect();
    assert_eq!(processors.len(), 1, "one session goes on: {processors:#?}");
    assert_eq!(world.engine.work_orders.work_orders(ended.id).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_question_keeps_its_chosen_model_after_a_restart() {
    let folder = folder();
    let named = |lines: Vec<Line>| Arc::new(Script::named("small-1", lines, After::Extractive));
    let first = named(vec![Line::Hang]);
    let (id, seen) = {
        let script = first.clone();
        let mut world = World::open(&folder, 13, |parts| parts.named_models = names("house:small", script)).await;
        let person = world.person("ada").await;
        let collection = world.collection(&person).await;
        world.ingest(collection, &three_reports()).await;
        let scope = Scope::from(collection);
        let asked = world.ask_within(&person, collection, scope, FIRE_QUESTION, Some("house:small")).await;
        world.start(1);
        first.until_called(1).await;
        world.kill().await;
        (asked.id, first.calls())
    };
    let (second, configured) = (named(vec![]), Script::new(vec![], After::Down));
    let (script, down) = (second.clone(), configured.clone());
    let mut world = World::open(&folder, 14, |parts| {
        parts.named_models = names("house:small", script);
        parts.role_models = RoleModels::single(down.into());
    })
    .await;
    world.forget_the_dead().await;
    world.start(1);
    let (ended, _) = world.end_of(id).await;
    assert_eq!((ended.progress.status, ended.model.as_deref()), (Status::Completed, Some("house:small")));
    assert_eq!(world.assessment(&ended).await.assessment.producer.model, "small-1");
    assert!(seen == 1 && second.calls() > 3, "all of it: {}", second.calls());
    assert_eq!(configured.calls(), 0, "not once the one that is configured now");
    for replayed in replay::replay(&world.engine, &world.agents, id).await.unwrap() {
        assert_eq!(replayed.difference, None);
    }
    world.close().await;
}

/// Gives that model for that name, and nothing for others.
fn names(name: &'static str, model: Arc<Script>) -> Arc<NamedModels> {
    Arc::new(move |asked: &str| {
        assert_eq!(asked, name);
        model.clone().into()
    })
}

#[tokio::test]
async fn an_investigation_that_waits_too_long_fails_with_a_partial_report() {
    let analyst = Script::new(vec![], After::Down);
    let mut world = World::open(&folder(), 9, |parts| {
        parts.role_models.analyst = analyst.into();
        parts.config.max_suspended_ms = 200;
    })
    .await;
    let (ended, events) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    assert_eq!(ended.progress.status, Status::Failed);
    assert!(suspensions(&events).len() > 1, "it has tried more than once");
    assert!(ended.reason.unwrap().contains("overloaded"));
}

#[tokio::test]
async fn a_person_ends_the_wait_with_another_model_or_at_once() {
    for (lines, named) in [(vec![], Some("extractive")), (vec![Line::Down], None)] {
        let after = if named.is_some() { After::Down } else { After::Extractive };
        let analyst = Script::new(lines, after);
        let mut world = World::open(&folder(), 15, |parts| {
            parts.role_models.analyst = analyst.into();
            // By itself it goes on after an hour.
            (parts.reliability.breaker.cooldown_ms, parts.reliability.breaker.max_cooldown_ms) = (3_600_000, 3_600_000);
            parts.reliability.breaker.failure_threshold = 1;
        })
        .await;
        let asked = world.ask_about(&three_reports(), FIRE_QUESTION).await;
        world.start(1);
        let engine = world.engine.clone();
        let is_suspended = async || {
            let investigation = engine.investigations.investigation(asked.id).await.unwrap().unwrap();
            (investigation.progress.status == Status::Suspended).then_some(investigation)
        };
        assert!(eventually(async || is_suspended().await.is_some()).await);
        let waiting = is_suspended().await.unwrap();
        assert!(investigations::resume(&engine, &waiting, named).await.unwrap());
        let (ended, _) = world.end_of(asked.id).await;
        assert_eq!((ended.progress.status, ended.model.as_deref()), (Status::Completed, named));
        assert!(!investigations::resume(&engine, &ended, named).await.unwrap(), "nothing waits");
        world.close().await;
    }
}

/// A world in which this model plays the role.
/// A world in which this model has one role; the Analyst begins with these lines where it is another.
async fn with_a(role: AgentRole, model: &Arc<Script>, analyst: Vec<Line>, folder: &Folder, seed: u64) -> World {
    World::open(folder, seed, |parts| match role {
        AgentRole::Analyst => parts.role_models.analyst = model.clone().into(),
        AgentRole::Processor => {
            parts.role_models.analyst = Script::new(analyst, After::Extractive).into();
            parts.role_models.processor = model.clone().into();
        }
        other => panic!("{other:?}"),
    })
    .await
}

#[tokio::test]
async fn a_session_of_a_dead_process_continues_from_its_last_step() {
    for role in [AgentRole::Analyst, AgentRole::Processor] {
        let first = Script::new(vec![], After::Extractive);
        let expected = {
            let mut world = with_a(role, &first, vec![vague_order()], &folder(), 10).await;
            let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
            world.start(1);
            let (ended, _) = world.end_of(investigation.id).await;
            let expected = without_cost(&without_ids(&world.assessment(&ended).await));
            world.kill().await;
            expected
        };
        let turns = first.calls();
        assert!(turns > 2, "there is a middle to die in");

        let folder = folder();
        let id = {
            let dying = Script::new(extractive_then_hang(turns - 1), After::Extractive);
            let mut world = with_a(role, &dying, vec![vague_order()], &folder, 10).await;
            let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
            world.start(1);
            dying.until_called(turns).await;
            world.kill().await;
            investigation.id
        };
        let successor = Script::new(vec![], After::Extractive);
        let mut world = with_a(role, &successor, vec![], &folder, 1_010).await;
        world.forget_the_dead().await;
        world.start(1);
        let (ended, _) = world.end_of(id).await;
        assert_eq!(ended.progress.status, Status::Completed);
        assert_eq!(successor.calls(), 1, "only the turn that was never answered is asked for again");
        assert_eq!(without_cost(&without_ids(&world.assessment(&ended).await)), expected);
        world.close().await;
    }
}
