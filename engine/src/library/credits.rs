//! Document credits: agency and byline, as the document states them. The first recorded value stays.

use crate::graph::Resolve;
use domain::{
    DocumentId, Precision,
    document::{Credits, Document},
};

const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// Credits of one document, with comparison keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditedDocument {
    pub document_id: DocumentId,
    pub credits: Credits,
    /// Common key of an agency's spellings.
    pub agency_key: Option<String>,
    /// Publication day since 1970-01-01, if known to the day.
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
