//! Arguments and results of the tools with which roles of features read the web.

use super::PageFound;
use domain::{DocumentId, fetch::Link};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Query to every source that is switched on.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebSearch {
    pub query: String,
    /// Maximum number of pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Pages that sources name. Each may be opened by `read_page`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WebFound {
    pub found: Vec<PageFound>,
    /// Sources that did not answer, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadPage {
    pub url: String,
}

/// Page that was read and stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PageRead {
    /// After redirects.
    pub final_url: String,
    pub documents: Vec<DocumentRead>,
    /// Links that may be opened from here.
    pub links: Vec<Link>,
}

/// Stored document of a page, with its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DocumentRead {
    pub document_id: DocumentId,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlet: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    pub text: String,
    /// Whether the text is longer.
    pub is_cut: bool,
}
