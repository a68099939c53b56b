//! View models of the library.

use crate::Ownership;
use domain::{
    AssessmentId, CollectionId, DocumentId, TeamId,
    annotation::Tag,
    document::{Document, RejectedFile},
    investigation::Period,
    team::Team,
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
    pub hides_sample: bool,
    /// The sample's documents are listed also beside others.
    pub shows_sample: bool,
    /// Archived ones instead of the others.
    pub is_archived: bool,
    /// Only those with this tag; empty: all.
    pub tag: String,
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
    /// The sample's documents are there.
    pub has_sample: bool,
    /// They are left out, by the filter or because there are others.
    pub is_sample_hidden: bool,
    /// From 1.
    pub page: u64,
    pub per_page: u64,
    pub filter: DocumentFilter,
    /// Collections that the viewer sees, by name.
    pub collections: Vec<(CollectionId, String)>,
    /// Readers of the selected collection, where the viewer may choose them.
    pub readers: Option<CollectionReaders>,
    pub rejected: RejectedPage,
    /// Some rejected files are in collections that the viewer may edit.
    pub may_dismiss: bool,
}

/// Form that opens a collection to a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionReaders {
    pub id: CollectionId,
    pub name: String,
    /// Team that it is opened to.
    pub team: Option<TeamId>,
    /// Teams to choose from.
    pub teams: Vec<Team>,
}

/// A document in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentLine {
    pub document: Document,
    pub claims: u64,
    pub ownership: Ownership,
    pub tags: Vec<Tag>,
    /// Whether the viewer may archive and delete it.
    pub may_edit: bool,
}

/// Preview of deleting documents: everything that goes, and the assessments that cite them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRemovalView {
    /// Id and title of those that would go.
    pub documents: Vec<(DocumentId, String)>,
    pub size_bytes: u64,
    pub claims: u64,
    /// Entities known from these documents alone.
    pub entities: u64,
    /// Relationships stated in these documents alone.
    pub relationships: u64,
    /// Number and label of what features keep on these documents.
    pub added: Vec<(u64, String)>,
    /// Id and question of assessments that cite them and that the viewer reads, the newest ones.
    pub cited_in: Vec<(AssessmentId, String)>,
    /// Number of the others that cite them.
    pub more_citing: u64,
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
