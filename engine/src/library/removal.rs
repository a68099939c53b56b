//! Removal of a collection with all derived data.
//!
//! Invariant: removal is final. The graph is removed first and keeps a tombstone, which refuses writes in flight.

use crate::{Engine, StoreResult};
use domain::CollectionId;

/// Removes documents, claims, investigations and assessments of a collection. Idempotent, and safe during an investigation: the
/// graph refuses writes from the first step, and the last step removes investigations, orders and sessions.
pub async fn remove_collection(engine: &Engine, id: CollectionId) -> StoreResult<()> {
    engine.graph.remove_collection(id).await?;
    engine.assessments.remove_collection(id).await?;
    engine.documents.remove_collection(id).await
}
