//! What was recorded gives the same again: the step log to the machine, the replies to the engine.

use super::{
    material::{FIRE_QUESTION, sample, three_reports},
    world::{EXTRACTIVE, World, folder},
};
use async_trait::async_trait;
use engine::{
    agents::{
        machine::{Machine, Next},
        record::{Setup, Step},
    },
    models::{Message, Model, ModelError, ModelReply, ModelRequest},
};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

/// Every call in order, with what was answered.
type Tape = Arc<Mutex<VecDeque<(Vec<Message>, ModelReply)>>>;

/// Answers as the provider does and writes it down.
struct Recorder(Tape);

/// Answers what was written down, and insists on hearing the same.
struct Player(Tape);

#[async_trait]
impl Model for Recorder {
    fn provider(&self) -> &'static str {
        "extractive"
    }
    fn model(&self) -> &'static str {
        "extractive-1"
    }
    fn wants_vectors(&self) -> bool {
        false
    }
    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let reply = EXTRACTIVE.call(request).await?;
        self.0.lock().unwrap().push_back((request.messages.clone(), reply.clone()));
        Ok(reply)
    }
}

#[async_trait]
impl Model for Player {
    fn provider(&self) -> &'static str {
        "extractive"
    }
    fn model(&self) -> &'static str {
        "extractive-1"
    }
    fn wants_vectors(&self) -> bool {
        false
    }
    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let (messages, reply) = self.0.lock().unwrap().pop_front().expect("there is a recording of this call");
        assert_eq!(messages, request.messages, "the conversation is the recorded one");
        Ok(reply)
    }
}

/// Runs one investigation with ids that come in the same order whenever one worker does everything.
async fn run(model: Arc<dyn Model>) -> String {
    let mut world = World::open(&folder(), 30, |parts| {
        parts.analyst = model.clone();
        parts.processor = model;
    })
    .await;
    world.start(1);
    // The worker has drawn its name; from here on everything happens one after the other.
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    let investigation = world.ask_about(&sample(), super::material::SAMPLE_QUESTION).await;
    let (ended, _) = world.end_of(investigation.id).await;
    let stored = world.assessment(&ended).await;
    world.close().await;
    serde_json::to_string_pretty(&stored.assessment).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recorded_replies_played_back_give_the_same_assessment() {
    let tape = Tape::default();
    let recorded = run(Arc::new(Recorder(tape.clone()))).await;
    assert!(tape.lock().unwrap().len() > 5);
    let played = run(Arc::new(Player(tape.clone()))).await;
    super::sample::assert_same(&recorded, &played, 30);
    assert!(tape.lock().unwrap().is_empty(), "every recorded call was made again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_step_log_gives_the_same_conversation_to_a_fresh_machine() {
    let tape = Tape::default();
    let recorder = Arc::new(Recorder(tape.clone()));
    let mut world = World::open(&folder(), 31, |parts| {
        parts.analyst = recorder.clone();
        parts.processor = recorder;
    })
    .await;
    let investigation = world.ask_about(&three_reports(), FIRE_QUESTION).await;
    world.start(1);
    let (ended, _) = world.end_of(investigation.id).await;
    let heard = tape.lock().unwrap().clone();
    let mut calls = 0;
    for session in world.engine.sessions.sessions(ended.id).await.unwrap() {
        let setup = world.engine.sessions.setup(session.id).await.unwrap().expect("how it was set up");
        let mut machine = Machine::new(session.role, Setup::read(&setup).unwrap().limits);
        for step in world.engine.sessions.steps(session.id).await.unwrap() {
            if *machine.next() == Next::CallModel {
                assert!(heard.iter().any(|(messages, _)| messages == machine.messages()), "this was said before");
                calls += 1;
            }
            machine.feed(Step::read(&step).unwrap().fed).unwrap();
        }
        assert!(matches!(machine.next(), Next::Done(_)));
        assert_eq!(machine.turns(), session.turns);
    }
    assert_eq!(calls, heard.len());
}
