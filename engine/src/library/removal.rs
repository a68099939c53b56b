//! Removal of a collection or of documents, with all derived data.
//!
//! Invariant: removal is final. The graph is removed first and keeps a tombstone, which refuses writes in flight.

use crate::{
    Engine, StoreResult,
    accounts::{self, Actor},
};
use domain::{CollectionId, DocumentId, Scope, document::Document, user::User};

/// Removes documents, claims, investigations and assessments of a collection. Idempotent, and safe during an investigation: the
/// graph refuses writes from the first step, and the last step removes investigations, orders and sessions.
pub async fn remove_collection(engine: &Engine, id: CollectionId) -> StoreResult<()> {
    engine.graph.remove_collection(id).await?;
    engine.assessments.remove_collection(id).await?;
    engine.documents.remove_collection(id).await
}

/// Returns those of these documents that `user` may archive and delete: those of collections that they may edit.
pub async fn editable(engine: &Engine, user: &User, ids: &[DocumentId]) -> StoreResult<Vec<Document>> {
    engine.documents.documents(&edited(engine, user).await?, ids).await
}

/// Removes the unreadable files of collections that `user` may edit from the list of the library.
pub async fn dismiss_rejected(engine: &Engine, user: &User, by: Actor) -> StoreResult<bool> {
    let scope = edited(engine, user).await?;
    let entry = accounts::entry(engine, by, "dismiss_rejected_files", &accounts::listed(scope.collections()));
    engine.documents.dismiss_rejected(&scope, &entry).await
}

/// Returns the collections that `user` may edit.
async fn edited(engine: &Engine, user: &User) -> StoreResult<Scope> {
    let collections = engine.accounts.collections().await?;
    let edited = collections.iter().filter(|collection| collection.is_edited_by(user));
    Ok(Scope::new(edited.map(|collection| collection.id).collect()))
}

/// Deletes those of these documents that `user` may delete, with their claims and everything without other evidence; returns how many.
/// Assessments keep the quotes that they cite. Idempotent, and safe during an investigation, as for a collection.
pub async fn delete_documents(engine: &Engine, user: &User, by: Actor, ids: &[DocumentId]) -> StoreResult<u64> {
    let ids: Vec<DocumentId> = editable(engine, user, ids).await?.into_iter().map(|document| document.id).collect();
    if ids.is_empty() {
        return Ok(0);
    }
    engine.graph.remove_documents(&ids).await?;
    let entry = accounts::entry(engine, by, "delete_document", &accounts::listed(&ids));
    engine.documents.remove_documents(&ids, &entry).await
}
