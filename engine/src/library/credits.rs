//! Credits of documents: which agency a text is from and who wrote it, as the document says. Facts about a capture: what was noted first
//! stays.

use crate::graph::Resolve;
use domain::{
    DocumentId, Precision,
    document::{Credits, Document},
};

const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// The credits of one document, with what they are compared by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditedDocument {
    pub document_id: DocumentId,
    pub credits: Credits,
    /// What the credits of one agency have in common.
    pub agency_key: Option<String>,
    /// The day of publication, counted from 1970-01-01, where a day is known.
    pub day: Option<i64>,
}

impl CreditedDocument {
    pub fn new(document: &Document, credits: Credits, resolve: &dyn Resolve) -> Self {
        let dated = document.published.filter(|published| published.precision >= Precision::Day);
        Self {
            document_id: document.id,
            agency_key: credits.agency.as_deref().map(|agency| resolve.agency_key(agency)).filter(|key| !key.is_empty()),
            credits,
            day: dated.map(|published| published.value.as_micros().div_euclid(DAY_MICROS)),
        }
    }
}
