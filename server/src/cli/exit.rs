//! Exit codes and their meanings, for `--help` and docs/cli.md; a test compares the two.

use std::process::ExitCode;

/// Result of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Done,
    /// `doctor` found a problem.
    Unwell,
    /// Invalid arguments, question, id or password.
    Usage,
    /// No readable document.
    NoDocuments,
    /// The investigation failed; a partial report was printed.
    Partial,
    /// `replay`: some step differs.
    Different,
    /// The listen address is in use or not allowed.
    Address,
    /// Bug in the program.
    Defect,
    /// Reading or writing failed, e.g. the disk is full.
    Io,
    /// A person must fix a setting, a key or a model name first.
    Configuration,
    /// Ctrl-C, or SIGTERM.
    Interrupted,
}

impl Exit {
    pub const ALL: [Self; 11] = [
        Self::Done,
        Self::Unwell,
        Self::Usage,
        Self::NoDocuments,
        Self::Partial,
        Self::Different,
        Self::Address,
        Self::Defect,
        Self::Io,
        Self::Configuration,
        Self::Interrupted,
    ];

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

    const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "success; investigate: the assessment was printed",
            Self::Unwell => "doctor: a check failed; with --probe also: a model cannot run sessions",
            Self::Usage => "invalid arguments, question, id or password",
            Self::NoDocuments => "no readable document",
            Self::Partial => "the investigation failed; a partial report was printed",
            Self::Different => "replay: not identical; the first difference and its reason were printed",
            Self::Address => "the listen address is in use or not allowed",
            Self::Defect => "a bug in the program",
            Self::Io => "reading or writing failed, for example on a full disk",
            Self::Configuration => "fix a setting, a key or a model name first",
            Self::Interrupted => {
                "interrupted; the next `autosint serve` resumes an investigation, the same command resumes a restore or a migration"
            }
        }
    }

    /// Formats the exit codes for `--help`.
    pub(super) fn help() -> String {
        let lines = Self::ALL.map(|exit| format!("  {:<4} {}", exit.code(), exit.meaning()));
        format!("Exit codes:\n{}", lines.join("\n"))
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_every_exit_code() {
        let guide = include_str!("../../../docs/cli.md");
        for exit in Exit::ALL {
            let row = format!("| {} | {} |", exit.code(), exit.meaning());
            assert!(guide.lines().any(|line| line == row), "docs/cli.md lacks: {row}");
        }
    }
}
