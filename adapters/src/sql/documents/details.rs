//! Details of documents: authors, last change and tables. What was recorded first stays.

use super::row::publication_date;
use crate::sql::{fault::Fault, types::Moment};
use domain::{document::DocumentDetails, fetch::Table};
use sqlx::types::Json;

/// Inserts the details of captures, for the documents with the ids that are stored. Parameters of a pair: the stored id, and the
/// capture.
macro_rules! insert_details {
    ($conn:expr, $stored:expr) => {
        let detailed: Vec<_> = $stored.iter().filter(|(_, capture)| capture.details != DocumentDetails::default()).collect();
        insert_all!(
            $conn,
            detailed,
            "insert into document_details (document_id, byline, updated_value, updated_precision, updated_basis, tables) ",
            |row, pair| {
                let DocumentDetails { byline, updated, tables } = &pair.1.details;
                row.push_bind(pair.0.0)
                    .push_bind(byline)
                    .push_bind(updated.map(|updated| Moment(updated.value)))
                    .push_bind(updated.map(|updated| updated.precision.as_str()))
                    .push_bind(updated.map(|updated| updated.basis.as_str()))
                    .push_bind(Json(tables))
            },
            " on conflict (document_id) do nothing"
        );
    };
}
pub(super) use insert_details;

/// Columns of `document_details`.
#[derive(sqlx::FromRow)]
pub(in crate::sql) struct DetailsRow {
    byline: Option<String>,
    updated_value: Option<Moment>,
    updated_precision: Option<String>,
    updated_basis: Option<String>,
    tables: Json<Vec<Table>>,
}

impl DetailsRow {
    pub(in crate::sql) fn details(self) -> Result<DocumentDetails, Fault> {
        let updated = publication_date(self.updated_value, self.updated_precision.as_deref(), self.updated_basis.as_deref())?;
        Ok(DocumentDetails { byline: self.byline, updated, tables: self.tables.0 })
    }
}
