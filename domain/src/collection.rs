//! Collections, which decide who may see a document, and scopes, the collections that one reader sees.

use crate::{CollectionId, Timestamp, UserId};
use serde::{Deserialize, Serialize};

/// Visibility of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CollectionKind {
    /// Everybody with an account.
    Shared,
    /// The sample: everybody, removable as a whole.
    Sample,
    /// Its owner alone.
    Private,
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
    /// Whether `reader` may see the collection.
    pub fn is_open_to(&self, reader: UserId) -> bool {
        self.kind != CollectionKind::Private || self.owner == reader
    }
}

/// The collections that a reader may see. Every port method that reads documents, graph or products takes one.
///
/// Invariant: sorted and without doubles, so that equal scopes compare and hash alike. An empty scope sees nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<CollectionId>", into = "Vec<CollectionId>")]
pub struct Scope {
    collections: Vec<CollectionId>,
}

impl Scope {
    pub fn new(mut collections: Vec<CollectionId>) -> Self {
        collections.sort_unstable();
        collections.dedup();
        Self { collections }
    }

    pub fn collections(&self) -> &[CollectionId] {
        &self.collections
    }

    pub fn sees(&self, collection: CollectionId) -> bool {
        self.collections.binary_search(&collection).is_ok()
    }

    /// This and one collection more.
    #[must_use]
    pub fn with(&self, collection: CollectionId) -> Scope {
        Scope::new(self.collections.iter().copied().chain([collection]).collect())
    }

    /// Returns the collections in both scopes.
    pub fn intersect(&self, other: &Scope) -> Scope {
        Scope { collections: self.collections.iter().copied().filter(|id| other.sees(*id)).collect() }
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
        Self { collections: vec![collection] }
    }
}
