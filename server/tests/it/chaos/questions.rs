//! Questions asked during the chaos test, each on its own documents, and their outcomes.

use super::processes::HEARTBEAT;
use crate::{app::parser, eventually::within, prelude::*, resumed::taken_up_again};
use domain::{
    agent::SessionStatus,
    budget::{CallOutcome, ModelCall},
    event::Event,
};
use engine::{
    StoreError,
    accounts::{self, Actor, NewAccount},
    investigations::{self, InvestigationRequest},
};
use fetch::Input;
use server::{config::load, intake};

/// Timeout for all questions.
const PATIENCE: Duration = Duration::from_secs(900);
/// Sample documents per question: two packs.
const DOCUMENTS: usize = 12;
const QUESTION: &str = "Who was behind the explosion at the Varrow Lock?";

/// Program that submits and polls; it is never killed.
pub struct Questions(Program);

/// Overall progress.
#[derive(Debug, Default)]
pub struct Progress {
    pub completed: usize,
    pub at_work: usize,
    pub suspended: usize,
}

/// Outcome that must be equal for all questions.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    pub claims: u64,
    pub entities: u64,
    pub relationships: u64,
    pub orders: Vec<String>,
    pub assessment: String,
}

#[derive(Debug)]
pub struct QuestionOutcome {
    pub result: Outcome,
    pub unresolved: usize,
    pub done_twice: usize,
    /// Model calls answered twice because two workers ran one session at the same time.
    pub at_once: usize,
    pub taken_up_again: usize,
}

impl Questions {
    pub async fn open(config: &Path) -> Self {
        let config = load(Some(config), vec![]).unwrap().config;
        Self(Program::open_with(config, None, parser()).await.unwrap())
    }

    pub async fn ask(&self, name: &str) -> Investigation {
        let engine = &self.0.engine;
        let new = NewAccount { name, password: "correct horse battery", role: Role::Analyst, must_change_password: false };
        let owner = accounts::create(engine, &self.0.passwords, new, Actor::default()).await.unwrap();
        let collection = accounts::own_collection(engine, &owner, CollectionKind::Private, "Uploads").await.unwrap();
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../config/samples/varrow-lock/documents");
        let mut documents: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        documents.sort();
        documents.truncate(DOCUMENTS);
        let request = InvestigationRequest {
            files: Some(intake::read_files(&self.0, Input::Paths(documents))),
            ..InvestigationRequest::new(&owner, QUESTION, collection.id)
        };
        investigations::start(engine, request, |_| {}).await.unwrap().0
    }

    /// Waits until every investigation has ended.
    pub async fn wait_for(&self, asked: &[Investigation]) {
        let mut open = vec![];
        let all_ended = async || {
            open.clear();
            for investigation in asked {
                // A service may be down at this moment.
                let now = self.0.engine.investigations.investigation(investigation.id).await.ok().flatten();
                if !now.as_ref().is_some_and(|now| now.progress.status.is_terminal()) {
                    open.push(now.map(|now| (now.progress, now.reason)));
                }
            }
            open.is_empty()
        };
        let have_ended = within(PATIENCE, all_ended).await;
        assert!(have_ended, "{} did not end: {open:?}", open.len());
    }

    /// `None` while the database is unavailable.
    pub async fn progress(&self) -> Progress {
        let filter = InvestigationFilter { limit: u32::MAX, ..InvestigationFilter::default() };
        let all: Result<Vec<Investigation>, StoreError> = self.0.engine.investigations.list(&filter).await;
        let mut progress = Progress::default();
        for investigation in all.unwrap_or_default() {
            match investigation.progress.status {
                Status::Completed => progress.completed += 1,
                Status::Suspended => progress.suspended += 1,
                _ => progress.at_work += 1,
            }
        }
        progress
    }

    /// Whether the queue answers and is empty.
    pub async fn is_queue_empty(&self) -> bool {
        self.0.engine.queue.depth().await.is_ok_and(|depth| depth.iter().sum::<u64>() == 0)
    }

    pub async fn ended(&self, asked: &Investigation) -> QuestionOutcome {
        let engine = &self.0.engine;
        let investigation = engine.investigations.investigation(asked.id).await.unwrap().unwrap();
        assert_eq!(investigation.progress.status, Status::Completed, "{:?}", investigation.reason);
        let stored = engine.assessments.of_investigation(&asked.scope, asked.id).await.unwrap().expect("an assessment");
        let (claims, entities, relationships) = engine.graph.counts(&asked.scope).await.unwrap();
        let orders = engine.work_orders.work_orders(asked.id).await.unwrap();
        let sessions = engine.sessions.sessions(asked.id).await.unwrap();
        let mut completed: BTreeMap<_, usize> = BTreeMap::new();
        for session in sessions.iter().filter(|session| session.status == SessionStatus::Completed) {
            *completed.entry(session.work_order_id()).or_default() += usize::from(session.work_order_id().is_some());
        }
        let events = engine.events.after(asked.id, 0, 10_000).await.unwrap();
        let mut at_once = 0;
        for session in &sessions {
            at_once += overlaps(&engine.ledger.model_calls(session.id).await.unwrap());
        }
        let mut assessment = without_ids(serde_json::to_value(&stored.assessment).unwrap());
        // Cancelled calls may cost something.
        assessment["cost"] = Value::Null;
        let mut objectives: Vec<String> = orders.iter().map(|order| order.objective.clone()).collect();
        objectives.sort();
        QuestionOutcome {
            unresolved: orders.iter().filter(|order| order.status != WorkOrderStatus::Completed).count(),
            done_twice: completed.values().filter(|&&times| times > 1).count() + told_twice(&events),
            at_once,
            taken_up_again: taken_up_again(engine, asked.id).await,
            result: Outcome {
                claims,
                entities,
                relationships,
                orders: objectives,
                assessment: serde_json::to_string_pretty(&assessment).unwrap(),
            },
        }
    }

    pub async fn close(self) {
        self.0.store.close().await;
    }
}

/// Work orders whose end was announced more than once.
fn told_twice(events: &[Event]) -> usize {
    let mut ends: BTreeMap<_, usize> = BTreeMap::new();
    for event in events {
        if let EventKind::WorkOrderChanged { work_order_id, status: WorkOrderStatus::Completed, .. } = event.kind {
            *ends.entry(work_order_id).or_default() += 1;
        }
    }
    ends.values().filter(|&&times| times > 1).count()
}

/// Calls that overlap the previous one. A paused worker may finish a call long after a takeover.
fn overlaps(calls: &[ModelCall]) -> usize {
    let answered = calls.iter().filter(|call| call.outcome == CallOutcome::Answered);
    let mut spans: Vec<(Timestamp, i64)> = answered.map(|call| (call.called_at, call.latency_ms.cast_signed())).collect();
    spans.retain(|(_, latency_ms)| u128::from(latency_ms.unsigned_abs()) < HEARTBEAT.as_millis());
    spans.sort();
    spans.windows(2).filter(|pair| pair[1].0 < pair[0].0.plus_ms(pair[0].1)).count()
}
