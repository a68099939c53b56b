//! The finding that a text from outside leads whoever reads it astray.

use crate::{DocumentId, claim::Span};
use serde::{Deserialize, Serialize};

/// Words of a document that a session repeated in a call which its order does not allow. The call was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InjectionFinding {
    /// The tool that was called.
    pub tool: String,
    pub document_id: DocumentId,
    pub title: String,
    /// Who published it: what the finding is about.
    pub outlet: Option<String>,
    /// As they stand in the document.
    pub words: String,
    pub span: Span,
}
