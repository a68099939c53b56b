//! Report as a person exports it: within what they read, with the passages that it quotes.
//!
//! Invariant: nothing is exported of a report that rests on documents which the person may not open, and no name of a file.

use crate::{
    passage::{Passage, Quotation},
    settings::BundleSettings,
    signing::UNREADABLE_KEY,
};
use app::{AppError, Fault};
use domain::{
    AssessmentId, DocumentId, Timestamp,
    assessment::{Assessment, Citation},
    document::{Document, host},
    fetch::PageFinding,
    user::User,
};
use engine::{StoreError, StoreResult, accounts};
use feature::{
    CommandError, Web,
    shareable::{PRIVATE_DOCUMENT, PrivateNames},
};
use serde_json::Value;
use std::collections::HashMap;

/// Refusal of a report with documents of others.
const PRIVATE: &str = "This report rests on documents that you may not open. Ask its owner to export it.";

/// Report with its quotations, in the order of their markers.
pub struct ExportedReport {
    pub assessment: Assessment,
    /// Later findings on its pages.
    pub findings: Vec<PageFinding>,
    pub created_at: Timestamp,
    pub quotations: Vec<Quotation>,
    /// Names of its private documents.
    pub names: PrivateNames,
}

/// Refusal or failure of an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Missing, or hidden from the person.
    #[error("assessment not found: check the id, --person and --data-dir")]
    NotFound,
    /// It rests on documents that the person may not open.
    #[error("{}", PRIVATE)]
    Private,
    /// The signing key cannot be decrypted.
    #[error("{}", UNREADABLE_KEY)]
    UnreadableKey,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ExportError> for AppError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::NotFound => Self::not_found("assessment"),
            ExportError::Private => Self::not_allowed(PRIVATE),
            ExportError::UnreadableKey => Self { fault: Fault::Unavailable, message: UNREADABLE_KEY.to_owned() },
            ExportError::Store(error) => error.into(),
        }
    }
}

impl From<ExportError> for CommandError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Store(error) => error.into(),
            other => Self::Usage(other.to_string()),
        }
    }
}

/// Loads a report for the export by `person`. Deleted documents leave their quotes without a passage.
pub async fn load(web: &Web, person: &User, id: AssessmentId) -> Result<ExportedReport, ExportError> {
    let engine = &web.engine;
    let scope = engine.read_scope(person).await?;
    let stored = engine.assessments.assessment(&scope, id).await?.ok_or(ExportError::NotFound)?;
    if stored.collections.iter().any(|collection| !scope.sees(*collection)) {
        return Err(ExportError::Private);
    }
    let ((assessment, names), created_at) = (without_names(stored.assessment)?, stored.created_at);
    let cited = Vec::from_iter(assessment.cited());
    let found = if cited.is_empty() { vec![] } else { engine.documents.documents_with_texts(&scope, &cited, &cited).await? };
    let documents: HashMap<DocumentId, (Document, Option<String>)> =
        found.into_iter().map(|(document, text)| (document.id, (document, text))).collect();
    let closed: Vec<DocumentId> = cited.into_iter().filter(|id| !documents.contains_key(id)).collect();
    if any_exists(web, &closed).await? {
        return Err(ExportError::Private);
    }
    let context = web.settings.get::<BundleSettings>().context_bytes;
    let quotation = |citation: &Citation| {
        let found = documents.get(&citation.document_id).filter(|(document, _)| document.text_sha256 == citation.text_sha256);
        let text = found.and_then(|(_, text)| text.as_deref());
        let passage = text.and_then(|text| Passage::cut(text, citation.span, context));
        Quotation::new(citation, found.map(|(document, _)| document.captured_at), passage)
    };
    let mut quotations: Vec<Quotation> = assessment.citations.iter().map(quotation).collect();
    quotations.sort_by_key(|quotation| quotation.marker);
    let findings = engine.found_later(&scope, &assessment).await?;
    Ok(ExportedReport { assessment, findings, created_at, quotations, names })
}

/// Returns a report without the names of files in its own words and its citations, and the names. Quotes and passages stay as they are.
fn without_names(mut assessment: Assessment) -> StoreResult<(Assessment, PrivateNames)> {
    let mut names = PrivateNames::default();
    for citation in assessment.citations.iter_mut().filter(|citation| host(&citation.document_path).is_none()) {
        let Citation { document_path: path, document_title: title, .. } = citation;
        names.add(path);
        *title = if path.contains(title.as_str()) { PRIVATE_DOCUMENT.to_owned() } else { names.hide(title) };
        *path = PRIVATE_DOCUMENT.to_owned();
    }
    let defect = |error: serde_json::Error| StoreError::Defect(error.to_string());
    let mut value = serde_json::to_value(&assessment).map_err(defect)?;
    hide(&mut value, &names);
    Ok((serde_json::from_value(value).map_err(defect)?, names))
}

/// Hides names in prose: in texts with white space, which ids, days and hashes have not.
fn hide(value: &mut Value, names: &PrivateNames) {
    match value {
        Value::String(text) if text.contains(char::is_whitespace) => *text = names.hide(text),
        Value::Array(list) => list.iter_mut().for_each(|inner| hide(inner, names)),
        Value::Object(fields) => {
            fields.iter_mut().filter(|(key, _)| *key != "quote").for_each(|(_, inner)| hide(inner, names));
        }
        _ => {}
    }
}

/// Returns whether any of these documents exists, in any collection.
async fn any_exists(web: &Web, documents: &[DocumentId]) -> StoreResult<bool> {
    if documents.is_empty() {
        return Ok(false);
    }
    let scope = accounts::every_collection(&web.engine).await?;
    Ok(!web.engine.documents.documents(&scope, documents).await?.is_empty())
}
