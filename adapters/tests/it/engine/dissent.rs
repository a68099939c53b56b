//! The dissent: stored beside the answer, corrected once, within its own budget, and never paid for twice.

use super::prelude::*;
use domain::investigation::Depth;

const GOOD: &str = r#"{"paragraph": "One text is told again [1].", "is_refuted": false, "probabilities": [
    {"hypothesis": "H1", "probability": 0.5}, {"hypothesis": "H2", "probability": 0.4}, {"hypothesis": "H3", "probability": 0.1}],
    "deception": [], "citations": [1]}"#;
const WRONG_MARKER: &str = r#"{"paragraph": "One text is told again [99].", "is_refuted": false, "probabilities": [
    {"hypothesis": "H1", "probability": 0.5}, {"hypothesis": "H2", "probability": 0.4}, {"hypothesis": "H3", "probability": 0.1}],
    "deception": [], "citations": []}"#;

async fn open(folder: &Folder, seed: u64, models: [&Arc<Script>; 2], change: impl FnOnce(&mut Parts)) -> World {
    let [analyst, dissenter] = models;
    World::open(folder, seed, |parts| {
        parts.role_models.analyst = analyst.clone().into();
        parts.role_models.dissenter = Some(dissenter.clone().into());
        change(parts);
    })
    .await
}

async fn play(seed: u64, dissenter: &Arc<Script>, depth: Depth, change: impl FnOnce(&mut Parts)) -> (World, Investigation) {
    let analyst = Script::new(vec![], After::Extractive);
    let mut world = open(&folder(), seed, [&analyst, dissenter], change).await;
    world.terms.depth = depth;
    let (ended, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    assert_eq!(ended.progress.status, Status::Completed, "{:?}", ended.reason);
    (world, ended)
}

/// Returns status and reason of the only session of the dissenter.
async fn dissenting_session(world: &World, investigation: &Investigation) -> (SessionStatus, String) {
    let mut sessions = world.engine.sessions.sessions(investigation.id).await.unwrap();
    sessions.retain(|session| session.role == AgentRole::Dissenter);
    let [session] = &sessions[..] else { panic!("{sessions:?}") };
    (session.status, session.reason.clone().unwrap_or_default())
}

#[tokio::test]
async fn a_wrong_marker_is_corrected_and_the_dissent_is_stored_beside_the_answer() {
    let dissenter = Script::new(vec![says(WRONG_MARKER), says(GOOD)], After::Empty);
    let (world, investigation) = play(400, &dissenter, Depth::Standard, |_| {}).await;
    let assessment = world.assessment(&investigation).await.assessment;
    assert_eq!(dissenting_session(&world, &investigation).await, (SessionStatus::Completed, String::new()));
    assert!(assessment.producer.prompts.contains_key("dissent"), "{:?}", assessment.producer);
    assert_eq!(assessment.cost.tokens_in, 6, "both calls are counted");
    let dissent = assessment.dissent.expect("a dissent");
    assert_eq!((dissent.is_refuted, dissent.probability_of("H1")), (false, Some(0.5)));
    let seen = dissenter.seen.lock().unwrap();
    let [first, second] = &seen[..] else { panic!("{} calls", seen.len()) };
    let Some(Message::User { text: opening }) = first.messages.first() else { panic!("{:?}", first.messages) };
    assert!(opening.contains(FIRE_QUESTION) && opening.contains("\"marker\":1"), "{opening}");
    assert!(opening.contains("Argument:\n{\"as_of\":\"20") && opening.contains("\"is_opinion\":false"), "{opening}");
    assert!(opening.contains("\"published\":\"2031-05-0") && !opening.contains("precision"), "{opening}");
    let Some(Message::User { text: correction }) = second.messages.last() else { panic!("{:?}", second.messages) };
    assert!(correction.contains("there is no citation [99]"), "{correction}");
}

#[tokio::test]
async fn a_quick_investigation_has_no_dissent() {
    let dissenter = Script::new(vec![], After::Empty);
    let (world, investigation) = play(401, &dissenter, Depth::Quick, |_| {}).await;
    assert_eq!((world.assessment(&investigation).await.assessment.dissent, dissenter.calls()), (None, 0));
}

#[tokio::test]
async fn a_dissent_without_budget_leaves_the_assessment_and_says_why() {
    let dissenter = Script::new(vec![], After::Empty);
    let (world, investigation) = play(402, &dissenter, Depth::Standard, |parts| {
        parts.budget.investigation.tokens = Some(10_000_000);
        parts.config.dissent.budget_share = 0.000_01;
    })
    .await;
    assert_eq!((world.assessment(&investigation).await.assessment.dissent, dissenter.calls()), (None, 0));
    let (status, reason) = dissenting_session(&world, &investigation).await;
    assert_eq!(status, SessionStatus::Failed);
    assert!(reason.ends_with("raise budget.session.tokens or engine.dissent.budget_share"), "{reason}");
}

#[tokio::test]
async fn a_dissent_whose_model_is_down_is_tried_once_and_leaves_the_assessment() {
    let dissenter = Script::new(vec![], After::Down);
    let (world, investigation) = play(403, &dissenter, Depth::Standard, |_| {}).await;
    assert_eq!(world.assessment(&investigation).await.assessment.dissent, None);
    assert_eq!(dissenting_session(&world, &investigation).await.0, SessionStatus::Failed);
}

#[tokio::test]
async fn a_kill_between_answer_and_store_costs_no_second_call() {
    let (folder, fault_point) = (folder(), FaultPoint::before("Assessments::update"));
    let dissenter = Script::new(vec![says(GOOD)], After::Empty);
    let analyst = Script::new(vec![], After::Extractive);
    let mut world = open(&folder, 404, [&analyst, &dissenter], |parts| guard(parts, &fault_point)).await;
    let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
    world.start(1);
    fault_point.dead.cancelled().await;
    world.kill().await;
    let analyst = Script::new(vec![], After::Empty);
    let mut world = open(&folder, 405, [&analyst, &dissenter], |_| {}).await;
    world.forget_the_dead().await;
    world.start(1);
    let (ended, _) = world.end_of(investigation.id).await;
    assert_eq!(ended.progress.status, Status::Completed, "{:?}", ended.reason);
    assert!(world.assessment(&ended).await.assessment.dissent.is_some());
    assert_eq!((analyst.calls(), dissenter.calls()), (0, 1), "nothing is asked again");
}
