//! Exit codes: documented once, here and in `--help`.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Done,
    /// `doctor` found something wrong.
    Unwell,
    /// What was asked makes no sense: arguments, question, id, password.
    Usage,
    /// No document that can be read.
    NoDocuments,
    /// The investigation failed; what there is was printed as a partial report.
    Partial,
    /// `replay`: not every step is the same again.
    Different,
    /// The address to listen on is in use or not allowed.
    Address,
    /// A defect of the program.
    Defect,
    /// Reading or writing failed, e.g. the disk is full.
    Io,
    Configuration,
    /// Ctrl-C.
    Interrupted,
}

/// The part of `--help` about exit codes.
pub(super) const HELP: &str = "Exit codes:
  0    done; for investigate: the assessment was printed
  1    doctor found something wrong; with --probe also: a model that no session can run on
  2    what was asked makes no sense: arguments, question, id, password
  3    no documents, or none that can be read
  4    the investigation failed; the partial report was printed
  5    replay: not identical; the first difference and its reason were printed
  69   the address to listen on is in use or not allowed
  70   a defect of the program
  74   reading or writing failed, e.g. the disk is full
  78   the configuration cannot be used
  130  interrupted; an investigation goes on with the next `autosint serve` or `investigate`";

impl Exit {
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Unwell => 1,
            Self::Usage => 2,
            Self::NoDocuments => 3,
            Self::Partial => 4,
            Self::Different => 5,
            Self::Address => 69,
            Self::Defect => 70,
            Self::Io => 74,
            Self::Configuration => 78,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
