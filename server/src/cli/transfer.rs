//! Shared code of backup, restore and migration: progress, summaries and error messages.

use super::{Exit, Failure, output::write_status, shutdown::wait_for_stop_signal};
use crate::{DataStore, config::environment};
use engine::{
    StoreError,
    archive::{
        RecordKind, Tally, TransferError, TransferStep,
        file::{VerifiedArchive, check},
        graph,
    },
};
use indicatif::{HumanBytes, ProgressBar, ProgressFinish, ProgressStyle};
use std::{
    fs::File,
    io::{BufReader, ErrorKind, IsTerminal, stderr},
    time::Instant,
};

/// Buffer size for archive files.
pub(super) const BUFFER_BYTES: usize = 1024 * 1024;

/// Record kind of the stored provider keys, sealed by the master key.
pub(super) const SECRETS: RecordKind = RecordKind("secrets");

/// Message of a restore or migration that was interrupted.
pub(super) const RESUMABLE: &str = "interrupted: run the same command again to resume";

/// Runs `what` until it ends or a stop signal arrives.
pub(super) async fn until_interrupted<T>(what: impl Future<Output = Result<T, Failure>>, words: &str) -> Result<T, Failure> {
    tokio::select! {
        done = what => done,
        () = wait_for_stop_signal() => Err(Failure::new(Exit::Interrupted, words)),
    }
}

/// Verifies a whole archive on a blocking thread, so that a stop signal still works.
pub(super) async fn read_through(data: &DataStore, archive: File, bar: &TransferProgress) -> Result<VerifiedArchive, Failure> {
    let (store, bar) = (data.archive.clone(), bar.clone());
    bar.begin("checking", archive.metadata().map_or(0, |about| about.len()));
    let checked = tokio::task::spawn_blocking(move || {
        check(BufReader::with_capacity(BUFFER_BYTES, archive), &*store, &mut |part| bar.advance(part.bytes))
    });
    Ok(checked.await.map_err(|error| Failure::new(Exit::Defect, error))??)
}

/// Progress on standard error: a bar on a terminal, else a line for each phase and kind of record.
#[derive(Clone)]
pub(super) struct TransferProgress {
    bar: Option<ProgressBar>,
    began: Instant,
    last_line: Option<(&'static str, RecordKind)>,
}

impl TransferProgress {
    pub fn new() -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0).with_finish(ProgressFinish::AndClear);
            if let Ok(style) =
                ProgressStyle::with_template("{msg:<12} {wide_bar} {percent:>3} %  {elapsed} of about {duration}")
            {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, began: Instant::now(), last_line: None }
    }

    /// Starts a phase with that many steps.
    pub fn begin(&self, phase: &'static str, steps: u64) {
        match &self.bar {
            Some(bar) => {
                bar.reset();
                bar.set_length(steps);
                bar.set_message(phase);
            }
            None => self.line(phase),
        }
    }

    pub fn advance(&self, steps: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(steps);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Reports a step. Writing and comparing count separately.
    pub fn step(&mut self, step: TransferStep) {
        let (what, kind, records) = match step {
            TransferStep::Skipped(kind, records) => ("already there:", kind, records),
            TransferStep::Written(kind, records) => ("written:", kind, records),
            TransferStep::Compared(kind, records) => ("compared:", kind, records),
        };
        self.advance(records);
        if self.bar.is_none() && records > 0 && self.last_line.replace((what, kind)) != Some((what, kind)) {
            self.line(&format!("  {what} {kind}"));
        }
    }

    fn line(&self, text: &str) {
        write_status(&format!("[{:6.1} s] {text}", self.began.elapsed().as_secs_f64()));
    }
}

/// Summarises the main kinds of records: `12 documents, 140 claims …`. Other kinds are omitted.
pub(super) fn summarize_counts(tally: impl Fn(RecordKind) -> Tally) -> String {
    let labels = [
        ("users", "account", "accounts"),
        ("investigations", "investigation", "investigations"),
        ("assessments", "assessment", "assessments"),
        ("documents", "document", "documents"),
        (graph::CLAIMS.0, "claim", "claims"),
        (graph::ENTITIES.0, "entity", "entities"),
        (graph::RELATIONSHIPS.0, "relationship", "relationships"),
    ];
    let count = |(kind, one, many)| match tally(RecordKind(kind)).records {
        1 => format!("1 {one}"),
        records => format!("{records} {many}"),
    };
    labels.map(count).join(", ")
}

/// Returns the command that starts the program on the filled store.
pub(super) fn start_command(data: &DataStore) -> String {
    match data.is_scaled_out {
        true => "autosint serve, and autosint worker on any number of machines, with this configuration".into(),
        false => format!("autosint serve --data-dir {}", data.data_dir.path().display()),
    }
}

/// Explains where to put the master key.
pub(super) fn key_instructions(data: &DataStore) -> String {
    match data.is_scaled_out {
        true => format!("give every process its content as {}", environment::SECRET_KEY),
        false => format!("put it into {}", data.data_dir.path().display()),
    }
}

pub(super) fn human_bytes(bytes: u64) -> String {
    HumanBytes(bytes).to_string()
}

/// Adds the target and a remedy to an error.
pub(super) fn target_error(data: &DataStore, error: TransferError) -> Failure {
    let name = &data.name;
    let instead = match data.is_scaled_out {
        true => "empty both databases, or choose others with sql.url and graph.neo4j.url",
        false => "choose an empty folder, such as --data-dir NEW_FOLDER",
    };
    match error {
        TransferError::NotEmpty { kind, records } => {
            let why = format!("{name} is not empty ({kind}: {records}): {instead}");
            Failure::new(Exit::Usage, why)
        }
        TransferError::InUse { workers } => {
            let who = if workers == 1 {
                "an autosint process works".to_owned()
            } else {
                format!("{workers} autosint processes work")
            };
            let why = format!(
                "{who} on {name}: stop every `autosint serve` and `autosint worker` first; a killed process counts until \
                 engine.lease_ms has passed"
            );
            Failure::new(Exit::Usage, why)
        }
        TransferError::HalfFilled { source_id } => {
            let why = format!("the import from {source_id} into {name} is incomplete: resume it, or {instead}");
            Failure::new(Exit::Usage, why)
        }
        TransferError::Differs(_) => Failure::new(Exit::Defect, format!("{error} ({instead})")),
        TransferError::Store(StoreError::Unavailable(_) | StoreError::Full) => {
            let failure = Failure::from(error);
            Failure { message: format!("{}; then run the same command again to resume", failure.message), ..failure }
        }
        other => other.into(),
    }
}

impl From<TransferError> for Failure {
    fn from(error: TransferError) -> Self {
        let exit = match &error {
            TransferError::Io { cause, .. } if cause.kind() == ErrorKind::StorageFull => return StoreError::Full.into(),
            TransferError::Store(StoreError::Full | StoreError::Unavailable(_) | StoreError::Stale(_)) => Exit::Io,
            TransferError::Store(_) | TransferError::Differs(_) => Exit::Defect,
            TransferError::Io { .. } | TransferError::Damaged { .. } | TransferError::Truncated { .. } => Exit::Io,
            TransferError::NotEmpty { .. }
            | TransferError::HalfFilled { .. }
            | TransferError::InUse { .. }
            | TransferError::NotAnArchive(_)
            | TransferError::Newer { .. } => Exit::Usage,
        };
        Self::new(exit, error)
    }
}
