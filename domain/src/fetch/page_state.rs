//! Findings of the citation watch about cited pages.

use crate::{DocumentId, Timestamp};
use serde::{Deserialize, Serialize};

crate::words! {
    /// State of a page that differs from the cited one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum PageState {
        /// The cited text is no longer on the page.
        Changed = "changed",
        /// The page no longer exists.
        Gone = "gone",
        /// The page says that it was retracted.
        Retracted = "retracted",
    }
}

impl PageState {
    /// As a person reads it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Changed => "The page has changed",
            Self::Gone => "The page is gone",
            Self::Retracted => "Taken back",
        }
    }
}

/// A finding about the page that a document was taken from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFinding {
    pub document_id: DocumentId,
    pub state: PageState,
    /// One sentence for a person.
    pub note: String,
    /// Time of the check that found it first.
    pub at: Timestamp,
}
