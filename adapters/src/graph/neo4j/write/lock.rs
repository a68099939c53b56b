//! The lock that makes one writer at a time, and the row numbers that it gives out.

use crate::graph::neo4j::{
    client::{Statement, Transaction},
    cypher,
};
use domain::CollectionId;
use engine::{StoreError, StoreResult};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

/// What the holder of the lock knows.
#[derive(Deserialize)]
pub(in crate::graph::neo4j) struct WriterLock {
    /// The version that this transaction makes.
    pub version: i64,
    /// The last row number that is used.
    rows: i64,
    /// Those that were asked for and are there.
    pub collections: Vec<Collection>,
}

#[derive(Deserialize)]
pub(in crate::graph::neo4j) struct Collection {
    pub id: Uuid,
    pub n: i64,
    pub removed: bool,
}

impl WriterLock {
    /// A row number that nothing has had.
    pub fn row(&mut self) -> i64 {
        self.rows += 1;
        self.rows
    }

    /// The last row number that is used.
    pub fn last(&self) -> i64 {
        self.rows
    }

    pub fn used(&mut self, last: i64) {
        self.rows = self.rows.max(last);
    }

    pub fn collection(&self, id: CollectionId) -> Option<&Collection> {
        self.collections.iter().find(|known| known.id == id.0)
    }

    /// Notes which row numbers are used, with the commit.
    pub async fn release(&self, transaction: &mut Transaction) -> StoreResult<()> {
        transaction.run(Statement::new(cypher::write::USED).with("rows", self.rows)).await
    }
}

/// Waits until no other writer is at work.
pub(in crate::graph::neo4j) async fn lock(
    transaction: &mut Transaction,
    collections: impl IntoIterator<Item = CollectionId>,
) -> StoreResult<WriterLock> {
    let ids: Vec<CollectionId> = collections.into_iter().collect();
    let lock = transaction.read(Statement::new(cypher::write::LOCK).with("collections", json!(ids))).await?.pop();
    lock.ok_or_else(|| StoreError::Defect("the graph in Neo4j was deleted while this process ran: start it again".into()))
}
