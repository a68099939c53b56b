//! Measured investigation in a fresh data directory.

use crate::resources;
use anyhow::{Context, bail};
use domain::{
    CollectionKind, DocumentId, InvestigationId, Scope, agent::AgentRole, event::EventKind, investigation::Investigation,
    work_order::WorkOrderStatus,
};
use engine::{
    StoreError, accounts,
    assessments::StoredAssessment,
    investigations::{self, InvestigationRequest},
    library::DocumentQuery,
    replay::{self, PromptTotals},
};
use fetch::Input;
use futures::{StreamExt, stream};
use server::{Config, Program, Runner, intake};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// Order of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileOrder {
    AsRead,
    Reversed,
}

/// Plan of a measured run.
pub struct RunPlan {
    pub input: Input,
    pub question: String,
    pub workers: u32,
    pub order: FileOrder,
    /// Wait until every text has its vector.
    pub until_vectors: bool,
    /// Model, if not as configured.
    pub model: Option<String>,
}

/// Results of a measured run.
pub struct MeasuredRun {
    pub workers: u32,
    /// Embedder, and the reason for it.
    pub embedder: String,
    /// CPU time from the first file to the last work order, without the assessment.
    pub collecting_cpu_ms: f64,
    /// Time from the first file to the assessment.
    pub wall_s: f64,
    /// Time from the first file to the last vector, if measured.
    pub vectors_s: Option<f64>,
    pub peak_mib: f64,
    pub claims: u64,
    /// Model input of Processors, judges included.
    pub model_input: PromptTotals,
    /// Calls of Processors answered by another model: the judge.
    pub judge_calls: u64,
    /// Stored text of every document.
    pub texts: BTreeMap<DocumentId, String>,
    pub stored: StoredAssessment,
}

pub async fn run(config: &Config, plan: RunPlan) -> anyhow::Result<MeasuredRun> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let config = config.clone().in_folder(folder.path());
    let program = Program::open(config, None).await?;
    resources::forget_peak();
    let (began, cpu) = (Instant::now(), resources::cpu_ms());
    let Investigation { id, scope, .. } = start(&program, "Benchmark", &plan).await?;
    let runner = Runner::start(&program, plan.workers).await?;
    let collecting_cpu_ms = collecting_cpu_ms(&program, id).await;
    let wall_s = began.elapsed().as_secs_f64();
    let vectors_s = match &program.engine.embedder {
        Some(embedder) if plan.until_vectors => {
            wait_for_vectors(&program, embedder.model()).await?;
            Some(began.elapsed().as_secs_f64())
        }
        _ => None,
    };
    runner.stop().await;
    let peak_mib = resources::peak_mib();
    let engine = &program.engine;
    let stored = engine.assessments.of_investigation(&scope, id).await?;
    let trial = MeasuredRun {
        workers: plan.workers,
        embedder: program.embedder_note.clone(),
        collecting_cpu_ms: collecting_cpu_ms? - cpu,
        wall_s,
        vectors_s,
        peak_mib,
        claims: engine.graph.counts(&scope).await?.0,
        model_input: model_input(&program, id).await?,
        judge_calls: judge_calls(&program, id).await?,
        texts: texts(&program, &scope).await?,
        stored: stored.context("the investigation ended without an assessment")?,
    };
    program.store.close().await;
    Ok(trial)
}

/// Reads the files into a collection of that name and launches the question.
pub async fn start(program: &Program, collection: &str, plan: &RunPlan) -> anyhow::Result<Investigation> {
    let engine = &program.engine;
    let mut files: Vec<_> = intake::read_files(program, plan.input.clone()).collect().await;
    if plan.order == FileOrder::Reversed {
        files.reverse();
    }
    let owner = accounts::system_user(engine).await?;
    let collection = accounts::own_collection(engine, &owner, CollectionKind::Private, collection).await?;
    let request = InvestigationRequest {
        files: Some(stream::iter(files).boxed()),
        model: plan.model.clone(),
        ..InvestigationRequest::new(&owner, &plan.question, collection.id)
    };
    Ok(investigations::start(engine, request, |_| {}).await?.0)
}

/// Counts the model input of collection by replaying the step log.
async fn model_input(program: &Program, id: InvestigationId) -> anyhow::Result<PromptTotals> {
    let mut model_input = PromptTotals::default();
    for session in replay::replay(&program.engine, &program.agents, id).await? {
        if let Some(difference) = session.difference {
            bail!("the investigation cannot be replayed: {}", difference.what);
        }
        if session.role == AgentRole::Processor {
            model_input += session.said;
        }
    }
    Ok(model_input)
}

/// Counts calls in Processor sessions that another model answered.
async fn judge_calls(program: &Program, id: InvestigationId) -> Result<u64, StoreError> {
    let mut judge_calls = 0;
    for session in program.engine.sessions.sessions(id).await? {
        let calls = program.engine.ledger.model_calls(session.id).await?;
        judge_calls +=
            calls.iter().filter(|call| (&call.provider, &call.model) != (&session.provider, &session.model)).count() as u64;
    }
    Ok(judge_calls)
}

/// Returns the CPU time at the end of the last work order, once the investigation has ended.
async fn collecting_cpu_ms(program: &Program, id: InvestigationId) -> Result<f64, StoreError> {
    let mut events = program.engine.events.follow(id, 0);
    let mut last = resources::cpu_ms();
    while let Some(event) = events.next().await {
        if let EventKind::WorkOrderChanged { status: WorkOrderStatus::Completed, .. } = event?.kind {
            last = resources::cpu_ms();
        }
    }
    Ok(last)
}

async fn wait_for_vectors(program: &Program, model: &str) -> Result<(), StoreError> {
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
