//! New tensions as products.

use super::{TensionStore, scope_list, visible};
use crate::tension::TensionId;
use adapters::{
    read_by,
    sql::{
        read, rows,
        types::{Moment, id_list},
    },
};
use domain::{ClaimId, CollectionId, Scope, Timestamp};
use engine::StoreResult;
use feature::{ProductMark, ReadPair};
use uuid::Uuid;

/// Most pieces of evidence of some tensions that are read.
const MAX_EVIDENCE: i64 = 2_000;

/// Columns of a `ProductRow`, of active tensions `t`.
macro_rules! new_tensions {
    () => {
        "select t.id, t.title, t.statement, t.region, t.theme, t.kind, t.created_at from tensions t where t.state = 'active' and "
    };
}

const ARRIVED: &str =
    concat!(new_tensions!(), "(t.created_at > $1 or (t.created_at = $1 and t.id > $2)) order by t.created_at, t.id limit $3");
const NEWEST: &str =
    concat!(new_tensions!(), "t.created_at >= $2 and ", visible!(), " order by t.created_at desc, t.id desc limit $3");
/// Claims of documents of the tension's own collection, which everybody who sees it reads.
const CLAIMS: &str = "
    select e.tension_id, e.claim_id, t.collection_id
      from tension_evidence e join tensions t on t.id = e.tension_id
      join documents d on d.id = e.document_id and d.collection_id = t.collection_id
     where e.tension_id in (select unhex(value) from json_each($1)) order by e.day desc, e.tension_id, e.claim_id limit $2";

/// End of a statement over pairs of a person and a tension: `visible` for the person of each pair.
const READ: &str = concat!(
    ") select asked.person, asked.product from asked
         join tensions t on t.id = coalesce((select m.survivor_id from tension_merges m where m.merged_id = asked.product),
                                            asked.product)
        where exists (select 1 from collections c where c.id = t.collection_id and ",
    read_by!("asked.person"),
    ") and exists (select 1 from tension_evidence v join documents o on o.id = v.document_id
                     join collections c on c.id = o.collection_id where v.tension_id = t.id and ",
    read_by!("asked.person"),
    ")"
);

/// New tension with what it is matched by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensionProduct {
    pub id: TensionId,
    pub title: String,
    pub statement: String,
    /// Codes of its region, theme and kind.
    pub region: String,
    pub theme: String,
    pub kind: String,
    pub created_at: Timestamp,
}

type ProductRow = (Uuid, String, String, String, String, String, Moment);

fn product((id, title, statement, region, theme, kind, created_at): ProductRow) -> TensionProduct {
    TensionProduct { id: TensionId(id), title, statement, region, theme, kind, created_at: created_at.0 }
}

impl TensionStore {
    /// Returns the active tensions of everybody after a mark, oldest first.
    pub async fn arrived(&self, after: ProductMark, limit: u32) -> StoreResult<Vec<TensionProduct>> {
        read!(self.0, conn => {
            let rows: Vec<ProductRow> = rows!(conn.fetch_all, ARRIVED; Moment(after.at), after.id, i64::from(limit));
            rows.into_iter().map(product).collect()
        })
    }

    /// Returns the active visible tensions since a time, newest first.
    pub async fn newest(&self, scope: &Scope, since: Timestamp, limit: u32) -> StoreResult<Vec<TensionProduct>> {
        read!(self.0, conn => {
            let rows: Vec<ProductRow> = rows!(conn.fetch_all, NEWEST; scope_list(scope), Moment(since), i64::from(limit));
            rows.into_iter().map(product).collect()
        })
    }

    /// Returns those of some pairs whose person reads the tension.
    pub async fn read_pairs(&self, pairs: &[ReadPair]) -> StoreResult<Vec<ReadPair>> {
        self.0.read_pairs(READ, pairs).await
    }

    /// Returns the claims that some tensions rest on, with their collection; of many the newest.
    pub async fn resting_claims(&self, ids: &[TensionId]) -> StoreResult<Vec<(TensionId, ClaimId, CollectionId)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Uuid, Uuid)> = rows!(conn.fetch_all, CLAIMS; id_list(ids.iter().map(|id| id.0)), MAX_EVIDENCE);
            let resting = |(tension, claim, collection): (Uuid, Uuid, Uuid)| {
                (TensionId(tension), ClaimId(claim), CollectionId(collection))
            };
            rows.into_iter().map(resting).collect()
        })
    }
}
