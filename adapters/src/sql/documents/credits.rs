//! Credits of documents: the agency and byline first found.

use crate::sql::Store;
use engine::{StoreResult, library::CreditedDocument};
use sqlx::QueryBuilder;

/// Rows per insert statement, well under either database's limit of bound values.
const BATCH: usize = 256;

const INTO: &str = "insert into document_credits (document_id, agency, agency_key, byline, day)
     select d.id, g.column2, g.column3, g.column4, g.column5 from (";
/// Skips deleted documents and fills only missing credits.
const CONFLICT: &str = ") g join documents d on d.id = g.column1 where true
     on conflict (document_id) do update set
         agency_key = case when document_credits.agency is null then excluded.agency_key else document_credits.agency_key end,
         agency = coalesce(document_credits.agency, excluded.agency),
         byline = coalesce(document_credits.byline, excluded.byline)";

impl Store {
    pub(super) async fn note_credits(&self, credits: &[CreditedDocument]) -> StoreResult<()> {
        write!(self, conn => {
            for batch in credits.chunks(BATCH) {
                let mut insert = QueryBuilder::new(INTO);
                insert.push_values(batch, |mut row, credited| {
                    row.push_bind(credited.document_id.0)
                        .push_bind(&credited.credits.agency)
                        .push_bind(&credited.agency_key)
                        .push_bind(&credited.credits.byline)
                        .push_bind(credited.day);
                });
                insert.push(CONFLICT);
                insert.build().persistent(false).execute(&mut *conn).await?;
            }
        })
    }
}
