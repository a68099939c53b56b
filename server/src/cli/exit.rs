//! Exit codes and their meanings, for `--help` and docs/cli.md; a test compares the two.

use std::process::ExitCode;
use strum::VariantArray;

/// Result of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum Exit {
    Done = 0,
    /// `doctor` found a problem.
    Unwell = 1,
    /// Invalid arguments, question, id or password.
    Usage = 2,
    /// No readable document.
    NoDocuments = 3,
    /// The investigation failed; a partial report was printed.
    Partial = 4,
    /// `replay`: some step differs; `verify`: some part does.
    Different = 5,
    /// The listen address is in use or not allowed.
    Address = 69,
    /// Bug in the program.
    Defect = 70,
    /// Reading or writing failed, e.g. the disk is full.
    Io = 74,
    /// A person must fix a setting, a key or a model name first.
    Configuration = 78,
    /// Ctrl-C, or SIGTERM.
    Interrupted = 130,
}

impl Exit {
    pub const fn code(self) -> u8 {
        self as u8
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "success; investigate: the assessment was printed",
            Self::Unwell => "doctor: a check failed; with --probe also: a model cannot run sessions",
            Self::Usage => "invalid arguments, question, id or password",
            Self::NoDocuments => "no readable document",
            Self::Partial => "the investigation failed; a partial report was printed",
            Self::Different => {
                "replay: not identical; verify: a part was changed; the first difference and its reason were printed"
            }
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
        let line = |exit: &Self| format!("\n  {:<4} {}", exit.code(), exit.meaning());
        format!("Exit codes:{}", Self::VARIANTS.iter().map(line).collect::<String>())
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
        for exit in Exit::VARIANTS {
            let row = format!("| {} | {} |", exit.code(), exit.meaning());
            assert!(guide.lines().any(|line| line == row), "docs/cli.md lacks: {row}");
        }
    }
}
