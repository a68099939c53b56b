//! `autosint-bench`: cost per document, cost of many concurrent investigations, time of pages and of a large graph, and determinism of
//! assessments over a folder.
//!
//! Runs in temporary folders, or on empty services if told so. Results apply to this machine, without other load.

mod checks;
mod corpus;
mod graph;
mod load_test;
mod measured_run;
mod pages;
mod report;
mod resources;

use adapters::llm::{ApiKind, ProviderConfig, Providers};
use anyhow::{Context, ensure};
use checks::AssessmentChecks;
use clap::Parser;
use domain::agent::AgentRole;
use fetch::Input;
use measured_run::{FileOrder, MeasuredRun, RunPlan};
use protocol::model::{Message, ModelError, ModelRequest};
use report::{Measurement, PromptStats, Report};
use server::{
    Config,
    config::{self, ModelChain, environment::ProviderKeys},
    logging::{self, LogProfile},
};
use std::{path::PathBuf, process::ExitCode, sync::Arc};

/// Uncounted warm-up documents, because the first use of word lists and patterns is slower.
const WARM_UP: usize = 8;
/// Runs per size; the fastest counts, as the least disturbed.
const REPEATS: usize = 3;

/// Measure the cost of documents and investigations on this machine.
#[derive(Debug, Parser)]
#[command(name = "autosint-bench", version)]
struct Args {
    /// Configuration file; without it config/autosint.toml where there is one, else built-in defaults
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
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
    /// Number of concurrent investigations instead, each of 20 generated pages; fails if one is lost
    #[arg(long, value_name = "N", requires = "model_server", conflicts_with = "documents", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    at_once: Option<u32>,
    /// Time of home, lists and reports with this number of assessments instead
    #[arg(long, value_name = "N", conflicts_with_all = ["documents", "at_once"], value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pages: Option<u32>,
    /// Time of searches, pages and traversals over a generated graph with this number of claims instead
    #[arg(long, value_name = "N", conflicts_with_all = ["documents", "at_once", "pages"], value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    graph: Option<u32>,
    /// With --graph: the address of an empty Neo4j, without a password unless AUTOSINT_NEO4J_PASSWORD is set; the data stays
    #[arg(long, value_name = "URL", requires = "graph")]
    neo4j: Option<String>,
    /// With --at-once or --pages: use the services of sql.url, graph.neo4j.url and redis.url with an empty database; the data stays
    #[arg(long)]
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
fn benchmark_config(config: &Config, args: &Args) -> Config {
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
async fn check_model_server(config: &Config) -> anyhow::Result<()> {
    let providers = Providers::new(config.models.llm(), Arc::new(ProviderKeys::new(&config.models)));
    let model = providers.model(PROVIDER, MODEL_NAME).context("--model-server")?;
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
            Err(error).context("--model-server")
        }
        _ => Ok(()),
    }
}

fn main() -> anyhow::Result<ExitCode> {
    // Parser children are this program, as they are `autosint` elsewhere.
    if std::env::args_os().nth(1).is_some_and(|command| command == "parse-child") {
        return Ok(fetch::parse_child_main());
    }
    let ended = run(Args::parse());
    logging::stop();
    ended.map(|()| ExitCode::SUCCESS)
}

#[tokio::main]
async fn run(args: Args) -> anyhow::Result<()> {
    let configured = config::load(args.config.as_deref(), vec![])?.config;
    logging::start(&configured.log, &configured.traces, LogProfile::Command).map_err(anyhow::Error::msg)?;
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let mut report = Report { profile, cpus: resources::cpus(), ..Report::default() };
    ensure!(!args.on_services || args.at_once.or(args.pages).is_some(), "--on-services needs --at-once or --pages");
    let config = benchmark_config(&configured, &args);
    if let Some(at_once) = args.at_once {
        report.load_test = Some(load_test::run(&config, MODEL, at_once, args.on_services).await?);
    } else if let Some(assessments) = args.pages {
        report.pages = pages::run(&configured, assessments, args.on_services).await?;
    } else if let Some(claims) = args.graph {
        report.graph = Some(graph::run(&config, claims, args.neo4j.as_deref()).await?);
    } else if args.documents.is_empty() {
        if args.model_server.is_some() {
            check_model_server(&config).await?;
        }
        report.generated = measure_generated(&config, &args.sizes).await?;
        report.growth = Measurement::growth(&report.generated);
        report.prompts = prompts(&config, &args.sizes, args.model_server.is_some()).await?;
    } else {
        let (one, other) = measure_folder(&configured, &args).await?;
        report.checks = Some(AssessmentChecks::compare(&one, &other)?);
        report.folder = vec![Measurement::from(&one), Measurement::from(&other)];
        report.embedder = Some(one.embedder);
    }
    println!("{}", if args.json { serde_json::to_string_pretty(&report)? } else { report.to_text() });
    ensure!(report.is_well(), "an investigation was lost, or an assessment violates its invariants");
    Ok(())
}

/// Investigates generated documents.
async fn run_generated(config: &Config, documents: usize) -> anyhow::Result<MeasuredRun> {
    let plan = RunPlan {
        input: Input::InMemory(corpus::documents(documents)),
        question: corpus::QUESTION.to_owned(),
        workers: 1,
        order: FileOrder::AsRead,
        until_vectors: false,
        model: None,
    };
    measured_run::run(config, plan).await
}

/// Measures prompts with the configured packs and with single documents. The model server, if given, resolves names.
async fn prompts(config: &Config, sizes: &[u32], has_judge: bool) -> anyhow::Result<Vec<PromptStats>> {
    let documents = sizes.iter().copied().max().unwrap_or(0) as usize;
    let mut prompts = vec![];
    for batch_documents in [config.engine.extract.batch_documents, 1] {
        let mut config = config.clone();
        config.engine.extract.batch_documents = batch_documents;
        if has_judge {
            let judge = MODEL.parse().map_err(anyhow::Error::msg)?;
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

async fn measure_generated(config: &Config, sizes: &[u32]) -> anyhow::Result<Vec<Measurement>> {
    run_generated(config, WARM_UP).await?;
    let mut rows = vec![];
    for size in sizes {
        let mut best: Option<Measurement> = None;
        for _ in 0..REPEATS {
            let row = Measurement::from(&run_generated(config, *size as usize).await?);
            best = best.filter(|best| best.cpu_ms_per_document <= row.cpu_ms_per_document).or(Some(row));
        }
        rows.extend(best);
    }
    Ok(rows)
}

async fn measure_folder(config: &Config, args: &Args) -> anyhow::Result<(MeasuredRun, MeasuredRun)> {
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
