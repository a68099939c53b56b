//! The library: documents as captured, with their bytes and texts.

mod credits;
mod ingest;
pub mod origins;
mod removal;

pub use credits::CreditedDocument;
pub use ingest::{ExtractedFile, IngestReport, StoredFiles, announce, ingest, store};
pub use removal::remove_collection;

use crate::StoreResult;
use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    CollectionId, DocumentId, InvestigationId, Scope, document::Document, document::DocumentText, document::RejectedFile,
};
use std::collections::BTreeSet;

/// Documents, blobs and texts.
#[async_trait]
pub trait Documents: Send + Sync {
    /// Stores captures with their bytes and texts in one transaction. The natural key is (collection, path, sha256, text_sha256):
    /// what is there already is returned as it is. Gives the stored documents in the order given and how many were new.
    async fn add_documents(&self, captures: &[Capture]) -> StoreResult<(Vec<Document>, u64)>;
    /// Which of these hashes of texts a document of the scope has.
    async fn known_texts(&self, scope: &Scope, text_sha256: &[&str]) -> StoreResult<BTreeSet<String>>;
    /// Records files that could not be read, for the people of that collection: the last word on each path, and, beside it, what each
    /// investigation was given. Natural keys: (collection, path), and (investigation, collection, path).
    async fn add_rejected(
        &self,
        collection: CollectionId,
        investigation: Option<InvestigationId>,
        files: &[RejectedFile],
    ) -> StoreResult<()>;
    /// A part of them by path, of the library or of one investigation, and how many there are in all.
    async fn rejected(&self, scope: &Scope, query: &RejectedQuery) -> StoreResult<(Vec<RejectedFile>, u64)>;
    async fn document(&self, scope: &Scope, id: DocumentId) -> StoreResult<Option<Document>>;
    /// Those of the documents that the scope sees, in the order of `ids`.
    async fn documents(&self, scope: &Scope, ids: &[DocumentId]) -> StoreResult<Vec<Document>>;
    /// Which of these documents a Processor has extracted already.
    async fn extracted(&self, ids: &[DocumentId]) -> StoreResult<BTreeSet<DocumentId>>;
    /// The texts of those documents that the scope sees, in the order of `ids`.
    async fn texts(&self, scope: &Scope, ids: &[DocumentId]) -> StoreResult<Vec<DocumentText>>;
    async fn bytes(&self, scope: &Scope, id: DocumentId) -> StoreResult<Option<Bytes>>;
    /// A page of documents in the order (text_sha256, path, id), or with `query` by full text in the same order.
    async fn list(&self, scope: &Scope, query: &DocumentQuery) -> StoreResult<DocumentPage>;
    /// The visible documents whose text is the same.
    async fn same_text(&self, scope: &Scope, text_sha256: &str) -> StoreResult<Vec<Document>>;
    /// Notes credits. Of each document what was noted first stays: an agency, and a byline. A document that is gone is passed over.
    async fn add_credits(&self, credits: &[CreditedDocument]) -> StoreResult<()>;
    /// Texts of the scope that may repeat one of these texts: whose sketch shares a band with it, or which are credited to the same agency
    /// in documents of the scope that were published within `query.agency_days` of each other. At most `query.limit`, those with the
    /// least hashes. A text without a sketch and without an agency leads to nothing.
    async fn near_texts(
        &self,
        scope: &Scope,
        texts: &[String],
        query: origins::NearQuery,
    ) -> StoreResult<Vec<origins::ComparedText>>;
    /// Makes sketches of at most `limit` texts that were stored before there were any; gives how many it made.
    async fn sketch_texts(&self, limit: u32) -> StoreResult<u64>;
    /// Removes the documents, blobs and texts of a collection that nothing else needs, and the collection itself with its
    /// investigations, queued orders too. Use `library::remove_collection`, which removes the other parts first.
    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()>;
}

/// What was read, ready to be stored: `document` with its bytes and text.
#[derive(Debug, Clone)]
pub struct Capture {
    pub document: Document,
    pub bytes: Bytes,
    pub text: String,
}

/// Which documents, and how many.
#[derive(Debug, Clone, Default)]
pub struct DocumentQuery {
    /// Words that the text or title must hold; none: all.
    pub text: Option<String>,
    /// Only documents that no Processor has extracted yet.
    pub only_unextracted: bool,
    /// Only what was there when a page had this `as_of`: what arrives later shifts no offset.
    pub as_of: Option<u64>,
    pub offset: u64,
    pub limit: u32,
    pub order: DocumentOrder,
}

/// Which files that could not be read, and how many.
#[derive(Debug, Clone, Copy, Default)]
pub struct RejectedQuery {
    /// None: all of the library.
    pub investigation: Option<InvestigationId>,
    pub offset: u64,
    pub limit: u32,
}

/// How a page of documents is sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DocumentOrder {
    /// By hash of the text, then path: the same for the same files, however they arrived. For agents.
    #[default]
    Stable,
    /// Newest publication first, undated last. For people.
    Newest,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DocumentPage {
    pub documents: Vec<Document>,
    /// How many match in all.
    pub total: u64,
    /// The state of what the scope sees; it grows with each document that is added.
    pub as_of: u64,
}
