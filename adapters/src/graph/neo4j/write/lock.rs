//! The lock that serialises writers, and the row numbers that it hands out.

use crate::graph::neo4j::{
    client::{Statement, Transaction},
    cypher,
};
use domain::CollectionId;
use engine::{StoreError, StoreResult};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

/// The state read under the lock.
#[derive(Deserialize)]
pub(in crate::graph::neo4j) struct WriterLock {
    /// The version of the graph that this transaction creates.
    pub version: i64,
    /// The last used row number.
    rows: i64,
    /// The requested collections that exist.
    pub collections: Vec<LockedCollection>,
}

#[derive(Deserialize)]
pub(in crate::graph::neo4j) struct LockedCollection {
    pub id: Uuid,
    pub n: i64,
    pub removed: bool,
}

impl WriterLock {
    /// Returns an unused row number.
    pub fn row(&mut self) -> i64 {
        self.rows += 1;
        self.rows
    }

    /// Returns the last used row number.
    pub fn last(&self) -> i64 {
        self.rows
    }

    pub fn used(&mut self, last: i64) {
        self.rows = self.rows.max(last);
    }

    /// Gives a new collection its row.
    pub fn new_collection(&mut self, id: CollectionId) -> i64 {
        let n = self.row();
        self.collections.push(LockedCollection { id: id.0, n, removed: false });
        n
    }

    pub fn collection(&self, id: CollectionId) -> Option<&LockedCollection> {
        self.collections.iter().find(|known| known.id == id.0)
    }
}

/// Waits for other writers and takes the lock.
pub(in crate::graph::neo4j) async fn lock(
    transaction: &mut Transaction,
    collections: impl IntoIterator<Item = CollectionId>,
) -> StoreResult<WriterLock> {
    let ids: Vec<CollectionId> = collections.into_iter().collect();
    let lock = transaction.read(Statement::new(cypher::write::LOCK).with("collections", json!(ids))).await?.pop();
    lock.ok_or_else(|| {
        StoreError::Defect("the graph in Neo4j was deleted while this process was running: restart AutOSINT".into())
    })
}
