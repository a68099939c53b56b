//! `autosint serve`: the web app, the API and the work, until the order to stop.

use super::{Exit, Failure, help, investigate, open_to_work, output::say, progress::Progress, stopping::told_to_stop};
use crate::{
    Program, Runner,
    config::{Loaded, Override},
    http,
    sample::{self, SampleError},
};
use clap::Args;
use domain::assessment::Assessment;
use engine::investigations::InvestigationFilter;
use std::{io, net::SocketAddr};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["serve", "serve --listen 0.0.0.0:8080 --data-dir FOLDER"]))]
pub(super) struct ServeArgs {
    /// Address to listen on [default: 127.0.0.1:3000]
    #[arg(long, value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// On an empty data directory, investigate the sample before serving
    #[arg(long)]
    first_run_sample: bool,
}

impl ServeArgs {
    pub(super) fn overrides(&self) -> Option<Override> {
        self.listen.map(|listen| ("server.listen", listen.to_string().into()))
    }
}

pub(super) async fn run(loaded: Loaded, args: ServeArgs) -> Result<Exit, Failure> {
    let listen = loaded.config.server.listen;
    let listener = TcpListener::bind(listen).await.map_err(|error| cannot_listen(listen, &error))?;
    let shutdown = told_to_stop("stopping");
    let program = tokio::select! {
        biased;
        () = shutdown.cancelled() => return Ok(Exit::Done),
        program = open_to_work(loaded) => program?,
    };
    if args.first_run_sample {
        match first_run_sample(&program, &shutdown).await {
            // What was begun goes on with the next start.
            Err(failure) if failure.exit == Exit::Interrupted => {
                program.store.close().await;
                return Ok(Exit::Done);
            }
            done => done?,
        }
    }
    // What is under way is brought to an end beside the open requests, and nothing is begun meanwhile.
    let runner = Runner::start_until(&program, program.config.engine.workers, shutdown.clone()).await?;
    watch(&program, &shutdown).await?;
    let bound = listener.local_addr().unwrap_or(listen);
    say_where(&program, bound, runner.works_here());
    let served = http::serve(&program, listener, shutdown).await;
    runner.stop().await;
    program.settle().await;
    program.store.close().await;
    served.map_err(|error| Failure::new(Exit::Io, format!("serving ended: {error}")))?;
    Ok(Exit::Done)
}

/// Health and figures on an address of their own, where one is configured.
pub(super) async fn watch(program: &Program, shutdown: &CancellationToken) -> Result<(), Failure> {
    let watched = http::watch(program, shutdown.clone()).await;
    watched.map(drop).map_err(|error| {
        let address = program.config.metrics.listen.map(|address| address.to_string()).unwrap_or_default();
        Failure::new(Exit::Address, format!("cannot listen on {address} (metrics.listen): {error}; choose another"))
    })
}

/// The first thing that a first visitor finds: finished assessments. A first start that was interrupted goes on.
async fn first_run_sample(program: &Program, shutdown: &CancellationToken) -> Result<(), Failure> {
    let any = InvestigationFilter { limit: 1, ..InvestigationFilter::default() };
    let is_new = !program.engine.accounts.has_people().await? && program.engine.investigations.list(&any).await?.is_empty();
    if is_new && !begin_sample(program, shutdown).await? {
        return Ok(());
    }
    loop {
        let next = match sample::next(program).await {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(()),
            Err(SampleError::Intake(error)) => return Err(error.into()),
            Err(error @ SampleError::Missing) => {
                say(&error.to_string());
                return Ok(());
            }
        };
        let progress = Progress::new();
        progress.line(&format!("investigating the sample: \"{}\"", next.prompt));
        match investigate::follow(program, &next, progress, shutdown.cancelled()).await {
            Ok((stored, Exit::Done)) => say(&in_short(&stored.assessment)),
            Ok(_) => say(&format!("the sample's \"{}\" came to a partial report only: see its page", next.prompt)),
            // The pages are served all the same: there an administrator sees what is missing, and can store a key.
            Err(failure) if failure.exit == Exit::Configuration => {
                say(&failure.message);
                return Ok(());
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// Stores the sample and launches the first of its investigations; false where there is no sample.
async fn begin_sample(program: &Program, shutdown: &CancellationToken) -> Result<bool, Failure> {
    let progress = Progress::new();
    progress.line("first start: investigating the sample");
    let begun = tokio::select! {
        biased;
        () = shutdown.cancelled() => return Err(Failure::new(Exit::Interrupted, "stopped before the sample was asked")),
        begun = sample::begin(program, |reading| progress.reading(reading)) => begun,
    };
    match begun {
        Ok((_, report)) => {
            progress.files(&report);
            Ok(true)
        }
        Err(SampleError::Intake(error)) => Err(error.into()),
        Err(error @ SampleError::Missing) => {
            progress.line(&error.to_string());
            Ok(false)
        }
    }
}

/// Title, bottom line and origin of an assessment of the sample.
fn in_short(assessment: &Assessment) -> String {
    let note = assessment.producer.recorded_note().map_or_else(String::new, |note| format!("  {note}\n"));
    let body = &assessment.body;
    format!("\n{} — the sample; its events are invented\n\n  {}\n{note}", body.title, assessment.bottom_line_text())
}

fn say_where(program: &Program, bound: SocketAddr, works_here: bool) {
    let on = match &program.config.sql.url {
        Some(address) => address.to_string(),
        None => program.data_dir.path().display().to_string(),
    };
    tracing::info!(address = %bound, on, embedder = program.embedder_note, works_here, "serving");
    say(&format!("autosint serves http://{bound} on {on}; open it in a browser (Ctrl-C stops it)"));
    if !works_here {
        say("another autosint works on this data directory; this one takes over when that ends");
    }
    if program.config.engine.workers == 0 {
        say("engine.workers is 0: work orders wait for `autosint worker`");
    }
}

pub(super) fn cannot_listen(listen: SocketAddr, error: &io::Error) -> Failure {
    let port = listen.port();
    let message = match error.kind() {
        io::ErrorKind::AddrInUse => format!(
            "port {port} is in use on {}: stop what uses it, or choose another with --listen {}:{}",
            listen.ip(),
            listen.ip(),
            port.checked_add(1).unwrap_or(3000)
        ),
        io::ErrorKind::PermissionDenied => {
            format!("listening on {listen} is not allowed: choose a port above 1023 with --listen")
        }
        _ => format!("cannot listen on {listen}: {error}; choose another address with --listen"),
    };
    Failure::new(Exit::Address, message)
}
