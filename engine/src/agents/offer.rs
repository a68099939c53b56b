//! Selection of tools, permitted ending and state of decomposition of a session.

use serde::{Deserialize, Serialize};

/// Selection of tools offered to a session, widest first. Each tool names the narrowest that includes it
/// (`Tool::NARROWEST_OFFER`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolOffer {
    /// All tools.
    All,
    /// All tools but the one that divides the question.
    Undivided,
    /// Final session: no tools that collect more.
    Final,
    /// Final session without search budget: only the tools that write the product.
    WriteOnly,
}

/// Permitted ending of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Any ending.
    Open,
    /// The assessment; the session may search first.
    Final,
    /// The assessment, written from supplied claims: the caps leave no budget to search.
    FromRecord,
}

impl Ending {
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Open)
    }
}

/// State of question decomposition in a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decomposition {
    /// Not available: disabled, the question is itself a part, or work on it has begun.
    #[default]
    Closed,
    /// The session may divide the question.
    Offered,
    /// The question was divided; the session merges the answers of the parts.
    Done,
}
