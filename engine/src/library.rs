//! Document library: captured documents with their bytes and texts.

mod archive;
mod credits;
mod ingest;
pub mod origins;
mod reading;
mod removal;

pub(crate) use archive::unarchive_added;
pub use archive::{archive_documents, unarchive_documents};
pub use credits::CreditedDocument;
pub use ingest::{ExtractedFile, IngestReport, StoredFiles, announce, ingest, store};
pub use reading::question_key;
pub use removal::{delete_documents, dismiss_rejected, editable, remove_collection};

use crate::{StoreResult, accounts::AuditEntry};
use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    CollectionId, DocumentId, InvestigationId, QueryText, Scope, Timestamp, UserId,
    annotation::Tag,
    document::{Document, DocumentDetails, DocumentText, RejectedFile},
    investigation::Period,
};
use std::collections::BTreeSet;

/// Port of documents, blobs and texts.
#[async_trait]
pub trait Documents: Send + Sync {
    /// Stores captures with bytes and texts in one transaction. Natural key: (collection, path, sha256, text_sha256); existing
    /// documents are returned unchanged. Their details are recorded if none are. Returns the stored documents in the given order, and the number of new ones.
    async fn add_documents(&self, captures: &[Capture]) -> StoreResult<(Vec<Document>, u64)>;
    /// Returns which of these text hashes occur in the scope.
    async fn known_texts(&self, scope: &Scope, text_sha256: &[&str]) -> StoreResult<BTreeSet<String>>;
    /// Records unreadable files for the readers of a collection: the latest per path, and those of each investigation. Natural
    /// keys: (collection, path), and (investigation, collection, path).
    async fn add_rejected(
        &self,
        collection: CollectionId,
        investigation: Option<InvestigationId>,
        files: &[RejectedFile],
    ) -> StoreResult<()>;
    /// Returns a page of unreadable files by path, of the library or one investigation, and their total.
    async fn rejected(&self, scope: &Scope, query: &RejectedQuery) -> StoreResult<(Vec<RejectedFile>, u64)>;
    /// Removes the unreadable files of the library in a scope from its list; investigations keep theirs. Returns whether there were any;
    /// without them, no audit entry is written.
    async fn dismiss_rejected(&self, scope: &Scope, entry: &AuditEntry) -> StoreResult<bool>;
    async fn document(&self, scope: &Scope, id: DocumentId) -> StoreResult<Option<Document>>;
    /// Returns the visible documents, in the order of `ids`.
    async fn documents(&self, scope: &Scope, ids: &[DocumentId]) -> StoreResult<Vec<Document>>;
    /// Returns the visible documents that the work orders of an investigation read, by title.
    async fn read_for(&self, scope: &Scope, investigation: InvestigationId) -> StoreResult<Vec<Document>>;
    /// Returns which of these documents are already extracted.
    async fn extracted(&self, ids: &[DocumentId]) -> StoreResult<BTreeSet<DocumentId>>;
    /// Returns which of these documents are extracted in full, or in view of the question with this `question_key`. None: in full.
    async fn extracted_for(&self, ids: &[DocumentId], question: Option<&str>) -> StoreResult<BTreeSet<DocumentId>>;
    /// Returns the texts of the visible documents, in the order of `ids`.
    async fn texts(&self, scope: &Scope, ids: &[DocumentId]) -> StoreResult<Vec<DocumentText>>;
    /// Returns the visible documents in any order, with the texts of those in `texts`.
    async fn documents_with_texts(
        &self,
        scope: &Scope,
        ids: &[DocumentId],
        texts: &[DocumentId],
    ) -> StoreResult<Vec<(Document, Option<String>)>>;
    async fn bytes(&self, scope: &Scope, id: DocumentId) -> StoreResult<Option<Bytes>>;
    /// Returns a page of documents, optionally filtered by full text. Archived ones are left out unless the query wants them.
    async fn list(&self, scope: &Scope, query: &DocumentQuery) -> StoreResult<DocumentPage>;
    /// Returns whether any visible document came as a file, not from the web.
    async fn has_files(&self, scope: &Scope) -> StoreResult<bool>;
    /// Returns a visible document with its text, and the other visible ones with its text or path.
    async fn with_relatives(&self, scope: &Scope, id: DocumentId) -> StoreResult<Option<DocumentWithRelatives>>;
    /// Records credits. Per document the first agency and the first byline stay. Missing documents are skipped.
    async fn add_credits(&self, credits: &[CreditedDocument]) -> StoreResult<()>;
    /// Returns texts of the scope that may repeat one of these texts: sharing a sketch band, or credited to the same agency and
    /// published within `query.agency_days`. At most `query.limit`, lowest hashes first. A text without sketch and agency has no
    /// candidates.
    async fn near_texts(
        &self,
        scope: &Scope,
        texts: &[String],
        query: origins::NearQuery,
    ) -> StoreResult<Vec<origins::ComparedText>>;
    /// Sketches at most `limit` older texts and returns how many.
    async fn sketch_texts(&self, limit: u32) -> StoreResult<u64>;
    /// Removes a collection with its investigations and orders, and documents, blobs and texts used nowhere else. Call
    /// `library::remove_collection`, which removes the other parts first.
    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()>;
    /// Archives documents; those that are archived stay as they are. Returns how many changed.
    async fn archive_documents(&self, documents: &[DocumentId], by: UserId, at: Timestamp) -> StoreResult<Vec<DocumentId>>;
    /// Takes documents out of the archive; returns how many changed.
    async fn unarchive_documents(&self, documents: &[DocumentId]) -> StoreResult<Vec<DocumentId>>;
    /// Counts the rows of features that go with documents and that `viewer` reads; kinds without rows are left out.
    async fn dependents(&self, viewer: UserId, documents: &[DocumentId]) -> StoreResult<Vec<DependentRows>>;
    /// Removes documents with their audit entry, and blobs and texts used nowhere else; returns how many. Call
    /// `library::delete_documents`, which removes their claims first.
    async fn remove_documents(&self, documents: &[DocumentId], entry: &AuditEntry) -> StoreResult<u64>;
}

/// Number of rows of one kind that a feature keeps on objects, and that go with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependentRows {
    /// Label of one.
    pub one: &'static str,
    pub many: &'static str,
    pub rows: u64,
}

impl DependentRows {
    /// Returns the number with its label, for views.
    pub fn labelled(self) -> (u64, String) {
        (self.rows, if self.rows == 1 { self.one } else { self.many }.to_owned())
    }
}

/// Captured document with bytes and text, ready to be stored.
#[derive(Debug, Clone)]
pub struct Capture {
    pub document: Document,
    pub bytes: Bytes,
    pub text: String,
    pub details: DocumentDetails,
}

/// A document with its text, and its copies and other captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentWithRelatives {
    pub text: DocumentText,
    pub is_archived: bool,
    /// Whether it was read only in view of a question, with the rest left out.
    pub is_in_view_only: bool,
    /// The other visible documents with its text or path: by path, the newest capture first.
    pub relatives: Vec<Document>,
}

/// Query of documents.
#[derive(Debug, Clone, Default)]
pub struct DocumentQuery {
    /// Words that text or title must contain; none: all documents.
    pub text: Option<QueryText>,
    /// Only documents not extracted yet.
    pub only_unextracted: bool,
    /// `question_key` for which documents read only in view of another question count as not extracted; none: they count as
    /// extracted.
    pub question: Option<String>,
    /// Days of publication.
    pub period: Period,
    /// Archived ones instead of the others.
    pub is_archived: bool,
    /// Only documents with this tag.
    pub tag: Option<Tag>,
    /// Only documents present at this `as_of` of an earlier page, so that offsets stay stable.
    pub as_of: Option<u64>,
    pub offset: u64,
    pub limit: u32,
    pub order: DocumentOrder,
}

/// Query of unreadable files.
#[derive(Debug, Clone, Copy, Default)]
pub struct RejectedQuery {
    /// Investigation; none: the whole library.
    pub investigation: Option<InvestigationId>,
    pub offset: u64,
    pub limit: u32,
}

/// Order of a page of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DocumentOrder {
    /// By hash of the text, then path: independent of arrival. For agents.
    #[default]
    Stable,
    /// Newest publication first, undated last. For people.
    Newest,
    /// By full-text rank, newest first among equals; without words as `Newest`.
    Relevance,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DocumentPage {
    pub documents: Vec<Document>,
    /// Total number of matches.
    pub total: u64,
    /// Version of the scope's contents; grows with each added document.
    pub as_of: u64,
}
