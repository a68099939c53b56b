//! Exit codes and their meanings, for `--help` and for docs/cli.md, which a test compares with them.

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
    /// Nothing goes on before a person has acted: a setting, a key, the name of a model.
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
            Self::Done => "done; investigate: the assessment was written",
            Self::Unwell => "doctor: something is wrong; with --probe also: no session can run on a model",
            Self::Usage => "what was asked makes no sense: arguments, question, id, password",
            Self::NoDocuments => "there is nothing to read",
            Self::Partial => "the investigation failed; a partial report was written",
            Self::Different => "replay: not identical; the first difference and its reason were written",
            Self::Address => "the address to listen on is in use or not allowed",
            Self::Defect => "a defect of the program",
            Self::Io => "reading or writing failed, for example on a full disk",
            Self::Configuration => "a setting, a key or the name of a model must be mended first",
            Self::Interrupted => {
                "interrupted; an investigation goes on with the next `autosint serve`, a restore or a migration with the same command"
            }
        }
    }

    /// The part of `--help` about exit codes.
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
