//! Reviews of pairs from the rows of a backend.

use domain::{EntityId, ReviewId, Timestamp, UserId, entity::Review};
use serde::Deserialize;
use sqlx::FromRow;
use uuid::Uuid;

/// A pair with its survivors, the best reason, and the last decision.
#[derive(Deserialize, FromRow)]
pub(in crate::graph) struct ReviewRow {
    id: Uuid,
    left_id: Uuid,
    right_id: Uuid,
    score: f64,
    why: String,
    created_at: i64,
    postponed_at: Option<i64>,
    decided_by: Option<Uuid>,
    decided_at: Option<i64>,
}

impl From<ReviewRow> for Review {
    fn from(row: ReviewRow) -> Self {
        Self {
            id: ReviewId(row.id),
            left: EntityId(row.left_id),
            right: EntityId(row.right_id),
            score: row.score,
            why: row.why,
            created_at: Timestamp::from_micros(row.created_at),
            postponed_at: row.postponed_at.map(Timestamp::from_micros),
            decided_by: row.decided_by.map(UserId),
            decided_at: row.decided_at.map(Timestamp::from_micros),
        }
    }
}
