//! `autosint bench`: cost per document, cost of many concurrent investigations, and determinism of assessments over a folder.
//!
//! Runs in temporary folders, or on empty services if told so. Results apply to this machine, without other load.

mod checks;
mod corpus;
mod load_test;
mod measured_run;
mod resources;

use super::{
    Exit, Failure, help,
    output::{to_json, write_result},
};
use crate::config::{Config, LoadedConfig, ModelChain, environment::ProviderKeys};
use adapters::llm::{ApiKind, ProviderConfig, Providers};
use checks::AssessmentChecks;
use clap::Args;
use domain::agent::AgentRole;
use fetch::Input;
use load_test::LoadTest;
use measured_run::{FileOrder, MeasuredRun, RunPlan};
use protocol::model::{Message, ModelError, ModelRequest};
use serde::Serialize;
use std::{fmt::Display, path::PathBuf, sync::Arc};

/// Uncounted warm-up documents, because the first use of word lists and patterns is slower.
const WARM_UP: usize = 8;
/// Runs per size; the fastest counts, as the least disturbed.
const REPEATS: usize = 3;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&[
    "bench",
    "bench --documents FOLDER --question \"Who was behind the explosion?\"",
    "bench --at-once 100 --model-server http://127.0.0.1:8088",
    "bench --at-once 40 --on-services --model-server http://127.0.0.1:8088",
]))]
pub(super) struct BenchArgs {
    /// Numbers of generated documents, one measurement each
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [50, 400], value_parser = clap::value_parser!(u32).range(1..=100_000))]
    sizes: Vec<u32>,
    /// Measure these folders, files and archives instead, with one worker and with four in reverse order
    #[arg(long, value_name = "PATH", num_args = 1..)]
    documents: Vec<PathBuf>,
    /// Question for --documents
    #[arg(long, default_value = "Who is responsible, and why?")]
    question: String,
    /// With --documents: wait until every text has its vector, and report the time
    #[arg(long, requires = "documents")]
    until_vectors: bool,
    /// Number of concurrent investigations instead, each of 20 generated pages; exits with 70 if one is lost
    #[arg(long, value_name = "N", requires = "model_server", conflicts_with = "documents", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    at_once: Option<u32>,
    /// With --at-once: use the services of sql.url, graph.neo4j.url and redis.url with an empty database; the data stays there
    #[arg(long, requires = "at_once")]
    on_services: bool,
    /// Model server without a key, such as `scripted-model --brief --no-key`: answers --at-once, else decides which names are
    /// the same
    #[arg(long, value_name = "URL")]
    model_server: Option<String>,
    /// Protocol of the model server: anthropic or openai
    #[arg(long, value_name = "WIRE", default_value = "anthropic", value_parser = wire)]
    wire: ApiKind,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Report of all measurements.
#[derive(Debug, Default, Serialize)]
struct Report {
    profile: &'static str,
    cpus: usize,
    /// Embedder for --documents, and the reason for it.
    embedder: Option<String>,
    measure_generated: Vec<Measurement>,
    /// Cost per document at the largest size over that at the smallest.
    growth: Option<f64>,
    prompts: Vec<PromptStats>,
    load_test: Option<LoadTest>,
    measure_folder: Vec<Measurement>,
    checks: Option<AssessmentChecks>,
}

/// Measurement of one run.
#[derive(Debug, Serialize)]
struct Measurement {
    documents: u64,
    mean_chars: u64,
    claims: u64,
    workers: u32,
    /// CPU time of reading, storing, extracting and writing the graph.
    cpu_ms_per_document: f64,
    wall_s: f64,
    /// Time until the last vector, if measured.
    vectors_s: Option<f64>,
    peak_mib: f64,
}

/// Model input of collection, at the largest size.
#[derive(Debug, Serialize)]
struct PromptStats {
    documents: u64,
    /// Maximum documents per pack.
    batch_documents: u32,
    /// All model calls for ingestion: plans, research, extraction, names.
    calls_per_document: f64,
    /// Calls that resolve names; `None` without a judge.
    judge_calls_per_document: Option<f64>,
    /// Characters of all prompts over those of the documents.
    prompt_per_content: f64,
}

/// Name of the model server as a provider.
const PROVIDER: &str = "bench";
const MODEL_NAME: &str = "scripted";
const MODEL: &str = "bench:scripted";

fn wire(text: &str) -> Result<ApiKind, String> {
    match text {
        "anthropic" => Ok(ApiKind::Anthropic),
        "openai" => Ok(ApiKind::Openai),
        _ => Err("must be one of: anthropic, openai".to_owned()),
    }
}

/// Configuration with the model server as provider, and without vectors, which would run in the background.
fn benchmark_config(config: &Config, args: &BenchArgs) -> Config {
    let mut config = config.clone();
    config.engine.embedding_backfill = false;
    if let Some(address) = &args.model_server {
        let address = address.trim_end_matches('/');
        let base_url = if args.wire == ApiKind::Openai { format!("{address}/v1") } else { address.to_owned() };
        let provider = ProviderConfig { base_url: Some(base_url), ..ProviderConfig::new(args.wire) };
        config.models.providers.insert(PROVIDER.to_owned(), provider);
    }
    config
}

/// Fails if the model server does not answer, because every investigation would wait for it.
async fn check_model_server(config: &Config) -> Result<(), Failure> {
    let unavailable = |problem: &dyn Display| Failure::new(Exit::Configuration, format!("--model-server: {problem}"));
    let providers = Providers::new(config.models.llm(), Arc::new(ProviderKeys::new(&config.models)));
    let model = providers.model(PROVIDER, MODEL_NAME).map_err(|problem| unavailable(&problem))?;
    let request = ModelRequest {
        role: AgentRole::Analyst,
        system: "".into(),
        messages: vec![Message::User { text: "Are you there?".into() }],
        tools: Arc::from([]),
        max_output_tokens: 16,
        output_schema: None,
        progress: None,
    };
    match model.call(&request).await {
        Err(error @ (ModelError::Unavailable { .. } | ModelError::Configuration(_) | ModelError::Cut(_))) => {
            Err(unavailable(&error))
        }
        _ => Ok(()),
    }
}

pub(super) async fn run(loaded: LoadedConfig, args: BenchArgs) -> Result<Exit, Failure> {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let mut report = Report { profile, cpus: resources::cpus(), ..Report::default() };
    let config = benchmark_config(&loaded.config, &args);
    if let Some(at_once) = args.at_once {
        report.load_test = Some(load_test::run(&config, MODEL, at_once, args.on_services).await?);
    } else if args.documents.is_empty() {
        if args.model_server.is_some() {
            check_model_server(&config).await?;
        }
        report.measure_generated = measure_generated(&config, &args.sizes).await?;
        report.growth = growth(&report.measure_generated);
        report.prompts = prompts(&config, &args.sizes, args.model_server.is_some()).await?;
    } else {
        let (one, other) = measure_folder(&loaded.config, &args).await?;
        report.checks = Some(AssessmentChecks::compare(&one, &other)?);
        report.measure_folder = vec![row(&one), row(&other)];
        report.embedder = Some(one.embedder);
    }
    let text = if args.json { to_json(&report)? } else { table(&report) };
    write_result(text.as_bytes())?;
    let is_well =
        report.checks.as_ref().is_none_or(AssessmentChecks::is_well) && report.load_test.as_ref().is_none_or(LoadTest::is_well);
    Ok(if is_well { Exit::Done } else { Exit::Defect })
}

/// Investigates generated documents.
async fn run_generated(config: &Config, documents: usize) -> Result<MeasuredRun, Failure> {
    let plan = RunPlan {
        input: Input::Uploads(corpus::documents(documents)),
        question: corpus::QUESTION.to_owned(),
        workers: 1,
        order: FileOrder::AsRead,
        until_vectors: false,
        model: None,
    };
    measured_run::run(config, plan).await
}

/// Measures prompts with the configured packs and with single documents. The model server, if given, resolves names.
async fn prompts(config: &Config, sizes: &[u32], has_judge: bool) -> Result<Vec<PromptStats>, Failure> {
    let documents = sizes.iter().copied().max().unwrap_or(0) as usize;
    let mut prompts = vec![];
    for batch_documents in [config.engine.extract.batch_documents, 1] {
        let mut config = config.clone();
        config.engine.extract.batch_documents = batch_documents;
        if has_judge {
            let judge = MODEL.parse().map_err(|problem: String| Failure::new(Exit::Defect, problem))?;
            config.models.judge = Some(ModelChain::single(judge));
        }
        let measured_run = run_generated(&config, documents).await?;
        let documents = measured_run.texts.len() as u64;
        let chars: usize = measured_run.texts.values().map(|text| text.chars().count()).sum();
        prompts.push(PromptStats {
            documents,
            batch_documents,
            calls_per_document: measured_run.model_input.calls as f64 / documents.max(1) as f64,
            judge_calls_per_document: has_judge.then(|| measured_run.judge_calls as f64 / documents.max(1) as f64),
            prompt_per_content: measured_run.model_input.chars as f64 / chars.max(1) as f64,
        });
    }
    Ok(prompts)
}

async fn measure_generated(config: &Config, sizes: &[u32]) -> Result<Vec<Measurement>, Failure> {
    run_generated(config, WARM_UP).await?;
    let mut rows = vec![];
    for human_bytes in sizes {
        let mut best: Option<Measurement> = None;
        for _ in 0..REPEATS {
            let row = row(&run_generated(config, *human_bytes as usize).await?);
            best = best.filter(|best| best.cpu_ms_per_document <= row.cpu_ms_per_document).or(Some(row));
        }
        rows.extend(best);
    }
    Ok(rows)
}

async fn measure_folder(config: &Config, args: &BenchArgs) -> Result<(MeasuredRun, MeasuredRun), Failure> {
    let plan = |workers, order, until_vectors| RunPlan {
        input: Input::Paths(args.documents.clone()),
        question: args.question.clone(),
        workers,
        order,
        until_vectors,
        model: None,
    };
    let one = measured_run::run(config, plan(1, FileOrder::AsRead, args.until_vectors)).await?;
    let other = measured_run::run(config, plan(4, FileOrder::Reversed, false)).await?;
    Ok((one, other))
}

fn row(measured_run: &MeasuredRun) -> Measurement {
    let documents = measured_run.texts.len() as u64;
    let chars: usize = measured_run.texts.values().map(|text| text.chars().count()).sum();
    Measurement {
        documents,
        mean_chars: chars as u64 / documents.max(1),
        claims: measured_run.claims,
        workers: measured_run.workers,
        cpu_ms_per_document: measured_run.collecting_cpu_ms / documents.max(1) as f64,
        wall_s: measured_run.wall_s,
        vectors_s: measured_run.vectors_s,
        peak_mib: measured_run.peak_mib,
    }
}

fn growth(rows: &[Measurement]) -> Option<f64> {
    let fewest = rows.iter().min_by_key(|row| row.documents)?;
    let most = rows.iter().max_by_key(|row| row.documents)?;
    (fewest.documents < most.documents).then(|| most.cpu_ms_per_document / fewest.cpu_ms_per_document)
}

fn table(report: &Report) -> String {
    let mut text = format!("profile {}, {} processors\n", report.profile, report.cpus);
    if let Some(load_test) = &report.load_test {
        return text + &load_test.to_text();
    }
    text += "documents   characters   claims  workers  CPU per document     until assessment  peak memory\n";
    for row in report.measure_generated.iter().chain(&report.measure_folder) {
        text += &format!(
            "{:>9}  {:>11}  {:>7}  {:>7}  {:>13.2} ms  {:>17.2} s  {:>7.1} MiB\n",
            row.documents, row.mean_chars, row.claims, row.workers, row.cpu_ms_per_document, row.wall_s, row.peak_mib
        );
    }
    if let Some(growth) = report.growth {
        text += &format!("growth from fewest to most documents: {growth:.2} times\n");
    }
    for PromptStats { documents, batch_documents, calls_per_document, judge_calls_per_document, prompt_per_content } in
        &report.prompts
    {
        let judge = judge_calls_per_document.map(|calls| format!(" ({calls:.2} of them to resolve names)")).unwrap_or_default();
        text += &format!(
            "{documents} documents in packs of {batch_documents}: {calls_per_document:.2} model calls per document{judge}, prompts of \
             {prompt_per_content:.1} times their text\n"
        );
    }
    for row in &report.measure_folder {
        if let Some(vectors_s) = row.vectors_s {
            let embedder = report.embedder.as_deref().unwrap_or_default();
            text += &format!("every text has its vector after {vectors_s:.1} s ({embedder})\n");
        }
    }
    if let Some(checks) = &report.checks {
        text += &checks.to_text();
    }
    text
}
