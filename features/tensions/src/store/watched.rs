//! Tensions under ids that people watch, and those that rest on claims of the graph.

use super::{TensionStore, bounded, is_sample, scope_list, visible};
use crate::tension::TensionId;
use adapters::sql::{
    read, rows,
    types::{Moment, id_list},
};
use domain::{ClaimId, DocumentId, Scope, Timestamp};
use engine::StoreResult;
use uuid::Uuid;

/// A visible tension under the id that was asked for, which may be that of a merged one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedTension {
    pub asked: TensionId,
    pub id: TensionId,
    pub title: String,
    pub statement: String,
}

/// An active tension with a claim that it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestingTension {
    pub id: TensionId,
    pub title: String,
    pub claim: ClaimId,
    pub is_sample: bool,
}

/// Tensions `t` under the ids `c` of a parameter; the id of a merged one leads to its survivor.
macro_rules! asked_tensions {
    ($parameter:literal) => {
        concat!(
            " from json_each(",
            $parameter,
            ") c join tensions t on t.id = coalesce((select m.survivor_id from tension_merges m where m.merged_id = unhex(c.value)),
                                                unhex(c.value))"
        )
    };
}

const NAMED: &str = concat!("select unhex(c.value), t.id, t.title, t.statement", asked_tensions!("$2"), " where ", visible!());
const EXISTING: &str = concat!("select unhex(c.value), t.id", asked_tensions!("$1"));
const STORIES: &str = "
    select y.tension_id, max(y.written_at) from story_sentences y
     where y.tension_id in (select unhex(value) from json_each($2))
       and (y.document_id is null or exists (select 1 from documents d where d.id = y.document_id
              and d.collection_id in (select unhex(value) from json_each($1))))
     group by y.tension_id";
const RESTING: &str = concat!(
    "select t.id, t.title, e.claim_id, ",
    is_sample!(),
    " from tension_evidence e join tensions t on t.id = e.tension_id join documents d on d.id = e.document_id
      where t.state = 'active' and e.document_id in (select unhex(value) from json_each($2))
        and e.claim_id in (select unhex(value) from json_each($3))
        and d.collection_id in (select unhex(value) from json_each($1)) and ",
    visible!(),
    " order by t.last_day desc, t.title, t.id, e.claim_id",
    bounded!()
);

impl TensionStore {
    /// Returns the visible tensions under some ids.
    pub async fn named(&self, scope: &Scope, ids: &[TensionId]) -> StoreResult<Vec<NamedTension>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Uuid, String, String)> = rows!(conn.fetch_all, NAMED; scope_list(scope),
                id_list(ids.iter().map(|id| id.0)));
            let named = |(asked, id, title, statement): (Uuid, Uuid, String, String)| NamedTension {
                asked: TensionId(asked),
                id: TensionId(id),
                title,
                statement,
            };
            rows.into_iter().map(named).collect()
        })
    }

    /// Returns the ids of tensions that exist for anybody, each with the id that it has now.
    pub async fn existing(&self, ids: &[TensionId]) -> StoreResult<Vec<(TensionId, TensionId)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Uuid)> = rows!(conn.fetch_all, EXISTING; id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(|(asked, id)| (TensionId(asked), TensionId(id))).collect()
        })
    }

    /// Returns when the visible stories of some tensions were written.
    pub async fn story_times(&self, scope: &Scope, ids: &[TensionId]) -> StoreResult<Vec<(TensionId, Timestamp)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Moment)> = rows!(conn.fetch_all, STORIES; scope_list(scope),
                id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(|(id, at)| (TensionId(id), at.0)).collect()
        })
    }

    /// Returns the active visible tensions that rest on some visible claims of documents, the latest evidence first.
    pub async fn resting_on(&self, scope: &Scope, claims: &[(ClaimId, DocumentId)]) -> StoreResult<Vec<RestingTension>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String, Uuid, bool)> = rows!(conn.fetch_all, RESTING; scope_list(scope),
                id_list(claims.iter().map(|(_, document)| document.0)), id_list(claims.iter().map(|(claim, _)| claim.0)));
            let resting = |(id, title, claim, is_sample): (Uuid, String, Uuid, bool)| RestingTension {
                id: TensionId(id),
                title,
                claim: ClaimId(claim),
                is_sample,
            };
            rows.into_iter().map(resting).collect()
        })
    }
}
