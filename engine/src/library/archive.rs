//! Use cases that archive documents, each with an audit entry.
//!
//! Invariant: an archived document keeps its address and its claims. It only leaves lists, search and later questions.

use super::editable;
use crate::{
    Engine, StoreResult,
    accounts::{Actor, audit_change},
};
use domain::{DocumentId, document::Document, user::User};

/// Archives those of these documents that `user` may edit; returns those that changed.
pub async fn archive_documents(engine: &Engine, user: &User, by: Actor, ids: &[DocumentId]) -> StoreResult<Vec<DocumentId>> {
    let ids = editable_ids(engine, user, ids).await?;
    let archived = engine.documents.archive_documents(&ids, user.id, engine.clock.now()).await?;
    audit_change(engine, by, "archive_document", &archived).await?;
    Ok(archived)
}

/// Takes those of these documents that `user` may edit out of the archive; returns those that changed.
pub async fn unarchive_documents(engine: &Engine, user: &User, by: Actor, ids: &[DocumentId]) -> StoreResult<Vec<DocumentId>> {
    let ids = editable_ids(engine, user, ids).await?;
    let unarchived = engine.documents.unarchive_documents(&ids).await?;
    audit_change(engine, by, "unarchive_document", &unarchived).await?;
    Ok(unarchived)
}

/// Takes documents that a person adds again out of the archive, so that their question reads them. `new`: number of new ones.
pub(crate) async fn unarchive_added(engine: &Engine, added: &[Document], new: u64) -> StoreResult<()> {
    if new < added.len() as u64 {
        let ids: Vec<DocumentId> = added.iter().map(|document| document.id).collect();
        engine.documents.unarchive_documents(&ids).await?;
    }
    Ok(())
}

async fn editable_ids(engine: &Engine, user: &User, ids: &[DocumentId]) -> StoreResult<Vec<DocumentId>> {
    Ok(editable(engine, user, ids).await?.into_iter().map(|document| document.id).collect())
}
