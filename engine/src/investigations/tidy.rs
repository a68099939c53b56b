//! Use cases that archive and delete investigations, each with an audit entry.

use super::ManageAccess;
use crate::{
    Engine, StoreResult,
    accounts::{Actor, audit_change},
};
use domain::{
    InvestigationId, Scope,
    user::{Role, User},
};

/// Returns a person as manager of investigations: of their own, and as an administrator of all that they may see.
pub async fn manager(engine: &Engine, user: &User) -> StoreResult<ManageAccess> {
    let scope = match user.role {
        Role::Admin => engine.accounts.scope_of(user.id).await?.read_by(user.id),
        _ => Scope::default(),
    };
    Ok(ManageAccess { user: user.id, scope })
}

/// Archives those investigations that `user` may manage; returns those that changed.
pub async fn archive(engine: &Engine, user: &User, by: Actor, ids: &[InvestigationId]) -> StoreResult<Vec<InvestigationId>> {
    let manager = manager(engine, user).await?;
    let archived = engine.investigations.archive(ids, &manager, Some(engine.clock.now())).await?;
    audit_change(engine, by, "archive_investigation", &archived).await?;
    Ok(archived)
}

/// Takes those investigations that `user` may manage out of the archive; returns those that changed.
pub async fn unarchive(engine: &Engine, user: &User, by: Actor, ids: &[InvestigationId]) -> StoreResult<Vec<InvestigationId>> {
    let manager = manager(engine, user).await?;
    let unarchived = engine.investigations.archive(ids, &manager, None).await?;
    audit_change(engine, by, "unarchive_investigation", &unarchived).await?;
    Ok(unarchived)
}

/// Deletes those investigations that have ended and that `user` may manage; returns those that changed.
pub async fn delete(engine: &Engine, user: &User, by: Actor, ids: &[InvestigationId]) -> StoreResult<Vec<InvestigationId>> {
    let manager = manager(engine, user).await?;
    let deleted = engine.investigations.delete(ids, &manager).await?;
    audit_change(engine, by, "delete_investigation", &deleted).await?;
    Ok(deleted)
}
