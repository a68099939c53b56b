//! One investigation in a fresh data directory, measured.

use super::{Failure, resources};
use crate::{Program, Runner, cli::exit::Exit, config::Config, intake};
use domain::{
    CollectionKind, DocumentId, InvestigationId, Scope,
    agent::AgentRole,
    event::EventKind,
    investigation::{Investigation, InvestigationKind, Trigger},
    work_order::WorkOrderStatus,
};
use engine::{
    StoreError, accounts,
    assessments::StoredAssessment,
    launch::{self, LaunchError, NewInvestigation},
    library::{self, DocumentQuery},
    replay::{self, Said},
};
use fetch::Input;
use futures::{StreamExt, stream};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// In which order the files are put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    AsRead,
    Reversed,
}

/// What is to be done.
pub(super) struct Plan {
    pub input: Input,
    pub question: String,
    pub workers: u32,
    pub order: Order,
    /// Go on until every text has its vector.
    pub until_vectors: bool,
    /// Who answers, where it is not as configured.
    pub model: Option<String>,
}

/// What came of it.
pub(super) struct Trial {
    pub workers: u32,
    /// What makes vectors, and why.
    pub embedder: String,
    /// CPU from the first file to the last work order: everything but the assessment.
    pub collecting_cpu_ms: f64,
    /// From the first file to the assessment.
    pub wall_s: f64,
    /// From the first file to the last vector, where that was waited for.
    pub vectors_s: Option<f64>,
    pub peak_mib: f64,
    pub claims: u64,
    /// What the models of Processors were told, judges included.
    pub told: Said,
    /// Of these calls, those of another model than the Processor's: the judge's.
    pub judged: u64,
    /// Every document's stored text.
    pub texts: BTreeMap<DocumentId, String>,
    pub stored: StoredAssessment,
}

pub(super) async fn run(config: &Config, plan: Plan) -> Result<Trial, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::new(Exit::Io, format!("cannot make a folder: {error}")))?;
    let config = config.clone().in_folder(folder.path());
    let program = Program::open(config, None).await?;
    resources::forget_peak();
    let (began, cpu) = (Instant::now(), resources::cpu_ms());
    let Investigation { id, scope, .. } = start(&program, "Benchmark", &plan).await?;
    let runner = Runner::start(&program, plan.workers).await?;
    let collected = collected(&program, id).await;
    let wall_s = began.elapsed().as_secs_f64();
    let vectors_s = match &program.engine.embedder {
        Some(embedder) if plan.until_vectors => {
            every_vector(&program, embedder.model()).await?;
            Some(began.elapsed().as_secs_f64())
        }
        _ => None,
    };
    runner.stop().await;
    let peak_mib = resources::peak_mib();
    let engine = &program.engine;
    let stored = engine.assessments.of_investigation(&scope, id).await?;
    let trial = Trial {
        workers: plan.workers,
        embedder: program.embedder_note.clone(),
        collecting_cpu_ms: collected? - cpu,
        wall_s,
        vectors_s,
        peak_mib,
        claims: engine.graph.counts(&scope).await?.0,
        told: told(&program, id).await?,
        judged: judged(&program, id).await?,
        texts: texts(&program, &scope).await?,
        stored: stored.ok_or_else(|| Failure::new(Exit::Partial, "the investigation ended without an assessment"))?,
    };
    program.store.close().await;
    Ok(trial)
}

/// Reads the files into a collection of that name and asks about them.
pub(super) async fn start(program: &Program, collection: &str, plan: &Plan) -> Result<Investigation, Failure> {
    let engine = &program.engine;
    let mut files: Vec<_> = program.documents.read(plan.input.clone()).map(intake::read_file).collect().await;
    if plan.order == Order::Reversed {
        files.reverse();
    }
    let owner = accounts::system_user(engine).await?;
    let collection = accounts::own_collection(engine, &owner, CollectionKind::Private, collection).await?;
    library::ingest(engine, collection.id, &Scope::from(collection.id), None, stream::iter(files), |_| {}).await?;
    let new = NewInvestigation {
        id: InvestigationId(engine.ids.next()),
        owner: &owner,
        question: plan.question.clone(),
        kind: InvestigationKind::Intelligence,
        trigger: Trigger::Prompt,
        model: plan.model.clone(),
        scope: Scope::from(collection.id),
        collection_id: collection.id,
    };
    launch::launch(engine, new).await.map_err(|error| match error {
        LaunchError::Store(error) => error.into(),
        other => Failure::new(Exit::Usage, other),
    })
}

/// Every model call that collection caused, counted out of the step log by replaying it.
async fn told(program: &Program, id: InvestigationId) -> Result<Said, Failure> {
    let mut told = Said::default();
    for session in replay::replay(&program.engine, &program.agents, id).await? {
        if let Some(difference) = session.difference {
            return Err(Failure::new(Exit::Defect, format!("the run cannot be replayed: {}", difference.what)));
        }
        if session.role == AgentRole::Processor {
            told += session.said;
        }
    }
    Ok(told)
}

/// Calls of Processors' sessions that another model answered.
async fn judged(program: &Program, id: InvestigationId) -> Result<u64, StoreError> {
    let mut judged = 0;
    for session in program.engine.sessions.sessions(id).await? {
        let calls = program.engine.ledger.model_calls(session.id).await?;
        judged +=
            calls.iter().filter(|call| (&call.provider, &call.model) != (&session.provider, &session.model)).count() as u64;
    }
    Ok(judged)
}

/// CPU time when the last work order was done, told when the investigation has ended.
async fn collected(program: &Program, id: InvestigationId) -> Result<f64, StoreError> {
    let mut events = program.engine.events.follow(id, 0);
    let mut last = resources::cpu_ms();
    while let Some(event) = events.next().await {
        if let EventKind::WorkOrderChanged { status: WorkOrderStatus::Completed, .. } = event?.kind {
            last = resources::cpu_ms();
        }
    }
    Ok(last)
}

async fn every_vector(program: &Program, model: &str) -> Result<(), StoreError> {
    const LOOK: Duration = Duration::from_millis(100);
    while program.engine.graph.vector_progress(model).await?.0 > 0 {
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}

async fn texts(program: &Program, scope: &Scope) -> Result<BTreeMap<DocumentId, String>, StoreError> {
    const PAGE: u32 = 200;
    let documents = &program.engine.documents;
    let mut texts = BTreeMap::new();
    loop {
        let query = DocumentQuery { offset: texts.len() as u64, limit: PAGE, ..DocumentQuery::default() };
        let page = documents.list(scope, &query).await?;
        let ids: Vec<DocumentId> = page.documents.iter().map(|document| document.id).collect();
        texts.extend(documents.texts(scope, &ids).await?.into_iter().map(|found| (found.document.id, found.text)));
        if ids.is_empty() || texts.len() as u64 >= page.total {
            return Ok(texts);
        }
    }
}
