//! Tensions that sprang from another one.

use super::{TensionStore, bounded, scope_list, visible};
use crate::tension::TensionId;
use adapters::sql::{read, rows};
use domain::Scope;
use engine::StoreResult;
use uuid::Uuid;

const CHILDREN: &str = concat!(
    "select t.id, t.title from spawned_from f join tensions t on t.id = f.tension_id where f.parent_id = $2 and ",
    visible!(),
    " order by t.title, t.id",
    bounded!()
);

impl TensionStore {
    /// Returns the visible tensions that the work on this one brought up, with their titles.
    pub async fn children(&self, scope: &Scope, id: TensionId) -> StoreResult<Vec<(TensionId, String)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String)> = rows!(conn.fetch_all, CHILDREN; scope_list(scope), id.0);
            rows.into_iter().map(|(id, title)| (TensionId(id), title)).collect()
        })
    }
}
