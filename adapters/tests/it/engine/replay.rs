//! Replay tests: recorded steps give the same result.

use super::{
    prelude::*,
    world::{EXTRACTIVE, config_files},
};
use engine::{
    agents::record::SessionSetup,
    replay::{self, SessionReplay},
};

/// An investigation with the provider, at its end.
async fn recorded() -> (World, domain::InvestigationId) {
    let analyst = Script::new(vec![vague_order()], After::Extractive);
    let mut world = World::open(&folder(), 32, |parts| parts.role_models.analyst = analyst.into()).await;
    let (investigation, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    (world, investigation.id)
}

/// Replays it with these files in the place of the built-in ones, and this configuration.
async fn replayed(
    world: &World,
    id: domain::InvestigationId,
    files: &[(&str, &str)],
    config: EngineConfig,
) -> Vec<SessionReplay> {
    let mut all = config_files();
    for (path, text) in files {
        all.set(*path, *text);
    }
    let agents = Agents::load(&all, "none").unwrap();
    let mut replays = vec![];
    for session in world.engine.sessions.sessions(id).await.unwrap() {
        let setup = world.engine.sessions.setup(session.id).await.unwrap().map(|setup| SessionSetup::read(&setup).unwrap());
        let steps = world.engine.sessions.steps(session.id).await.unwrap();
        let replay = replay::replay_session(&agents, &config, &**EXTRACTIVE, &session, setup.as_ref(), &steps).await.unwrap();
        replays.push(replay);
    }
    replays
}

/// Why the Processor's session is not the same, and from which step on.
fn why(replays: &[SessionReplay]) -> (u32, String) {
    let processor = replays.iter().find(|replay| replay.role == AgentRole::Processor).unwrap();
    let difference = processor.difference.as_ref().expect("a difference");
    let reasons: Vec<String> = difference.reasons.iter().map(ToString::to_string).collect();
    (difference.step, format!("{} because {}", difference.what, reasons.join(", ")))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recorded_investigation_is_the_same_again() {
    let (world, id) = recorded().await;
    let replays = replay::replay(&world.engine, &world.agents, id).await.unwrap();
    assert!(replays.len() >= 3);
    for replay in &replays {
        assert_eq!((&replay.difference, replay.same_steps), (&None, replay.steps), "{replay:#?}");
        assert!(replay.changes.is_empty() && replay.said.calls > 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_names_the_changed_prompt_or_tool() {
    let (world, id) = recorded().await;
    let config = || world.engine.config.clone();
    let prompt = replayed(&world, id, &[("prompts/extractor.md", "Read.")], config()).await;
    let (step, reason) = why(&prompt);
    assert!(step > 3 && reason.contains("the prompt differs because the prompt 'extract' has changed"), "{step} {reason}");
    assert!(prompt.iter().filter(|replay| replay.role == AgentRole::Analyst).all(|replay| replay.difference.is_none()));

    let tool = r#"{"description": "Lists sources."}"#;
    let tools = replayed(&world, id, &[("tools/processor/fetch_source_catalog.json", tool)], config()).await;
    let (_, reason) = why(&tools);
    assert!(
        reason.contains("the tools or output schema differ because the schema of 'fetch_source_catalog' has changed"),
        "{reason}"
    );

    let mut fewer = config();
    fewer.extract.batch_documents = 1;
    let (_, reason) = why(&replayed(&world, id, &[], fewer).await);
    assert!(reason.contains("the limit batch_documents was 10 and is 1"), "{reason}");

    let mut without_effect = config();
    without_effect.processor_max_tool_calls += 1;
    let replays = replayed(&world, id, &[], without_effect).await;
    assert!(replays.iter().all(|replay| replay.difference.is_none()));
    assert!(replays.iter().any(|replay| replay.changes.len() == 1), "it is said all the same");
}

/// The provider with other rules.
struct ChangedModel;

#[async_trait]
impl Model for ChangedModel {
    fn provider(&self) -> &'static str {
        "extractive"
    }
    fn model(&self) -> &'static str {
        EXTRACTIVE.model()
    }
    fn product(&self) -> AssessmentKind {
        EXTRACTIVE.product()
    }
    fn is_deterministic(&self) -> bool {
        true
    }
    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let mut reply = EXTRACTIVE.call(request).await?;
        if request.output_schema.as_ref().is_some_and(|shape| shape.name == "batch_extract") {
            reply.text = r#"{"documents":[]}"#.into();
        }
        Ok(reply)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_names_changed_code_if_nothing_else_changed() {
    let (world, id) = recorded().await;
    for session in world.engine.sessions.sessions(id).await.unwrap() {
        let setup = SessionSetup::read(&world.engine.sessions.setup(session.id).await.unwrap().unwrap()).unwrap();
        let mut steps = world.engine.sessions.steps(session.id).await.unwrap();
        let (agents, config) = (&world.agents, &world.engine.config);
        let replay = replay::replay_session(agents, config, &ChangedModel, &session, Some(&setup), &steps).await.unwrap();
        if session.role == AgentRole::Processor {
            let (_, reason) = why(&[replay]);
            assert!(reason.contains("answer differs because the program has changed"), "{reason}");
        }
        // A log of which a step is gone does not fit the machine any more.
        steps.remove(0);
        let replay = replay::replay_session(agents, config, &ChangedModel, &session, Some(&setup), &steps).await.unwrap();
        assert_eq!(replay.difference.unwrap().what, "another request is made");
    }
}
