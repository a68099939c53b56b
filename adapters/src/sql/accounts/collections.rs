//! Rows of collections, and the rule of who reads them.

use crate::sql::{
    Store,
    fault::Fault,
    types::{Moment, word},
};
use domain::{Collection, CollectionId, CollectionKind, ObjectId, UserId};
use engine::StoreResult;
use uuid::Uuid;

/// Pairs of one statement, well under either database's limit of bound values.
const PAIRS_PER_STATEMENT: usize = 500;

/// Beginning of a statement over pairs of a person and an object. Their rows follow, then the end that the caller gives.
const PAIRS: &str = "with asked (person, product) as (";

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

impl Store {
    /// Returns those of some pairs whose person reads the object. `end` closes the common table expression `asked (person, product)` and
    /// selects from it, with `read_by!("asked.person")` as its condition.
    pub async fn read_pairs(&self, end: &'static str, pairs: &[(UserId, ObjectId)]) -> StoreResult<Vec<(UserId, ObjectId)>> {
        read!(self, conn => {
            let mut found = vec![];
            for rows in pairs.chunks(PAIRS_PER_STATEMENT) {
                let mut query = sqlx::QueryBuilder::new(PAIRS);
                query.push_values(rows, |mut row, (person, product)| {
                    row.push_bind(person.0).push_bind(product.0);
                });
                query.push(end);
                let read: Vec<(Uuid, Uuid)> = query.build_query_as().persistent(false).fetch_all(&mut *conn).await?;
                found.extend(read.into_iter().map(|(person, product)| (UserId(person), ObjectId(product))));
            }
            found
        })
    }
}

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
