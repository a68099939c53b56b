//! What backup, restore and migration have in common: a bar, words for what was carried, and one way out for what went wrong.

use super::{Exit, Failure, output::say};
use engine::{
    StoreError,
    archive::{Kind, MoveError, Step, Tally, graph},
};
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use std::{
    io::{ErrorKind, IsTerminal, stderr},
    time::Instant,
};

/// How far it is, on standard error: a bar on a terminal, a line for each phase elsewhere.
pub(super) struct Bar {
    bar: Option<ProgressBar>,
    began: Instant,
}

impl Bar {
    pub fn new() -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) =
                ProgressStyle::with_template("{msg:<12} {wide_bar} {percent:>3} %  {elapsed} of about {duration}")
            {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, began: Instant::now() }
    }

    /// A phase of so many steps.
    pub fn begin(&self, phase: &'static str, steps: u64) {
        match &self.bar {
            Some(bar) => {
                bar.reset();
                bar.set_length(steps);
                bar.set_message(phase);
            }
            None => say(&format!("[{:6.1} s] {phase}", self.began.elapsed().as_secs_f64())),
        }
    }

    pub fn advance(&self, steps: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(steps);
        }
    }

    /// Writing counts once and comparing once.
    pub fn step(&self, step: Step) {
        self.advance(match step {
            Step::Skipped(_, records) | Step::Written(_, records) | Step::Compared(_, records) => records,
        });
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// What people count: `12 documents, 140 claims …`. The rest is in the archive too, but says nothing to them.
pub(super) fn in_words(tally: impl Fn(Kind) -> Tally) -> String {
    let told = [
        ("users", "people"),
        ("investigations", "investigations"),
        ("assessments", "assessments"),
        ("documents", "documents"),
        (graph::CLAIMS.0, "claims"),
        (graph::ENTITIES.0, "entities"),
        (graph::RELATIONSHIPS.0, "relationships"),
    ];
    told.map(|(kind, word)| format!("{} {word}", tally(Kind(kind)).records)).join(", ")
}

pub(super) fn size(bytes: u64) -> String {
    HumanBytes(bytes).to_string()
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Self {
        let exit = match &error {
            MoveError::Io { cause, .. } if cause.kind() == ErrorKind::StorageFull => return StoreError::Full.into(),
            MoveError::Store(StoreError::Full | StoreError::Unavailable(_)) => Exit::Io,
            MoveError::Store(_) | MoveError::Differs(_) => Exit::Defect,
            MoveError::Io { .. } | MoveError::Damaged { .. } | MoveError::Cut { .. } => Exit::Io,
            MoveError::NotEmpty { .. }
            | MoveError::HalfFilled { .. }
            | MoveError::NotAnArchive(_)
            | MoveError::Newer { .. } => Exit::Usage,
        };
        Self::new(exit, error)
    }
}
