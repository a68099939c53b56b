//! Insertion of entities, and the review list.

use super::lock::WriterLock;
use crate::graph::{
    neo4j::{client::Transaction, cypher},
    write_plan::{WriteContext, pack::PackContext, resolution::ReviewPair, reviews},
};
use engine::StoreResult;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Inserts the new entities.
pub(super) async fn insert(transaction: &mut Transaction, lock: &mut WriterLock, pack: &PackContext<'_>) -> StoreResult<()> {
    let new = pack.documents.iter().flat_map(|document| document.resolved.new_entities());
    let new = new.map(|entity| {
        lock.used(entity.n);
        json!({"n": entity.n, "id": entity.id})
    });
    transaction.run_rows(cypher::write::NEW_ENTITIES, new.collect()).await
}

/// Stores pairs that need review, and pairs that were told apart, with the reason. Where two collections have the pair open already, they
/// keep the higher score and its reason.
pub(super) async fn add_reviews(transaction: &mut Transaction, pack: &PackContext<'_>) -> StoreResult<()> {
    let mut pairs: Vec<(ReviewPair, Value)> = pack.documents.iter().flat_map(review_rows).collect();
    // A statement sees a pair as it was before, so a pair of two documents needs two.
    while !pairs.is_empty() {
        let mut seen = BTreeSet::new();
        let (first, again): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(pair, _)| seen.insert((pair.left, pair.right)));
        transaction.run_rows(cypher::write::REVIEWS, first.into_iter().map(|(_, row)| row).collect()).await?;
        pairs = again;
    }
    Ok(())
}

fn review_rows(document: &WriteContext<'_>) -> Vec<(ReviewPair, Value)> {
    let row = |pair: ReviewPair| {
        let row = json!({
            "id": pair.id, "left": pair.left, "right": pair.right, "score": pair.score, "why": pair.why, "closed": pair.is_closed,
            "document": document.write.document_id, "at": document.write.at.as_micros(), "pairs": pair.collections,
        });
        (pair, row)
    };
    reviews::pairs(document).into_iter().map(row).collect()
}
