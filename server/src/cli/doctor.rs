//! `autosint doctor`: what is in use and why, and what is wrong with it.

mod models;
mod web;

use super::{
    Exit, Failure, help, list, open,
    output::{to_json, write_out},
};
use crate::{Program, clocks, config::Loaded, data_dir::DATABASE};
use bytes::Bytes;
use clap::Args;
use fetch::{Input, browser_lacks_sandbox, find_browser};
use futures::StreamExt;
use serde::Serialize;
use tempfile::TempDir;

/// A page that only a parser child can have read.
const PAGE: &str = "<!doctype html><html><head><title>Checked</title></head><body><article><h1>Checked</h1>\
    <p>A parser child has read this page, which is how files are read.</p></article></body></html>";

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["doctor", "doctor --probe"]))]
pub(super) struct DoctorArgs {
    /// Try every configured model out: answers of a given shape, tools, streaming, context, speed. Calls cost what they cost, and count
    /// in the day's budget of the command line (`system`)
    #[arg(long)]
    probe: bool,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// One thing looked at.
#[derive(Debug, Serialize)]
struct Finding {
    what: String,
    ok: bool,
    /// What is in use, and why.
    note: String,
}

pub(super) async fn run(loaded: Loaded, args: DoctorArgs) -> Result<Exit, Failure> {
    let source = match &loaded.file {
        Some(file) => format!("{}, then the environment", file.display()),
        None => "built-in defaults, then the environment (no config/autosint.toml here)".to_owned(),
    };
    let examined = if args.probe { Examined::There } else { Examined::of(&loaded)? };
    let program = open(examined.loaded(loaded)).await?;
    let mut findings = examine(&program, source, examined.note(&program)).await?;
    if args.probe {
        findings.extend(models::probe(&program).await?);
    }
    let text = if args.json { to_json(&findings)? } else { table(&findings) };
    write_out(text.as_bytes())?;
    Ok(if findings.iter().all(|finding| finding.ok) { Exit::Done } else { Exit::Unwell })
}

/// What is examined: what is there, and where nothing is yet, a folder that is gone afterwards. The doctor makes nothing, unless it
/// tries models out: what that costs is written down.
enum Examined {
    There,
    Scratch { folder: TempDir, note: String },
}

impl Examined {
    fn of(loaded: &Loaded) -> Result<Self, Failure> {
        // What is there is in the services; the folder holds the key that opens what is sealed in them.
        if loaded.config.is_scaled_out() {
            return Ok(Self::There);
        }
        let path = &loaded.config.server.data_dir;
        // What cannot become a folder is found out by opening it.
        let is_blocked = path.ancestors().find(|part| part.exists()).is_some_and(|part| !part.is_dir());
        let what = match (path.is_dir(), path.join(DATABASE).exists()) {
            (_, true) => return Ok(Self::There),
            (false, _) if is_blocked => return Ok(Self::There),
            (true, false) => "holds no database yet: the first command that works with it makes one",
            (false, false) => "does not exist yet: the first command that works with it makes it",
        };
        let folder = tempfile::tempdir().map_err(|error| Failure::new(Exit::Io, format!("cannot make a folder: {error}")))?;
        Ok(Self::Scratch { folder, note: format!("{} {what}", path.display()) })
    }

    fn loaded(&self, mut loaded: Loaded) -> Loaded {
        if let Self::Scratch { folder, .. } = self {
            loaded.config.server.data_dir = folder.path().to_owned();
        }
        loaded
    }

    fn note(&self, program: &Program) -> String {
        match self {
            Self::There => program.data_dir.path().display().to_string(),
            Self::Scratch { note, .. } => note.clone(),
        }
    }
}

async fn examine(program: &Program, source: String, data_dir: String) -> Result<Vec<Finding>, Failure> {
    let good = |what: &str, note| Finding { what: what.to_owned(), ok: true, note };
    let mut findings = vec![
        good("version", env!("CARGO_PKG_VERSION").to_owned()),
        good("configuration", source),
        good("data directory", data_dir),
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
        parser(program).await,
        door(program).await,
        site(program),
        people(program).await?,
    ]);
    findings.extend(web::findings(program).await);
    Ok(findings)
}

async fn database(program: &Program) -> Finding {
    let note = match program.store.describe().await {
        Ok(note) => return Finding { what: "database".to_owned(), ok: true, note },
        Err(error) => error.to_string(),
    };
    Finding { what: "database".to_owned(), ok: false, note }
}

/// The graph, and what processes share, where the data is in services.
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
        let note = "not configured: the database holds the queue and the cache, and each process counts rate limits alone";
        findings.push(Finding { what: "redis".to_owned(), ok: true, note: note.to_owned() });
    }
    let (ok, note) = match clocks::problem(program).await {
        Ok(None) => (true, "that of this machine agrees with that of the database".to_owned()),
        Ok(Some(problem)) => (false, problem),
        Err(error) => (false, error.to_string()),
    };
    findings.push(Finding { what: "clock".to_owned(), ok, note });
    let (ok, note) = match program.engine.queue.depth().await {
        Ok([high, normal, low]) => (true, format!("{high} high, {normal} normal, {low} low wait for a worker")),
        Err(error) => (false, error.to_string()),
    };
    findings.push(Finding { what: "queue".to_owned(), ok, note });
    if !program.has_given_master {
        let note = "AUTOSINT_SECRET_KEY is unset: keys that are stored on one machine open on that one alone".to_owned();
        findings.push(Finding { what: "stored keys".to_owned(), ok: true, note });
    }
    findings
}

fn worker(program: &Program) -> Finding {
    let note = match program.data_dir.try_lock() {
        Ok(Some(_)) => "nobody works on this data directory now",
        Ok(None) => "another autosint works on this data directory now",
        Err(error) => {
            return Finding { what: "work".to_owned(), ok: false, note: format!("the lock cannot be taken: {error}") };
        }
    };
    Finding { what: "work".to_owned(), ok: true, note: note.to_owned() }
}

async fn unfinished(program: &Program) -> Result<Finding, Failure> {
    let (found, now) = (list::unfinished(program).await?, program.engine.clock.now());
    let note = match found.as_slice() {
        [] => "no investigation waits to be gone on with".to_owned(),
        found => {
            let lines: String = found.iter().map(|one| format!("\n    {}", list::in_words(one, now))).collect();
            format!("{}: the next `autosint serve` goes on with them, once what they wait for is there{lines}", found.len())
        }
    };
    Ok(Finding { what: "unfinished".to_owned(), ok: true, note })
}

async fn parser(program: &Program) -> Finding {
    let upload = Input::Uploads(vec![("checked.html".to_owned(), Bytes::from_static(PAGE.as_bytes()))]);
    let read = Box::pin(program.documents.read(upload)).next().await;
    let (ok, note) = match read {
        Some(Ok(_)) => (true, "a child process reads HTML, PDF, e-mail and archives, within limits".to_owned()),
        Some(Err(rejected)) => (false, rejected.message),
        None => (false, "a child process gave no answer".to_owned()),
    };
    Finding { what: "parser".to_owned(), ok, note }
}

/// What fetches: the service that is named, or this program with its browser.
async fn door(program: &Program) -> Finding {
    let Some(service) = &program.fetch_service else { return browser(program) };
    let (ok, note) = match service.describe().await {
        Ok(note) => (true, note),
        Err(error) => (false, error.message),
    };
    Finding { what: "fetch service".to_owned(), ok, note }
}

/// Whether pages can be rendered. A machine without a browser is well all the same, unless one was named.
fn browser(program: &Program) -> Finding {
    let config = &program.config.fetch.browser;
    let (ok, note) = match find_browser(config) {
        Ok(found) if browser_lacks_sandbox() => {
            let found = found.display();
            (
                true,
                format!(
                    "{found}, started when it is needed. Warning: this is root, so that it runs without its sandbox; use another account"
                ),
            )
        }
        Ok(found) => (true, format!("{}, started when it is needed", found.display())),
        Err(why) => (config.program.as_os_str().is_empty(), format!("pages are fetched, not rendered: {why}")),
    };
    Finding { what: "browser".to_owned(), ok, note }
}

fn site(program: &Program) -> Finding {
    let root = program.config.server.site();
    let missing = ["pkg/autosint.css", "pkg/autosint.js", "pkg/autosint_bg.wasm"];
    let missing: Vec<_> = missing.into_iter().filter(|file| !root.join(file).is_file()).collect();
    let note = match missing.as_slice() {
        [] => root.display().to_string(),
        missing => format!(
            "{} is missing in {}: run `make build`, or set server.site_root; the command line works without",
            missing.join(", "),
            root.display()
        ),
    };
    Finding { what: "site files".to_owned(), ok: missing.is_empty(), note }
}

async fn people(program: &Program) -> Result<Finding, Failure> {
    let note = if program.engine.accounts.has_people().await? {
        "somebody can sign in"
    } else {
        "nobody can sign in yet: open the web app to make the first account"
    };
    Ok(Finding { what: "people".to_owned(), ok: true, note: note.to_owned() })
}

fn table(findings: &[Finding]) -> String {
    findings
        .iter()
        .map(|finding| format!("{} {:<15} {}\n", if finding.ok { "ok " } else { "BAD" }, finding.what, finding.note))
        .collect()
}
