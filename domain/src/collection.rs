//! Collections, which decide who may see a document, and scopes, the collections that one reader sees.

use crate::{
    CollectionId, Timestamp, UserId,
    user::{Action, User},
};
use serde::{Deserialize, Serialize};

crate::words! {
    /// Visibility of a collection.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CollectionKind {
        /// Everybody with an account.
        Shared = "shared",
        /// The sample: everybody, removable as a whole.
        Sample = "sample",
        /// Its owner, and the members of the team that they opened it to.
        Private = "private",
    }
}

/// A set of documents with the same visibility.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    pub id: CollectionId,
    pub kind: CollectionKind,
    /// Unique per owner.
    pub name: String,
    pub owner: UserId,
    pub created_at: Timestamp,
}

impl Collection {
    /// Whether `user` may delete its documents: the owner of a private one, an administrator of the others.
    pub fn is_edited_by(&self, user: &User) -> bool {
        match self.kind {
            CollectionKind::Private => self.owner == user.id && user.role.may(Action::Investigate),
            CollectionKind::Shared | CollectionKind::Sample => user.role.may(Action::RemoveSample),
        }
    }
}

/// The collections that a reader may see. Every port method that reads documents, graph or products takes one.
///
/// Invariant: sorted and without doubles, so that equal scopes compare and hash alike. An empty scope sees nothing. Only the scope of a
/// page or request names its reader; the scope of an investigation, which its agents read with, never does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<CollectionId>", into = "Vec<CollectionId>")]
pub struct Scope {
    collections: Vec<CollectionId>,
    reader: Option<UserId>,
}

impl Scope {
    pub fn new(mut collections: Vec<CollectionId>) -> Self {
        collections.sort_unstable();
        collections.dedup();
        Self { collections, reader: None }
    }

    /// This scope of one person, who also reads the reports that others made visible to them.
    #[must_use]
    pub fn read_by(self, reader: UserId) -> Self {
        Self { reader: Some(reader), ..self }
    }

    /// Returns the person that reads, if any.
    pub const fn reader(&self) -> Option<UserId> {
        self.reader
    }

    /// This scope without one collection.
    #[must_use]
    pub fn without(&self, collection: CollectionId) -> Self {
        let kept = self.collections.iter().copied().filter(|id| *id != collection).collect();
        Self { collections: kept, reader: self.reader }
    }

    pub fn collections(&self) -> &[CollectionId] {
        &self.collections
    }

    pub fn sees(&self, collection: CollectionId) -> bool {
        self.collections.binary_search(&collection).is_ok()
    }

    /// These collections and one more, without a reader.
    #[must_use]
    pub fn with(&self, collection: CollectionId) -> Scope {
        Scope::new(self.collections.iter().copied().chain([collection]).collect())
    }

    /// Returns the collections in both scopes, without a reader.
    pub fn intersect(&self, other: &Scope) -> Scope {
        Scope { collections: self.collections.iter().copied().filter(|id| other.sees(*id)).collect(), reader: None }
    }
}

impl From<Vec<CollectionId>> for Scope {
    fn from(collections: Vec<CollectionId>) -> Self {
        Self::new(collections)
    }
}

impl From<Scope> for Vec<CollectionId> {
    fn from(scope: Scope) -> Self {
        scope.collections
    }
}

impl From<CollectionId> for Scope {
    fn from(collection: CollectionId) -> Self {
        Self { collections: vec![collection], reader: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn the_scope_of_an_investigation_has_no_reader() {
        let [one, other] = [1, 2].map(|n| CollectionId(Uuid::from_u128(n)));
        let page = Scope::new(vec![other, one]).read_by(UserId(Uuid::from_u128(3)));
        assert!(page.without(one).reader().is_some());
        assert_eq!(page.without(one).collections(), [other]);
        assert_eq!(page.with(one).reader(), None);
        assert_eq!(page.intersect(&page).reader(), None);
        let stored: Scope = serde_json::from_str(&serde_json::to_string(&page).unwrap()).unwrap();
        assert_eq!(stored, Scope::new(vec![one, other]), "an agent reads with what was stored");
    }
}
