//! Phases of an investigation in a reader's words, on Home and on its own page.

use domain::investigation::Status;

/// Phase of an investigation that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Queued,
    Planning,
    Reading,
    Writing,
}

impl Phase {
    pub const ALL: [Self; 4] = [Self::Queued, Self::Planning, Self::Reading, Self::Writing];

    /// Returns the phase at a status with this number of reading tasks. The Analyst plans before the first and writes after.
    pub const fn at(status: Status, tasks: usize) -> Self {
        match status {
            Status::Pending => Self::Queued,
            Status::AnalystRunning if tasks == 0 => Self::Planning,
            Status::Processing => Self::Reading,
            Status::Suspended if tasks > 0 => Self::Reading,
            Status::Suspended => Self::Planning,
            Status::AnalystRunning | Status::Completed | Status::Failed => Self::Writing,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "Queued",
            Self::Planning => "Planning",
            Self::Reading => "Reading",
            Self::Writing => "Writing",
        }
    }

    /// Returns the name, with the number of finished reading tasks while they run.
    pub fn text(self, finished: usize, tasks: usize) -> String {
        match self {
            Self::Reading if tasks > 0 => format!("{} {finished} of {tasks}", self.name()),
            _ => self.name().to_owned(),
        }
    }
}
