//! Rows of collections, and the rule of who reads them.

use crate::sql::{
    fault::Fault,
    types::{Moment, word},
};
use domain::{Collection, CollectionId, CollectionKind, UserId};
use uuid::Uuid;

/// Condition for collections `c` that the person of the parameter reads.
///
/// Invariant: the one rule of who reads documents, claims, entities and what is drawn from them.
#[macro_export]
macro_rules! read_by {
    ($person:literal) => {
        concat!(
            "(c.kind <> 'private' or c.owner = ",
            $person,
            " or exists (select 1 from collection_teams s join team_members m on m.team_id = s.team_id
                where s.collection_id = c.id and m.user_id = ",
            $person,
            "))"
        )
    };
}

pub(super) use crate::read_by;

#[derive(sqlx::FromRow)]
pub(super) struct CollectionRow {
    id: Uuid,
    kind: String,
    name: String,
    owner: Uuid,
    created_at: Moment,
}

impl CollectionRow {
    pub fn collection(self) -> Result<Collection, Fault> {
        Ok(Collection {
            id: CollectionId(self.id),
            kind: word("kind of collection", &self.kind, CollectionKind::parse)?,
            name: self.name,
            owner: UserId(self.owner),
            created_at: self.created_at.0,
        })
    }
}
