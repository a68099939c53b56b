//! Ancestry of the tensions of the example.

use super::TensionStore;
use crate::tension::TensionId;
use adapters::sql::{execute, types::Moment, write};
use domain::Timestamp;
use engine::StoreResult;

impl TensionStore {
    /// Records that a tension sprang from another, with one origin. Where one of them is gone, nothing happens.
    pub async fn add_parent(&self, child: TensionId, parent: TensionId, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "insert into spawned_from (tension_id, parent_id, spawned_at, origins)
                 select t.id, p.id, $3, 1 from tensions t, tensions p where t.id = $1 and p.id = $2
                 on conflict (tension_id, parent_id) do nothing"; child.0, parent.0, Moment(now));
        })
    }
}
