//! Injection findings: outside text that instructed an agent.

use crate::{DocumentId, claim::Span};
use serde::{Deserialize, Serialize};

/// Words of a document that a session repeated in a call outside its work order. The call was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InjectionFinding {
    /// The tool that was called.
    pub tool: String,
    pub document_id: DocumentId,
    pub title: String,
    /// Publisher of the document.
    pub outlet: Option<String>,
    /// Exact words of the document.
    pub words: String,
    pub span: Span,
}
