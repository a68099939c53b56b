//! Writes to the graph that rest on what a person's documents state already.

use domain::{EntityId, user::User};
use engine::{Engine, archive::graph::ClaimRecord, evidence, graph::GraphWrite};

/// Returns a write with the newest claim about one of the entities, which `user` sees, and nothing else.
pub async fn write_on_known_claim(engine: &Engine, user: &User, entities: &[EntityId]) -> GraphWrite {
    let scope = engine.accounts.scope_of(user.id).await.unwrap();
    let claim = engine.graph.newest_claims(&scope, entities, 1).await.unwrap().remove(0).1;
    let document = engine.documents.document(&scope, claim.document_id).await.unwrap().unwrap();
    let (order, at) = (evidence::document_order(&document), engine.clock.now());
    GraphWrite {
        resolve_within: scope,
        claims: vec![ClaimRecord::from(claim).new_claim()],
        ..GraphWrite::new(document.id, document.collection_id, order, at)
    }
}
