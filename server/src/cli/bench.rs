//! `autosint bench`: what a document costs, what many investigations at once cost, and whether a folder of documents gives one
//! assessment whatever the order.
//!
//! Works in folders of its own that it removes, or where it is told to, on services that hold nothing yet. Figures are of this machine, and of nothing else that runs on it meanwhile.

mod checks;
mod corpus;
mod crowd;
mod resources;
mod trial;

use super::{
    Exit, Failure, help,
    output::{to_json, write_out},
};
use crate::config::{Config, Loaded, ModelChain, environment::ProviderKeys};
use adapters::llm::{ApiKind, ProviderConfig, Providers};
use checks::Checks;
use clap::Args;
use crowd::Crowd;
use domain::agent::AgentRole;
use fetch::Input;
use protocol::model::{Message, ModelError, ModelRequest};
use serde::Serialize;
use std::{fmt::Display, path::PathBuf, sync::Arc};
use trial::{Order, Plan, Trial};

/// Documents that are read first and not counted: the first use of word lists and patterns costs more.
const WARM_UP: usize = 8;
/// Runs of each size; the cheapest counts, as others were disturbed.
const REPEATS: usize = 3;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&[
    "bench",
    "bench --documents FOLDER --question \"Who was behind the explosion?\"",
    "bench --at-once 100 --model-server http://127.0.0.1:8088",
    "bench --at-once 40 --on-services --model-server http://127.0.0.1:8088",
]))]
pub(super) struct BenchArgs {
    /// How many generated documents to investigate, one measurement each
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [50, 400], value_parser = clap::value_parser!(u32).range(1..=100_000))]
    sizes: Vec<u32>,
    /// Measure these folders, files and archives instead, with one worker and with four in the opposite order
    #[arg(long, value_name = "PATH", num_args = 1..)]
    documents: Vec<PathBuf>,
    /// What to ask of --documents
    #[arg(long, default_value = "Who is responsible, and why?")]
    question: String,
    /// With --documents: go on until every text has its vector, and tell how long that took
    #[arg(long, requires = "documents")]
    until_vectors: bool,
    /// Investigate so many questions at once instead, each of 20 generated pages; exits with 70 when one is lost
    #[arg(long, value_name = "N", requires = "model_server", conflicts_with = "documents", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    at_once: Option<u32>,
    /// With --at-once: on the services of sql.url, graph.neo4j.url and redis.url, in a database that holds nothing yet; what is made
    /// there stays
    #[arg(long, requires = "at_once")]
    on_services: bool,
    /// A model server that needs no key, such as `scripted-model --brief --no-key`: answers --at-once, and tells names apart otherwise
    #[arg(long, value_name = "URL")]
    model_server: Option<String>,
    /// What the model server speaks: anthropic or openai
    #[arg(long, value_name = "WIRE", default_value = "anthropic", value_parser = wire)]
    wire: Kind,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Everything that was measured.
#[derive(Debug, Default, Serialize)]
struct Report {
    profile: &'static str,
    cpus: usize,
    /// What makes the vectors of --documents, and why.
    embedder: Option<String>,
    generated: Vec<Row>,
    /// Cost per document with most documents, over that with fewest.
    growth: Option<f64>,
    prompts: Vec<Prompts>,
    crowd: Option<Crowd>,
    folder: Vec<Row>,
    checks: Option<Checks>,
}

/// One measurement.
#[derive(Debug, Serialize)]
struct Row {
    documents: u64,
    mean_chars: u64,
    claims: u64,
    workers: u32,
    /// Reading, storing, extracting and writing the graph.
    cpu_ms_per_document: f64,
    wall_s: f64,
    /// Until the last vector, where that was waited for.
    vectors_s: Option<f64>,
    peak_mib: f64,
}

/// What collection tells the models, at the largest size.
#[derive(Debug, Serialize)]
struct Prompts {
    documents: u64,
    /// Documents that go to a model together, at most.
    batch_documents: u32,
    /// Every call that ingestion causes: plans, research, extraction, names.
    calls_per_document: f64,
    /// Those of them that tell names apart; none: nobody was there to.
    judge_calls_per_document: Option<f64>,
    /// Characters of all prompts, over those of the documents.
    prompt_per_content: f64,
}

/// The model server as a provider.
const PROVIDER: &str = "bench";
const MODEL_NAME: &str = "scripted";
const MODEL: &str = "bench:scripted";

fn wire(text: &str) -> Result<Kind, String> {
    match text {
        "anthropic" => Ok(ApiKind::Anthropic),
        "openai" => Ok(ApiKind::Openai),
        _ => Err("it is one of: anthropic, openai".to_owned()),
    }
}

/// With the model server among the providers, and without vectors: they are made in the background, where they would only disturb.
fn quiet(config: &Config, args: &BenchArgs) -> Config {
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

/// Without an answer every investigation would wait for one.
async fn answers(config: &Config) -> Result<(), Failure> {
    let gone = |problem: &dyn Display| Failure::new(Exit::Configuration, format!("--model-server: {problem}"));
    let providers = Providers::new(config.models.llm(), Arc::new(ProviderKeys::new(&config.models)));
    let model = providers.model(PROVIDER, MODEL_NAME).map_err(|problem| gone(&problem))?;
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
        Err(error @ (ModelError::Unavailable { .. } | ModelError::Configuration(_) | ModelError::Cut(_))) => Err(gone(&error)),
        _ => Ok(()),
    }
}

pub(super) async fn run(loaded: Loaded, args: BenchArgs) -> Result<Exit, Failure> {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let mut report = Report { profile, cpus: resources::cpus(), ..Report::default() };
    let config = quiet(&loaded.config, &args);
    if let Some(at_once) = args.at_once {
        report.crowd = Some(crowd::run(&config, MODEL, at_once, args.on_services).await?);
    } else if args.documents.is_empty() {
        if args.model_server.is_some() {
            answers(&config).await?;
        }
        report.generated = generated(&config, &args.sizes).await?;
        report.growth = growth(&report.generated);
        report.prompts = prompts(&config, &args.sizes, args.model_server.is_some()).await?;
    } else {
        let (one, other) = folder(&loaded.config, &args).await?;
        report.checks = Some(Checks::of(&one, &other)?);
        report.folder = vec![row(&one), row(&other)];
        report.embedder = Some(one.embedder);
    }
    let text = if args.json { to_json(&report)? } else { table(&report) };
    write_out(text.as_bytes())?;
    let is_well = report.checks.as_ref().is_none_or(Checks::is_well) && report.crowd.as_ref().is_none_or(Crowd::is_well);
    Ok(if is_well { Exit::Done } else { Exit::Defect })
}

/// An investigation of generated documents.
async fn made_up(config: &Config, documents: usize) -> Result<Trial, Failure> {
    let plan = Plan {
        input: Input::Uploads(corpus::documents(documents)),
        question: corpus::QUESTION.to_owned(),
        workers: 1,
        order: Order::AsRead,
        until_vectors: false,
        model: None,
    };
    trial::run(config, plan).await
}

/// With packs as they are set, and with each document alone; where a model server is there, it tells names apart.
async fn prompts(config: &Config, sizes: &[u32], judges: bool) -> Result<Vec<Prompts>, Failure> {
    let documents = sizes.iter().copied().max().unwrap_or(0) as usize;
    let mut prompts = vec![];
    for batch_documents in [config.engine.extract.batch_documents, 1] {
        let mut config = config.clone();
        config.engine.extract.batch_documents = batch_documents;
        if judges {
            let judge = MODEL.parse().map_err(|problem: String| Failure::new(Exit::Defect, problem))?;
            config.models.judge = Some(ModelChain::of(judge));
        }
        let trial = made_up(&config, documents).await?;
        let documents = trial.texts.len() as u64;
        let chars: usize = trial.texts.values().map(|text| text.chars().count()).sum();
        prompts.push(Prompts {
            documents,
            batch_documents,
            calls_per_document: trial.told.calls as f64 / documents.max(1) as f64,
            judge_calls_per_document: judges.then(|| trial.judged as f64 / documents.max(1) as f64),
            prompt_per_content: trial.told.chars as f64 / chars.max(1) as f64,
        });
    }
    Ok(prompts)
}

async fn generated(config: &Config, sizes: &[u32]) -> Result<Vec<Row>, Failure> {
    made_up(config, WARM_UP).await?;
    let mut rows = vec![];
    for size in sizes {
        let mut best: Option<Row> = None;
        for _ in 0..REPEATS {
            let row = row(&made_up(config, *size as usize).await?);
            best = best.filter(|best| best.cpu_ms_per_document <= row.cpu_ms_per_document).or(Some(row));
        }
        rows.extend(best);
    }
    Ok(rows)
}

async fn folder(config: &Config, args: &BenchArgs) -> Result<(Trial, Trial), Failure> {
    let plan = |workers, order, until_vectors| Plan {
        input: Input::Paths(args.documents.clone()),
        question: args.question.clone(),
        workers,
        order,
        until_vectors,
        model: None,
    };
    let one = trial::run(config, plan(1, Order::AsRead, args.until_vectors)).await?;
    let other = trial::run(config, plan(4, Order::Reversed, false)).await?;
    Ok((one, other))
}

fn row(trial: &Trial) -> Row {
    let documents = trial.texts.len() as u64;
    let chars: usize = trial.texts.values().map(|text| text.chars().count()).sum();
    Row {
        documents,
        mean_chars: chars as u64 / documents.max(1),
        claims: trial.claims,
        workers: trial.workers,
        cpu_ms_per_document: trial.collecting_cpu_ms / documents.max(1) as f64,
        wall_s: trial.wall_s,
        vectors_s: trial.vectors_s,
        peak_mib: trial.peak_mib,
    }
}

fn growth(rows: &[Row]) -> Option<f64> {
    let fewest = rows.iter().min_by_key(|row| row.documents)?;
    let most = rows.iter().max_by_key(|row| row.documents)?;
    (fewest.documents < most.documents).then(|| most.cpu_ms_per_document / fewest.cpu_ms_per_document)
}

fn table(report: &Report) -> String {
    let mut text = format!("profile {}, {} processors\n", report.profile, report.cpus);
    if let Some(crowd) = &report.crowd {
        return text + &crowd.in_words();
    }
    text += "documents   characters   claims  workers  CPU per document     until assessment  peak memory\n";
    for row in report.generated.iter().chain(&report.folder) {
        text += &format!(
            "{:>9}  {:>11}  {:>7}  {:>7}  {:>13.2} ms  {:>17.2} s  {:>7.1} MiB\n",
            row.documents, row.mean_chars, row.claims, row.workers, row.cpu_ms_per_document, row.wall_s, row.peak_mib
        );
    }
    if let Some(growth) = report.growth {
        text += &format!("growth from fewest to most documents: {growth:.2} times\n");
    }
    for Prompts { documents, batch_documents, calls_per_document, judge_calls_per_document, prompt_per_content } in
        &report.prompts
    {
        let judge =
            judge_calls_per_document.map(|calls| format!(" ({calls:.2} of them to tell names apart)")).unwrap_or_default();
        text += &format!(
            "{documents} documents in packs of {batch_documents}: {calls_per_document:.2} model calls per document{judge}, prompts of \
             {prompt_per_content:.1} times their text\n"
        );
    }
    for row in &report.folder {
        if let Some(vectors_s) = row.vectors_s {
            let embedder = report.embedder.as_deref().unwrap_or_default();
            text += &format!("every text has its vector after {vectors_s:.1} s ({embedder})\n");
        }
    }
    if let Some(checks) = &report.checks {
        text += &checks.in_words();
    }
    text
}
