//! Replay tests: recorded steps and replies give the same result.

use super::{
    material::sample,
    prelude::*,
    world::{EXTRACTIVE, config_files},
};
use engine::{
    EngineConfig,
    agents::{
        machine::{Machine, Next},
        record::{RecordedStep, SessionSetup},
        specs,
    },
    replay::{self, SessionReplay},
};
use protocol::model::ModelReply;
use std::{collections::VecDeque, sync::Mutex};

/// Every call in order, with what was answered.
type Tape = Arc<Mutex<VecDeque<(Vec<Message>, ModelReply)>>>;

/// The built-in provider on tape.
enum TapeDeck {
    /// Answers as the provider does and records it.
    Record(Tape),
    /// Plays the recorded answers, and insists on the recorded requests.
    Play(Tape),
}

#[async_trait]
impl Model for TapeDeck {
    fn provider(&self) -> &'static str {
        "extractive"
    }
    fn model(&self) -> &'static str {
        EXTRACTIVE.model()
    }
    fn product(&self) -> AssessmentKind {
        EXTRACTIVE.product()
    }
    fn wants_vectors(&self) -> bool {
        false
    }
    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        match self {
            Self::Record(tape) => {
                let reply = EXTRACTIVE.call(request).await?;
                tape.lock().unwrap().push_back((request.messages.clone(), reply.clone()));
                Ok(reply)
            }
            Self::Play(tape) => {
                let (messages, reply) = tape.lock().unwrap().pop_front().expect("there is a recording of this call");
                assert_eq!(messages, request.messages, "the conversation is the recorded one");
                Ok(reply)
            }
        }
    }
}

/// Runs one investigation with ids that come in the same order whenever one worker does everything.
async fn run(model: Arc<dyn Model>) -> String {
    let mut world = World::open(&folder(), 30, |parts| {
        parts.role_models.analyst = model.clone().into();
        parts.role_models.processor = model.into();
    })
    .await;
    world.start_in_order().await;
    let investigation = world.ask_about(&sample(), super::material::SAMPLE_QUESTION).await;
    let (ended, _) = world.end_of(investigation.id).await;
    let mut stored = world.assessment(&ended).await;
    world.close().await;
    stored.assessment.created_at = None;
    serde_json::to_string_pretty(&stored.assessment).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recorded_replies_played_back_give_the_same_assessment() {
    let tape = Tape::default();
    let recorded = run(Arc::new(TapeDeck::Record(tape.clone()))).await;
    assert!(tape.lock().unwrap().len() > 5);
    let played = run(Arc::new(TapeDeck::Play(tape.clone()))).await;
    super::sample::assert_same(&recorded, &played, 30);
    assert!(tape.lock().unwrap().is_empty(), "every recorded call was made again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_step_log_gives_the_same_conversation_to_a_fresh_machine() {
    let tape = Tape::default();
    let recorder = Arc::new(TapeDeck::Record(tape.clone()));
    let mut world = World::open(&folder(), 31, |parts| {
        parts.role_models.analyst = recorder.clone().into();
        parts.role_models.processor = recorder.into();
    })
    .await;
    let (ended, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    let heard = tape.lock().unwrap().clone();
    let mut calls = 0;
    for session in world.engine.sessions.sessions(ended.id).await.unwrap() {
        let setup = world.engine.sessions.setup(session.id).await.unwrap().expect("how it was set up");
        let mut machine =
            Machine::new(specs::for_role(session.role).unwrap().finish, SessionSetup::read(&setup).unwrap().limits);
        for step in world.engine.sessions.steps(session.id).await.unwrap() {
            if *machine.next() == Next::CallModel {
                assert!(heard.iter().any(|(messages, _)| messages == machine.messages()), "this was said before");
                calls += 1;
            }
            machine.feed(RecordedStep::read(&step).unwrap().fed).unwrap();
        }
        assert!(matches!(machine.next(), Next::Done(_)));
        assert_eq!(machine.turns(), session.turns);
    }
    assert_eq!(calls, heard.len());
}

/// An investigation with the provider, at its end.
async fn recorded() -> (World, domain::InvestigationId) {
    let analyst = Script::new(vec![vague_order()], After::Extractive);
    let mut world = World::open(&folder(), 32, |parts| parts.role_models.analyst = analyst.into()).await;
    let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
    world.start(1);
    world.end_of(investigation.id).await;
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
