//! Ancestry of the tensions of the example.

use super::TensionStore;
use crate::tension::TensionId;
use adapters::sql::{types::Moment, write};
use domain::Timestamp;
use engine::StoreResult;

impl TensionStore {
    /// Records that a tension sprang from another, with one origin. Where one of them is gone, nothing happens.
    pub async fn add_parent(&self, child: TensionId, parent: TensionId, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            sqlx::query(
                "insert into spawned_from (tension_id, parent_id, spawned_at, origins)
                 select t.id, p.id, $3, 1 from tensions t, tensions p where t.id = $1 and p.id = $2
                 on conflict (tension_id, parent_id) do nothing",
            )
            .bind(child.0)
            .bind(parent.0)
            .bind(Moment(now))
            .execute(&mut *conn)
            .await?;
        })
    }
}
