//! `autosint doctor`: checks of the installation.

mod models;
mod web;

use super::{
    Exit, Failure, help, list, open,
    output::{to_json, write_result},
};
use crate::{Config, Program, clock_check, config::LoadedConfig, data_dir::DATABASE, features, http::feature_state};
use bytes::Bytes;
use clap::Args;
use feature::ProbeFinding;
use fetch::{Input, browser_lacks_sandbox, find_browser};
use futures::StreamExt;
use serde::Serialize;
use tempfile::TempDir;

/// Test page for a parser child.
const PAGE: &str = "<!doctype html><html><head><title>Checked</title></head><body><article><h1>Checked</h1>\
    <p>A parser child has read this page, which is how files are read.</p></article></body></html>";

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["doctor", "doctor --probe"]))]
pub(super) struct DoctorArgs {
    /// Send a test mail where a mail server is set, and probe every configured model: structured output, tools, streaming, context,
    /// speed. The calls cost money, and count towards the daily budget of the command line (`system`)
    #[arg(long)]
    probe: bool,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Result of one check.
#[derive(Debug, Serialize)]
struct Finding {
    what: String,
    ok: bool,
    /// Component in use and the reason, or the problem.
    note: String,
}

pub(super) async fn run(loaded: LoadedConfig, args: DoctorArgs) -> Result<Exit, Failure> {
    let source = match &loaded.file {
        Some(file) => format!("{}, then the environment", file.display()),
        None => "built-in defaults, then the environment (no config/autosint.toml here)".to_owned(),
    };
    let target = if args.probe { DoctorTarget::Existing } else { DoctorTarget::choose(&loaded)? };
    let program = open(target.loaded(loaded)).await?;
    let mut findings = run_checks(&program, source, target.note(&program)).await?;
    if args.probe {
        findings.extend(models::probe(&program).await?);
        findings.extend(probe_features(&program).await?);
    }
    let text = if args.json { to_json(&findings)? } else { table(&findings) };
    write_result(text.as_bytes())?;
    Ok(if findings.iter().all(|finding| finding.ok) { Exit::Done } else { Exit::Unwell })
}

/// Data checked by the doctor: the existing data, or a temporary folder if there is none. The doctor creates nothing, except
/// that probes are recorded with their cost.
enum DoctorTarget {
    Existing,
    Scratch { folder: TempDir, note: String },
}

impl DoctorTarget {
    fn choose(loaded: &LoadedConfig) -> Result<Self, Failure> {
        // The services hold the data; the folder holds the master key.
        if loaded.config.is_scaled_out() {
            return Ok(Self::Existing);
        }
        let path = &loaded.config.server.data_dir;
        // A blocked path is reported when it is opened.
        let is_blocked = path.ancestors().find(|part| part.exists()).is_some_and(|part| !part.is_dir());
        let what = match (path.is_dir(), path.join(DATABASE).exists()) {
            (_, true) => return Ok(Self::Existing),
            (false, _) if is_blocked => return Ok(Self::Existing),
            (true, false) => "contains no database yet: the first command that needs one creates it",
            (false, false) => "does not exist yet: the first command that needs it creates it",
        };
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::new(Exit::Io, format!("cannot create a temporary folder: {error}")))?;
        Ok(Self::Scratch { folder, note: format!("{} {what}", path.display()) })
    }

    fn loaded(&self, mut loaded: LoadedConfig) -> LoadedConfig {
        if let Self::Scratch { folder, .. } = self {
            loaded.config.server.data_dir = folder.path().to_owned();
        }
        loaded
    }

    fn note(&self, program: &Program) -> String {
        match self {
            Self::Existing => program.data_dir.path().display().to_string(),
            Self::Scratch { note, .. } => note.clone(),
        }
    }
}

async fn run_checks(program: &Program, source: String, data_dir: String) -> Result<Vec<Finding>, Failure> {
    let good = |what: &str, note| Finding { what: what.to_owned(), ok: true, note };
    let mut findings = vec![
        good("version", env!("CARGO_PKG_VERSION").to_owned()),
        good("configuration", source),
        good("data directory", data_dir),
        transport(&program.config),
        database(program).await,
    ];
    match program.config.is_scaled_out() {
        true => findings.extend(services(program).await),
        false => findings.push(worker(program)),
    }
    findings.push(unfinished(program).await?);
    findings.extend(models::roles(program).await);
    findings.extend([
        good("embedder", program.embedder_note.clone()),
        vectors(program).await,
        parser(program).await,
        fetch_or_browser(program).await,
        site(program),
        people(program).await?,
    ]);
    findings.extend(web::findings(program).await);
    Ok(findings)
}

/// Runs the checks of features.
async fn probe_features(program: &Program) -> Result<Vec<Finding>, Failure> {
    let (web, mut findings) = (feature_state(program), vec![]);
    for probe in features::probes() {
        if let Some(ProbeFinding { is_ok, note }) = (probe.run)(web.clone()).await? {
            findings.push(Finding { what: probe.name.to_owned(), ok: is_ok, note });
        }
    }
    Ok(findings)
}

/// Checks whether passwords would cross a network in clear text.
fn transport(config: &Config) -> Finding {
    let server = &config.server;
    let (ok, note) = match server.transport_problem() {
        Some(problem) => (false, problem),
        None if server.is_local() => (true, format!("{}, for this machine only", server.listen)),
        None if server.plain_http => {
            (true, format!("{} by server.plain_http: whoever can read the network reads passwords", server.listen))
        }
        None => (true, format!("{}, behind trusted proxies", server.listen)),
    };
    Finding { what: "web address".to_owned(), ok, note }
}

async fn database(program: &Program) -> Finding {
    let note = match program.store.describe().await {
        Ok(note) => return Finding { what: "database".to_owned(), ok: true, note },
        Err(error) => error.to_string(),
    };
    Finding { what: "database".to_owned(), ok: false, note }
}

/// Checks graph, Redis, clock, queue and master key of the scaled-out size.
async fn services(program: &Program) -> Vec<Finding> {
    let address = program.config.graph.neo4j.url.as_ref().map(ToString::to_string).unwrap_or_default();
    let (ok, note) = match program.engine.graph.describe().await {
        Ok(version) => (true, format!("{version} at {address}")),
        Err(error) => (false, format!("{address}: {error}")),
    };
    let mut findings = vec![Finding { what: "graph".to_owned(), ok, note }];
    if let (Some(redis), Some(address)) = (&program.redis, &program.config.redis.url) {
        let (ok, note) = match redis.describe().await {
            Ok((version, None)) => (true, format!("{version} at {address}: queue, shared cache, rate limits, live events")),
            Ok((version, Some(problem))) => (false, format!("{version} at {address}: {problem}")),
            Err(error) => (false, format!("{address}: {error}")),
        };
        findings.push(Finding { what: "redis".to_owned(), ok, note });
    } else {
        let note = "not configured: the database holds queue and cache, and each process has its own rate limits";
        findings.push(Finding { what: "redis".to_owned(), ok: true, note: note.to_owned() });
    }
    let (ok, note) = match clock_check::clock_problem(program).await {
        Ok(None) => (true, "in step with the database".to_owned()),
        Ok(Some(problem)) => (false, problem),
        Err(error) => (false, error.to_string()),
    };
    findings.push(Finding { what: "clock".to_owned(), ok, note });
    let (ok, note) = match program.engine.queue.depth().await {
        Ok([high, normal, low]) => (true, format!("work orders waiting: {high} high, {normal} normal, {low} low")),
        Err(error) => (false, error.to_string()),
    };
    findings.push(Finding { what: "queue".to_owned(), ok, note });
    if !program.has_shared_master_key {
        let note = "AUTOSINT_SECRET_KEY is not set: each machine can open only the keys stored on it".to_owned();
        findings.push(Finding { what: "stored keys".to_owned(), ok: true, note });
    }
    findings
}

fn worker(program: &Program) -> Finding {
    let note = match program.data_dir.try_lock() {
        Ok(Some(_)) => "no process works on this data directory",
        Ok(None) => "another autosint process works on this data directory",
        Err(error) => {
            return Finding { what: "work".to_owned(), ok: false, note: format!("cannot take the lock: {error}") };
        }
    };
    Finding { what: "work".to_owned(), ok: true, note: note.to_owned() }
}

async fn unfinished(program: &Program) -> Result<Finding, Failure> {
    let (found, now) = (list::unfinished(program).await?, program.engine.clock.now());
    let note = match found.as_slice() {
        [] => "no unfinished investigations".to_owned(),
        found => {
            let lines: String = found.iter().map(|one| format!("\n    {}", list::format_line(one, now))).collect();
            format!("{}: the next `autosint serve` resumes them, once what they wait for is available{lines}", found.len())
        }
    };
    Ok(Finding { what: "unfinished".to_owned(), ok: true, note })
}

/// Counts the texts that searches by meaning do not find yet. The server embeds them while it runs.
async fn vectors(program: &Program) -> Finding {
    let counted = match &program.engine.embedder {
        None => Ok("no embedder: searches go by words".to_owned()),
        Some(embedder) => program.engine.graph.vector_progress(embedder.model()).await.map(|progress| match progress {
            (0, done) => format!("all {done} texts have a vector"),
            (pending, done) => format!("{pending} of {} texts wait for a vector: words find them until then", pending + done),
        }),
    };
    let (ok, note) = counted.map_or_else(|error| (false, error.to_string()), |note| (true, note));
    Finding { what: "vectors".to_owned(), ok, note }
}

async fn parser(program: &Program) -> Finding {
    let upload = Input::InMemory(vec![("checked.html".to_owned(), Bytes::from_static(PAGE.as_bytes()))]);
    let read = Box::pin(program.documents.read(upload)).next().await;
    let (ok, note) = match read {
        Some(Ok(_)) => {
            let confinement = program.documents.confinement().unwrap_or_default();
            let warning = if confinement.is_complete() { "" } else { ". Warning: this kernel lacks a part of that" };
            (true, format!("child processes read files and pages, confined by {confinement}{warning}"))
        }
        Some(Err(rejected)) => (false, rejected.message),
        None => (false, "the parser child did not answer".to_owned()),
    };
    Finding { what: "parser".to_owned(), ok, note }
}

/// Checks the Fetch service, or the local browser.
async fn fetch_or_browser(program: &Program) -> Finding {
    let Some(service) = &program.fetch_service else { return browser(program) };
    let (ok, note) = match service.describe().await {
        Ok(note) => (true, note),
        Err(error) => (false, error.message),
    };
    Finding { what: "fetch service".to_owned(), ok, note }
}

/// Checks the browser. A missing one is fine unless it was configured.
fn browser(program: &Program) -> Finding {
    let config = &program.config.fetch.browser;
    let (ok, note) = match find_browser(config) {
        Ok(found) if browser_lacks_sandbox() => {
            let found = found.display();
            (
                true,
                format!("{found}, started on demand. Warning: allowed as root (fetch.browser.allow_root), without its sandbox"),
            )
        }
        Ok(found) => (true, format!("{}, started on demand", found.display())),
        Err(why) => (config.program.as_os_str().is_empty(), format!("pages are fetched but not rendered: {why}")),
    };
    Finding { what: "browser".to_owned(), ok, note }
}

fn site(program: &Program) -> Finding {
    let root = program.config.server.site();
    let missing = ["pkg/autosint.css", "pkg/autosint.js", "pkg/autosint_bg.wasm", "pkg/autosint-explorer_bg.wasm"];
    let missing: Vec<_> = missing.into_iter().filter(|file| !root.join(file).is_file()).collect();
    let note = match missing.as_slice() {
        [] => root.display().to_string(),
        missing => format!(
            "{} missing in {}: run `make build`, or set server.site_root; the command line works without them",
            missing.join(", "),
            root.display()
        ),
    };
    Finding { what: "site files".to_owned(), ok: missing.is_empty(), note }
}

async fn people(program: &Program) -> Result<Finding, Failure> {
    let note = if program.engine.accounts.has_people().await? {
        "accounts exist"
    } else {
        "no account yet: open the web app to create the first one"
    };
    Ok(Finding { what: "people".to_owned(), ok: true, note: note.to_owned() })
}

fn table(findings: &[Finding]) -> String {
    findings
        .iter()
        .map(|finding| format!("{} {:<15} {}\n", if finding.ok { "ok " } else { "BAD" }, finding.what, finding.note))
        .collect()
}
