//! Stored summaries of assessments, from which lists are made, with their states, by which lists are filtered.

use crate::sql::{Store, types::Moment};
use domain::{
    CollectionId,
    assessment::{Assessment, AssessmentSummary},
};
use engine::{StoreResult, assessments::StoredSummary};
use sqlx::types::Json;
use uuid::Uuid;

/// Stores the state and the summary of the assessment `$1`.
pub(in crate::sql) const PUT_SUMMARY: &str =
    "insert into assessment_summaries (assessment_id, state, summary, collections, is_partial, created_at)
     select a.id, $2, $3, a.collections, a.is_partial, a.created_at from assessments a where a.id = $1
     on conflict (assessment_id) do update set state = excluded.state, summary = excluded.summary,
         collections = excluded.collections, is_partial = excluded.is_partial, created_at = excluded.created_at";
/// Assessments whose summary is computed in one transaction.
const SUMMARIES_AT_ONCE: i64 = 200;

/// A row of a page of assessments; without a summary where the assessment could not be read.
#[derive(sqlx::FromRow)]
pub(super) struct PageRow {
    pub matching: i64,
    summary: Option<Json<AssessmentSummary>>,
    collections: Option<Json<Vec<CollectionId>>>,
    is_partial: Option<bool>,
    created_at: Option<Moment>,
}

impl PageRow {
    pub fn stored(self) -> Option<StoredSummary> {
        Some(StoredSummary {
            summary: self.summary?.0,
            collections: self.collections?.0,
            is_partial: self.is_partial?,
            created_at: self.created_at?.0,
        })
    }
}

/// Returns the statement that stores the summary of the assessment in the row of an id.
macro_rules! put_summary {
    ($id:expr, $assessment:expr) => {{
        let summary = domain::assessment::AssessmentSummary::from_assessment($assessment);
        sqlx::query($crate::sql::assessments::PUT_SUMMARY)
            .bind($id)
            .bind(summary.state.as_str())
            .bind(sqlx::types::Json(summary))
    }};
}
pub(in crate::sql) use put_summary;

impl Store {
    /// Computes the summaries that are missing, of assessments from before they were stored. Those that cannot be read have none.
    pub(in crate::sql) async fn fill_summaries(&self) -> StoreResult<()> {
        let mut after = Uuid::nil();
        loop {
            let missing: Vec<(Uuid, String)> = read!(self, conn => {
                rows!(conn.fetch_all, "select a.id, cast(a.body as text) from assessments a where a.id > $2
                     and not exists (select 1 from assessment_summaries s where s.assessment_id = a.id) order by a.id limit $1";
                    SUMMARIES_AT_ONCE, after)
            })?;
            let Some((last, _)) = missing.last() else { return Ok(()) };
            after = *last;
            write!(self, conn => {
                for (id, body) in &missing {
                    match serde_json::from_str::<Assessment>(body) {
                        Ok(assessment) => {
                            put_summary!(id, &assessment).execute(&mut *conn).await?;
                        }
                        Err(error) => tracing::warn!(assessment = %id, %error, "assessment not readable, left out of lists"),
                    }
                }
            })?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::test_store;

    #[tokio::test]
    async fn an_assessment_that_cannot_be_read_leaves_the_others_their_summaries() {
        let folder = tempfile::tempdir().unwrap();
        let store = test_store(folder.path()).await;
        let mut conn = store.sqlite().unwrap().writer.acquire().await.unwrap();
        sqlx::query("pragma foreign_keys = off").execute(&mut *conn).await.unwrap();
        let body = include_str!("../../../../domain/src/assessment/tests/stored_before.json");
        for (number, body) in [(1_u128, "{}"), (2, "no JSON"), (3, body)] {
            let id = Uuid::from_u128(number);
            let sql = "insert into assessments (id, investigation_id, is_partial, body, collections, entity_ids, created_at)
                values ($1, $1, 0, $2, '[]', '[]', 0)";
            sqlx::query(sql).bind(id).bind(body).execute(&mut *conn).await.unwrap();
        }
        drop(conn);
        store.fill_summaries().await.unwrap();
        let found: Vec<Uuid> = sqlx::query_scalar("select assessment_id from assessment_summaries")
            .fetch_all(&store.sqlite().unwrap().reader)
            .await
            .unwrap();
        assert_eq!(found, [Uuid::from_u128(3)]);
    }
}
