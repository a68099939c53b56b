//! What backup, restore and migration have in common: a bar, words for what was carried, and one way out for what went wrong.

use super::{Exit, Failure, output::say, stopping::stop_signal};
use crate::{Place, config::environment};
use engine::{
    StoreError,
    archive::{
        Kind, MoveError, Step, Tally,
        file::{Checked, check},
        graph,
    },
};
use indicatif::{HumanBytes, ProgressBar, ProgressFinish, ProgressStyle};
use std::{
    fs::File,
    io::{BufReader, ErrorKind, IsTerminal, stderr},
    time::Instant,
};

/// Buffer of an archive's file.
pub(super) const BUFFER_BYTES: usize = 1024 * 1024;

/// The stored keys of providers, sealed by the master key.
pub(super) const SECRETS: Kind = Kind("secrets");

/// What the order to stop says of a restore or a migration.
pub(super) const GOES_ON: &str = "interrupted: the same command goes on where it stopped";

/// Does it until the order to stop, which ends it with these words.
pub(super) async fn until_interrupted<T>(what: impl Future<Output = Result<T, Failure>>, words: &str) -> Result<T, Failure> {
    tokio::select! {
        done = what => done,
        () = stop_signal() => Err(Failure::new(Exit::Interrupted, words)),
    }
}

/// Reads an archive from its beginning to its end, on a thread of its own, so that the order to stop is heard meanwhile.
pub(super) async fn read_through(place: &Place, archive: File, bar: &Bar) -> Result<Checked, Failure> {
    let (movable, bar) = (place.movable.clone(), bar.clone());
    bar.begin("checking", archive.metadata().map_or(0, |about| about.len()));
    let checked = tokio::task::spawn_blocking(move || {
        check(BufReader::with_capacity(BUFFER_BYTES, archive), &*movable, &mut |part| bar.advance(part.bytes))
    });
    Ok(checked.await.map_err(|error| Failure::new(Exit::Defect, error))??)
}

/// How far it is, on standard error: a bar on a terminal, a line for each phase and each kind of record elsewhere.
#[derive(Clone)]
pub(super) struct Bar {
    bar: Option<ProgressBar>,
    began: Instant,
    told: Option<(&'static str, Kind)>,
}

impl Bar {
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
        Self { bar, began: Instant::now(), told: None }
    }

    /// A phase of so many steps.
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

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Writing counts once and comparing once.
    pub fn step(&mut self, step: Step) {
        let (what, kind, records) = match step {
            Step::Skipped(kind, records) => ("there already:", kind, records),
            Step::Written(kind, records) => ("written:", kind, records),
            Step::Compared(kind, records) => ("compared:", kind, records),
        };
        self.advance(records);
        if self.bar.is_none() && records > 0 && self.told.replace((what, kind)) != Some((what, kind)) {
            self.line(&format!("  {what} {kind}"));
        }
    }

    fn line(&self, text: &str) {
        say(&format!("[{:6.1} s] {text}", self.began.elapsed().as_secs_f64()));
    }
}

/// What people count: `12 documents, 140 claims …`. The rest is in the archive too, but says nothing to them.
pub(super) fn in_words(tally: impl Fn(Kind) -> Tally) -> String {
    let told = [
        ("users", "account", "accounts"),
        ("investigations", "investigation", "investigations"),
        ("assessments", "assessment", "assessments"),
        ("documents", "document", "documents"),
        (graph::CLAIMS.0, "claim", "claims"),
        (graph::ENTITIES.0, "entity", "entities"),
        (graph::RELATIONSHIPS.0, "relationship", "relationships"),
    ];
    let count = |(kind, one, many)| match tally(Kind(kind)).records {
        1 => format!("1 {one}"),
        records => format!("{records} {many}"),
    };
    told.map(count).join(", ")
}

/// What people do with a place that is filled.
pub(super) fn to_start(place: &Place) -> String {
    match place.is_scaled_out {
        true => "autosint serve, and autosint worker on any number of machines, with this configuration".into(),
        false => format!("autosint serve --data-dir {}", place.data_dir.path().display()),
    }
}

/// Where the master key goes that opens the stored keys of providers.
pub(super) fn place_of_key(place: &Place) -> String {
    match place.is_scaled_out {
        true => format!("give every process its content as {}", environment::SECRET_KEY),
        false => format!("put it into {}", place.data_dir.path().display()),
    }
}

pub(super) fn size(bytes: u64) -> String {
    HumanBytes(bytes).to_string()
}

/// The same error with the place that it is about, and what to do there.
pub(super) fn in_place(place: &Place, error: MoveError) -> Failure {
    let name = &place.name;
    let instead = match place.is_scaled_out {
        true => "empty both databases, or name others by sql.url and graph.neo4j.url",
        false => "give an empty folder, such as --data-dir NEW_FOLDER",
    };
    match error {
        MoveError::NotEmpty { kind, records } => {
            let why = format!("{name} is not empty ({kind}: {records}), and nothing is ever mixed: {instead}");
            Failure::new(Exit::Usage, why)
        }
        MoveError::WorkedOn { workers } => {
            let who = if workers == 1 { "an autosint works".to_owned() } else { format!("{workers} autosint work") };
            let why = format!(
                "{who} on {name}: stop every `autosint serve` and `autosint worker` first; one that was killed counts until \
                 engine.lease_ms have passed"
            );
            Failure::new(Exit::Usage, why)
        }
        MoveError::HalfFilled { source_id } => {
            let why = format!("{name} is half filled from {source_id}: go on with that one, or {instead}");
            Failure::new(Exit::Usage, why)
        }
        MoveError::Differs(_) => Failure::new(Exit::Defect, format!("{error} ({instead})")),
        MoveError::Store(StoreError::Unavailable(_) | StoreError::Full) => {
            let failure = Failure::from(error);
            Failure { message: format!("{}; then the same command goes on where it stopped", failure.message), ..failure }
        }
        other => other.into(),
    }
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Self {
        let exit = match &error {
            MoveError::Io { cause, .. } if cause.kind() == ErrorKind::StorageFull => return StoreError::Full.into(),
            MoveError::Store(StoreError::Full | StoreError::Unavailable(_) | StoreError::Stale(_)) => Exit::Io,
            MoveError::Store(_) | MoveError::Differs(_) => Exit::Defect,
            MoveError::Io { .. } | MoveError::Damaged { .. } | MoveError::Cut { .. } => Exit::Io,
            MoveError::NotEmpty { .. }
            | MoveError::HalfFilled { .. }
            | MoveError::WorkedOn { .. }
            | MoveError::NotAnArchive(_)
            | MoveError::Newer { .. } => Exit::Usage,
        };
        Self::new(exit, error)
    }
}
