//! `autosint serve`: web app, API and background work until a stop signal.

use super::{
    Exit, Failure, help, investigate, open_for_work,
    output::{write_result, write_status},
    progress::Progress,
    shutdown::cancel_on_stop_signal,
};
use crate::{
    Program, Runner,
    config::{LoadedConfig, Override, ServerConfig},
    http,
    sample::{self, SampleError},
    setup_code,
};
use clap::Args;
use domain::assessment::Assessment;
use engine::{accounts, investigations::InvestigationFilter};
use std::{io, net::SocketAddr};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["serve", "serve --listen 127.0.0.1:8080 --data-dir FOLDER"]))]
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

pub(super) async fn run(loaded: LoadedConfig, args: ServeArgs) -> Result<Exit, Failure> {
    if let Some(problem) = loaded.config.server.transport_problem() {
        return Err(Failure::new(Exit::Configuration, problem));
    }
    let listen = loaded.config.server.listen;
    let listener = TcpListener::bind(listen).await.map_err(|error| cannot_listen(listen, &error))?;
    let shutdown = cancel_on_stop_signal("stopping");
    let program = tokio::select! {
        biased;
        () = shutdown.cancelled() => return Ok(Exit::Done),
        program = open_for_work(loaded) => program?,
    };
    if args.first_run_sample {
        match first_run_sample(&program, &shutdown).await {
            // The next start resumes it.
            Err(failure) if failure.exit == Exit::Interrupted => {
                program.store.close().await;
                return Ok(Exit::Done);
            }
            done => done?,
        }
    }
    // Running work ends along with open requests, and nothing new starts.
    let runner = Runner::start_until(&program, program.config.engine.workers, shutdown.clone()).await?;
    serve_monitoring(&program, &shutdown).await?;
    let bound = listener.local_addr().unwrap_or(listen);
    announce(&program, bound, runner.works_here());
    announce_first_account(&program, bound).await?;
    let served = http::serve(&program, listener, shutdown).await;
    runner.stop().await;
    program.drain().await;
    program.store.close().await;
    served.map_err(|error| Failure::new(Exit::Io, format!("server failed: {error}")))?;
    Ok(Exit::Done)
}

/// Serves health and metrics on `metrics.listen`, if configured.
pub(super) async fn serve_monitoring(program: &Program, shutdown: &CancellationToken) -> Result<(), Failure> {
    let served_on = http::serve_monitoring(program, shutdown.clone()).await;
    served_on.map(drop).map_err(|error| {
        let address = program.config.metrics.listen.map(|address| address.to_string()).unwrap_or_default();
        Failure::new(Exit::Address, format!("cannot listen on {address} (metrics.listen): {error}; choose another"))
    })
}

/// Investigates the sample on the first start, so that visitors find finished assessments. An interrupted first start is
/// resumed.
async fn first_run_sample(program: &Program, shutdown: &CancellationToken) -> Result<(), Failure> {
    let any = InvestigationFilter { limit: 1, ..InvestigationFilter::default() };
    let is_new = !program.engine.accounts.has_people().await? && program.engine.investigations.list(&any).await?.is_empty();
    if is_new && !start_sample(program, shutdown).await? {
        return Ok(());
    }
    loop {
        let next = match sample::next_investigation(program).await {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(()),
            Err(SampleError::Start(error)) => return Err(error.into()),
            Err(error @ (SampleError::Missing | SampleError::OncePerDay)) => {
                write_status(&error.to_string());
                return Ok(());
            }
        };
        let progress = Progress::new();
        progress.line(&format!("investigating the sample: \"{}\"", next.question));
        match investigate::follow(program, &next, progress, shutdown.cancelled()).await {
            Ok((stored, Exit::Done)) => write_status(&describe_assessment(&stored.assessment)),
            Ok(_) => write_status(&format!(
                "the sample investigation \"{}\" produced a partial report only: see its page",
                next.question
            )),
            // Pages are served anyway, so that an administrator can see the problem and store a key.
            Err(failure) if failure.exit == Exit::Configuration => {
                write_status(&failure.message);
                return Ok(());
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// Stores the sample and launches its first investigation; returns false if the sample is missing.
async fn start_sample(program: &Program, shutdown: &CancellationToken) -> Result<bool, Failure> {
    let progress = Progress::new();
    progress.line("first start: investigating the sample");
    let owner = accounts::system_user(&program.engine).await?;
    let started = tokio::select! {
        biased;
        () = shutdown.cancelled() => return Err(Failure::new(Exit::Interrupted, "stopped before the sample was launched")),
        started = sample::start(program, &owner, |reading| progress.reading(reading)) => started,
    };
    match started {
        Ok((_, report)) => {
            progress.files(&report);
            Ok(true)
        }
        Err(SampleError::Start(error)) => Err(error.into()),
        Err(error @ (SampleError::Missing | SampleError::OncePerDay)) => {
            progress.line(&error.to_string());
            Ok(false)
        }
    }
}

/// Formats title, bottom line and origin of a sample assessment.
fn describe_assessment(assessment: &Assessment) -> String {
    let note = assessment.producer.recorded_note().map_or_else(String::new, |note| format!("  {note}\n"));
    let body = &assessment.body;
    format!("\n{} — the sample; its events are invented\n\n  {}\n{note}", body.title, assessment.bottom_line_text())
}

fn announce(program: &Program, bound: SocketAddr, works_here: bool) {
    let on = match &program.config.sql.url {
        Some(address) => address.to_string(),
        None => program.data_dir.path().display().to_string(),
    };
    tracing::info!(address = %bound, on, embedder = program.embedder_note, works_here, "serving");
    write_status(&format!("autosint serves http://{bound} on {on} (Ctrl-C stops it)"));
    if !works_here {
        write_status("another autosint process works on this data directory; this one takes over when that one ends");
    }
    if program.config.engine.workers == 0 {
        write_status("engine.workers is 0: work orders wait for `autosint worker`");
    }
}

/// Prints the address at which the first account is created, with its one-time code, while there is no account.
async fn announce_first_account(program: &Program, bound: SocketAddr) -> Result<(), Failure> {
    let Some(code) = setup_code::create(program).await? else { return Ok(()) };
    let address = format!("{}/first-account?code={code}", origin(&program.config.server, bound));
    // The code makes an administrator: it is printed, and never logged.
    tracing::info!("no account yet, the first one is created at the printed address");
    write_result(format!("create the first account: {address}\n").as_bytes())
}

/// Returns the address at which people reach the server: the first of `server.trusted_origins`, else the one listened on.
fn origin(config: &ServerConfig, bound: SocketAddr) -> String {
    match (config.trusted_origins.first(), bound.ip()) {
        (Some(origin), _) => origin.clone(),
        (None, ip) if ip.is_unspecified() => match config.host_names.first() {
            Some(name) => format!("http://{name}:{}", bound.port()),
            None => format!("http://127.0.0.1:{}", bound.port()),
        },
        (None, _) => format!("http://{bound}"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_address_is_one_that_opens() {
        let config = |origins: &[&str], names: &[&str]| ServerConfig {
            trusted_origins: origins.iter().map(|&origin| origin.to_owned()).collect(),
            host_names: names.iter().map(|&name| name.to_owned()).collect(),
            ..ServerConfig::default()
        };
        let (here, all) = ("127.0.0.1:3000".parse().unwrap(), "0.0.0.0:3000".parse().unwrap());
        assert_eq!(origin(&config(&[], &[]), here), "http://127.0.0.1:3000");
        assert_eq!(origin(&config(&[], &[]), all), "http://127.0.0.1:3000");
        assert_eq!(origin(&config(&[], &["osint.lan"]), all), "http://osint.lan:3000");
        assert_eq!(origin(&config(&["https://osint.example"], &[]), here), "https://osint.example");
    }
}
