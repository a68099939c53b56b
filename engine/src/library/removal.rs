//! Removing a collection with everything that was drawn from it.
//!
//! Invariant: removal is final. The graph goes first and keeps a tombstone, so that writes in flight are refused.

use crate::{Engine, StoreResult};
use domain::CollectionId;

/// Removes documents, claims, investigations and assessments of a collection. Harmless when repeated, and safe while the collection is
/// being investigated: the graph refuses it from the first step on, and the last step takes the investigations, orders and sessions
/// along, so that whoever works on them has nowhere left to write.
pub async fn remove_collection(engine: &Engine, id: CollectionId) -> StoreResult<()> {
    engine.graph.remove_collection(id).await?;
    engine.assessments.remove_collection(id).await?;
    engine.documents.remove_collection(id).await
}
