//! Ingestion: what a source has read becomes Documents. The engine alone writes them.

use super::Capture;
use crate::{Engine, StoreError, evidence::sha256_hex};
use bytes::Bytes;
use domain::{
    CollectionId, DocumentId, InvestigationId, PublicationDate, Scope,
    document::{Credits, Document, RejectedFile},
    event::EventKind,
    fetch::FetchedDocument,
};
use futures::{Stream, StreamExt};
use std::{collections::BTreeSet, pin::pin};

/// Something that a source has read.
#[derive(Debug, Clone)]
pub struct ReadFile {
    /// As the source names it.
    pub path: String,
    pub bytes: Bytes,
    /// Hex SHA-256 of `bytes`.
    pub sha256: String,
    pub media_type: String,
    /// UTF-8, LF, no U+0000.
    pub text: String,
    /// Name and version of what made the text.
    pub extractor: String,
    pub title: String,
    pub outlet: Option<String>,
    pub published: Option<PublicationDate>,
    pub language: Option<String>,
}

impl ReadFile {
    /// What Fetch gave, as the library takes it.
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
        }
    }
}

/// What became of the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IngestReport {
    /// Documents that are new.
    pub stored: u64,
    /// Documents that were there already, or whose text the reader could read elsewhere.
    pub known: u64,
    /// Files with their reasons.
    pub rejected: Vec<RejectedFile>,
}

impl IngestReport {
    /// Both together.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            stored: self.stored + other.stored,
            known: self.known + other.known,
            rejected: [&self.rejected[..], &other.rejected].concat(),
        }
    }
}

/// Documents written in one transaction.
const BATCH: usize = 32;

/// Stores everything that comes, in batches; what could not be read is recorded with its reason and costs nothing else. `reader` is
/// what whoever brings the files may read: nobody is told what is known to others alone.
pub async fn ingest(
    engine: &Engine,
    collection_id: CollectionId,
    reader: &Scope,
    investigation: Option<InvestigationId>,
    files: impl Stream<Item = Result<ReadFile, RejectedFile>>,
    mut on_progress: impl FnMut(&IngestReport),
) -> Result<IngestReport, StoreError> {
    let mut report = IngestReport::default();
    // Texts that came before in this upload: the second of two copies is known, in whichever batch it comes.
    let mut seen = BTreeSet::new();
    let mut chunks = pin!(files.chunks(BATCH));
    while let Some(chunk) = chunks.next().await {
        let texts = chunk.iter().filter_map(|file| Some(sha256_hex(file.as_ref().ok()?.text.as_bytes())));
        let texts: Vec<String> = texts.collect();
        let hashes: Vec<&str> = texts.iter().map(String::as_str).collect();
        let readable = engine.documents.known_texts(reader, &hashes).await?;
        let Stored { documents, are_new, rejected, .. } = store(engine, collection_id, investigation, chunk).await?;
        for (document, is_new) in documents.into_iter().zip(are_new) {
            let is_first = is_new && !readable.contains(&document.text_sha256) && seen.insert(document.text_sha256);
            *(if is_first { &mut report.stored } else { &mut report.known }) += 1;
        }
        report.rejected.extend(rejected);
        on_progress(&report);
    }
    Ok(report)
}

/// What became of a few files.
#[derive(Debug, Clone, Default)]
pub struct Stored {
    /// In the order of the files.
    pub documents: Vec<Document>,
    /// Which of them are new, in the same order, and how many.
    pub are_new: Vec<bool>,
    pub new: u64,
    pub rejected: Vec<RejectedFile>,
}

/// Stores a few files; what could not be read, or is refused by the store, is recorded with its reason.
pub async fn store(
    engine: &Engine,
    collection_id: CollectionId,
    investigation: Option<InvestigationId>,
    files: Vec<Result<ReadFile, RejectedFile>>,
) -> Result<Stored, StoreError> {
    let (mut captures, mut rejected) = (vec![], vec![]);
    for file in files {
        match file {
            Ok(file) => captures.push(capture(engine, collection_id, file)),
            Err(file) => rejected.push(file),
        }
    }
    // A document that was there already has another id than its capture.
    let mut drawn: BTreeSet<DocumentId> = captures.iter().map(|capture| capture.document.id).collect();
    let (documents, new) = add(engine, captures, &mut rejected).await?;
    let are_new = documents.iter().map(|document| drawn.remove(&document.id)).collect();
    engine.documents.add_rejected(collection_id, investigation, &rejected).await?;
    metrics::counter!("autosint_files_rejected_total").increment(rejected.len() as u64);
    metrics::counter!("autosint_documents_stored_total").increment(new);
    metrics::counter!("autosint_documents_known_total").increment(documents.len() as u64 - new);
    Ok(Stored { documents, are_new, new, rejected })
}

/// Stores captures; gives the documents and how many of them are new. What the store refuses, alone or not, becomes a
/// rejected file and holds nothing else up.
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

/// Tells who watches an investigation what was ingested for it.
pub async fn announce(engine: &Engine, investigation: InvestigationId, report: &IngestReport) -> Result<(), StoreError> {
    let happening =
        EventKind::DocumentsIngested { stored: report.stored, copies: report.known, rejected: report.rejected.len() as u64 };
    engine.events.append(investigation, engine.clock.now(), happening).await?;
    Ok(())
}

fn capture(engine: &Engine, collection_id: CollectionId, file: ReadFile) -> Capture {
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
    Capture { document, bytes: file.bytes, text: file.text }
}
