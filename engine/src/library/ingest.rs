//! Ingestion: files read by sources become documents. Only the engine writes documents.

use super::{Capture, unarchive_added};
use crate::{Engine, StoreError, evidence::sha256_hex};
use bytes::Bytes;
use domain::{
    CollectionId, DocumentId, InvestigationId, PublicationDate, Scope,
    document::{Credits, Document, DocumentDetails, RejectedFile},
    event::EventKind,
    fetch::FetchedDocument,
};
use futures::{Stream, StreamExt};
use std::{collections::BTreeSet, pin::pin};

/// File extracted by a source.
#[derive(Debug, Clone)]
pub struct ExtractedFile {
    /// Path, as named by the source.
    pub path: String,
    pub bytes: Bytes,
    /// Hex SHA-256 of `bytes`.
    pub sha256: String,
    pub media_type: String,
    /// UTF-8, LF, no U+0000.
    pub text: String,
    /// Name and version of the extractor.
    pub extractor: String,
    pub title: String,
    pub outlet: Option<String>,
    pub published: Option<PublicationDate>,
    pub language: Option<String>,
    pub details: DocumentDetails,
}

impl ExtractedFile {
    /// Converts a fetched document.
    pub fn new(document: FetchedDocument, bytes: Bytes) -> Self {
        Self {
            path: document.path,
            bytes,
            sha256: document.sha256,
            media_type: document.media_type,
            text: document.text,
            extractor: document.extractor,
            title: document.title,
            outlet: document.outlet,
            published: document.published,
            language: document.language,
            details: DocumentDetails { byline: document.byline, updated: document.updated, tables: document.tables },
        }
    }
}

/// Report of an ingestion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IngestReport {
    /// Number of new documents: rows that the library has more than before.
    pub stored: u64,
    /// Paths of the duplicates: files that were stored already, and new documents with a text that the reader reads elsewhere, in the
    /// library or in another file.
    pub known: Vec<String>,
    /// Rejected files with reasons.
    pub rejected: Vec<RejectedFile>,
}

impl IngestReport {
    /// Returns whether no file became a document.
    pub fn is_empty(&self) -> bool {
        self.stored == 0 && self.known.is_empty()
    }

    /// Adds two reports.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            stored: self.stored + other.stored,
            known: [&self.known[..], &other.known].concat(),
            rejected: [&self.rejected[..], &other.rejected].concat(),
        }
    }
}

/// Documents per transaction.
const BATCH: usize = 32;

/// Stores a stream of files in batches. A rejected file is recorded with its reason and affects no other. `reader` is the scope
/// of the uploader, so that others' documents are not revealed.
pub async fn ingest(
    engine: &Engine,
    collection_id: CollectionId,
    reader: &Scope,
    investigation: Option<InvestigationId>,
    files: impl Stream<Item = Result<ExtractedFile, RejectedFile>>,
    mut on_progress: impl FnMut(&IngestReport),
) -> Result<IngestReport, StoreError> {
    let mut report = IngestReport::default();
    // Texts seen earlier in this upload: the second of two copies is a duplicate in any batch.
    let mut seen = BTreeSet::new();
    let mut chunks = pin!(files.chunks(BATCH));
    while let Some(chunk) = chunks.next().await {
        let texts = chunk.iter().filter_map(|file| Some(sha256_hex(file.as_ref().ok()?.text.as_bytes())));
        let texts: Vec<String> = texts.collect();
        let hashes: Vec<&str> = texts.iter().map(String::as_str).collect();
        let readable = engine.documents.known_texts(reader, &hashes).await?;
        let StoredFiles { documents, are_new, new, rejected } = store(engine, collection_id, investigation, chunk).await?;
        unarchive_added(engine, &documents, new).await?;
        for (document, is_new) in documents.into_iter().zip(are_new) {
            report.stored += u64::from(is_new);
            let has_known_text = readable.contains(&document.text_sha256) || !seen.insert(document.text_sha256);
            if !is_new || has_known_text {
                report.known.push(document.path);
            }
        }
        report.rejected.extend(rejected);
        on_progress(&report);
    }
    Ok(report)
}

/// Result of storing a few files.
#[derive(Debug, Clone, Default)]
pub struct StoredFiles {
    /// Documents in the order of the files.
    pub documents: Vec<Document>,
    /// Whether each document is new, and the number of new ones.
    pub are_new: Vec<bool>,
    pub new: u64,
    pub rejected: Vec<RejectedFile>,
}

/// Stores a few files; rejected ones are recorded with their reason.
pub async fn store(
    engine: &Engine,
    collection_id: CollectionId,
    investigation: Option<InvestigationId>,
    files: Vec<Result<ExtractedFile, RejectedFile>>,
) -> Result<StoredFiles, StoreError> {
    let (mut captures, mut rejected) = (vec![], vec![]);
    for file in files {
        match file {
            Ok(file) => captures.push(capture(engine, collection_id, file)),
            Err(file) => rejected.push(file),
        }
    }
    // An existing document keeps its own id.
    let mut drawn: BTreeSet<DocumentId> = captures.iter().map(|capture| capture.document.id).collect();
    let (documents, new) = add(engine, captures, &mut rejected).await?;
    let are_new = documents.iter().map(|document| drawn.remove(&document.id)).collect();
    engine.documents.add_rejected(collection_id, investigation, &rejected).await?;
    metrics::counter!("autosint_files_rejected_total").increment(rejected.len() as u64);
    metrics::counter!("autosint_documents_stored_total").increment(new);
    metrics::counter!("autosint_documents_known_total").increment(documents.len() as u64 - new);
    Ok(StoredFiles { documents, are_new, new, rejected })
}

/// Stores captures, and returns the documents and the number of new ones. Captures refused by the store become rejected files.
async fn add(
    engine: &Engine,
    captures: Vec<Capture>,
    rejected: &mut Vec<RejectedFile>,
) -> Result<(Vec<Document>, u64), StoreError> {
    match engine.documents.add_documents(&captures).await {
        Ok(stored) => return Ok(stored),
        Err(StoreError::Invalid(_)) => {}
        Err(error) => return Err(error),
    }
    let (mut stored, mut new) = (vec![], 0);
    for capture in captures {
        match engine.documents.add_documents(std::slice::from_ref(&capture)).await {
            Ok((documents, added)) => {
                stored.extend(documents);
                new += added;
            }
            Err(StoreError::Invalid(reason)) => rejected.push(RejectedFile { path: capture.document.path, reason }),
            Err(error) => return Err(error),
        }
    }
    Ok((stored, new))
}

/// Records an event with the result of an ingestion.
pub async fn announce(engine: &Engine, investigation: InvestigationId, report: &IngestReport) -> Result<(), StoreError> {
    let event = EventKind::DocumentsIngested {
        stored: report.stored,
        copies: report.known.len() as u64,
        copied: report.known.iter().take(engine.config.pages.duplicates_named).cloned().collect(),
        rejected: report.rejected.len() as u64,
    };
    engine.events.append(investigation, engine.clock.now(), event).await?;
    Ok(())
}

fn capture(engine: &Engine, collection_id: CollectionId, file: ExtractedFile) -> Capture {
    let document = Document {
        id: DocumentId(engine.ids.next()),
        collection_id,
        path: file.path,
        title: file.title,
        outlet: file.outlet,
        published: file.published,
        language: file.language,
        media_type: file.media_type,
        sha256: file.sha256,
        size_bytes: file.bytes.len() as u64,
        text_sha256: sha256_hex(file.text.as_bytes()),
        text_bytes: file.text.len() as u64,
        extractor: file.extractor,
        captured_at: engine.clock.now(),
        credits: Credits::default(),
    };
    Capture { document, bytes: file.bytes, text: file.text, details: file.details }
}
