//! View model of the search over assessments, investigations, documents and claims.

use serde::{Deserialize, Serialize};

/// Hits of a search, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchView {
    pub query: String,
    /// Only groups with hits.
    pub groups: Vec<SearchGroup>,
    /// Searches claims instead of everything else.
    pub is_for_claims: bool,
}

/// Hits of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchGroup {
    pub kind: SearchKind,
    pub hits: Vec<SearchHit>,
    /// Number of all matches, where it is known.
    pub total: Option<u64>,
}

/// Kind of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    Assessments,
    Investigations,
    Documents,
    Claims,
}

/// One hit: a page and the words that match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchHit {
    pub title: String,
    /// Address of its page.
    pub href: String,
    pub snippet: Snippet,
}

/// Excerpt of a text, as runs that match the query or do not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet(pub Vec<(String, bool)>);
