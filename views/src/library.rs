//! View models of the library.

use crate::Ownership;
use domain::{
    CollectionId,
    document::{Document, RejectedFile},
    investigation::Period,
};
use serde::{Deserialize, Serialize};

/// Filter of the library, as the address holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentFilter {
    /// Words of the text or the title; empty: all.
    pub words: String,
    /// Only documents of this collection.
    pub collection: Option<CollectionId>,
    /// Days of publication.
    pub period: Period,
}

/// Tab of the library.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LibraryTab {
    #[default]
    Documents,
    /// Files that could not be read.
    Rejected,
}

/// A page of the library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentsView {
    pub tab: LibraryTab,
    pub documents: Vec<DocumentLine>,
    /// Number of all matches.
    pub total: u64,
    /// From 1.
    pub page: u64,
    pub per_page: u64,
    pub filter: DocumentFilter,
    /// Collections that the viewer sees, by name.
    pub collections: Vec<(CollectionId, String)>,
    pub rejected: RejectedPage,
}

/// A document in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentLine {
    pub document: Document,
    pub claims: u64,
    pub ownership: Ownership,
}

/// A page of rejected files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedPage {
    pub files: Vec<RejectedFile>,
    /// Number of all.
    pub total: u64,
    /// From 1.
    pub page: u64,
    pub per_page: u64,
}
