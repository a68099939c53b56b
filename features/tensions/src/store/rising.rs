//! Tensions whose heat rises, for one person in one statement.

use super::TensionStore;
use crate::{
    heat::{from_thousandths, thousandths},
    tension::TensionId,
};
use adapters::{
    read_by,
    sql::{read, rows},
};
use domain::user::User;
use engine::StoreResult;
use uuid::Uuid;

/// A tension whose heat rises.
#[derive(Debug, Clone, PartialEq)]
pub struct RisingTension {
    pub id: TensionId,
    pub title: String,
    /// Code of its region.
    pub region: String,
    /// Heat of its last snapshot.
    pub heat: f64,
    pub is_sample: bool,
}

/// Active tensions that the person `$1` reads and whose dated evidence raised the heat by `$3` since the day `$2`; those of the sample
/// if `$4`.
const RISING: &str = concat!(
    "select t.id, t.title, t.region, t.cause_heat, c.kind
       from tensions t join collections c on c.id = t.collection_id
            left join heat_snapshots h on h.tension_id = t.id and h.day = $2
      where t.state = 'active' and coalesce(t.dated_heat, t.cause_heat) - coalesce(h.dated_heat, h.heat, 0) >= $3 and ($4 or c.kind <> 'sample') and ",
    read_by!("$1"),
    " and exists (select 1 from tension_evidence v join documents o on o.id = v.document_id
                             join collections c on c.id = o.collection_id
                   where v.tension_id = t.id and ",
    read_by!("$1"),
    ") order by coalesce(t.dated_heat, t.cause_heat) - coalesce(h.dated_heat, h.heat, 0) desc, t.title, t.id limit $5"
);

impl TensionStore {
    /// Returns the tensions that rose most since a day, by `least` or more. A hidden sample is left out.
    pub async fn rising(&self, viewer: &User, since: i64, least: f64, limit: u32) -> StoreResult<Vec<RisingTension>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String, String, i64, String)> = rows!(conn.fetch_all, RISING; viewer.id.0, since,
                thousandths(least), !viewer.preferences.hides_sample, i64::from(limit));
            let rising = |(id, title, region, heat, kind): (Uuid, String, String, i64, String)| RisingTension {
                id: TensionId(id),
                title,
                region,
                heat: from_thousandths(heat),
                is_sample: kind == "sample",
            };
            rows.into_iter().map(rising).collect()
        })
    }
}
