//! Use case that changes who may read the report of an investigation.

use crate::{
    Engine, StoreError, StoreResult,
    accounts::{Actor, entry},
};
use domain::{
    InvestigationId,
    team::Team,
    user::{Action, Role, User},
    visibility::{InvestigationAccess, Visibility},
};

/// Errors of changing the visibility of an investigation.
#[derive(Debug, thiserror::Error)]
pub enum VisibilityError {
    #[error("investigation not found")]
    Missing,
    #[error("only the owner or an administrator changes the visibility")]
    NotAllowed,
    #[error("agree that others read the quotes of the report, or keep it private")]
    QuotesNotAgreed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns the teams that `user` may make a report visible to: their own; for an administrator all.
pub async fn choices(engine: &Engine, user: &User) -> StoreResult<Vec<Team>> {
    let of = (user.role != Role::Admin).then_some(user.id);
    Ok(engine.teams.teams(of).await?.into_iter().map(|(team, _)| team).collect())
}

/// Changes the visibility of an investigation that `user` may read and manage. A report quotes its documents, also private ones that
/// others may not open: `agrees_to_quotes` says that its other readers may read these quotes.
pub async fn set_visibility(
    engine: &Engine,
    user: &User,
    by: Actor,
    id: InvestigationId,
    visibility: Visibility,
    agrees_to_quotes: bool,
) -> Result<(), VisibilityError> {
    if !engine.may_read(user, id).await? {
        return Err(VisibilityError::Missing);
    }
    let Some(found) = engine.investigations.investigation(id).await? else { return Err(VisibilityError::Missing) };
    // A part has the visibility of its question.
    let id = found.parent_id.unwrap_or(id);
    let access = engine.teams.access(&[id], user.id).await?.remove(&id).ok_or(VisibilityError::Missing)?;
    if !may_change(user, &access) {
        return Err(VisibilityError::NotAllowed);
    }
    if visibility != Visibility::Private && !agrees_to_quotes {
        return Err(VisibilityError::QuotesNotAgreed);
    }
    let name = match visibility {
        Visibility::Team(team) => {
            let found = choices(engine, user).await?.into_iter().find(|found| found.id == team);
            found.ok_or(VisibilityError::Missing)?.name
        }
        other => other.to_string(),
    };
    let entry = entry(engine, by, "change_visibility", &format!("{id} to {name}"));
    engine.teams.set_visibility(id, visibility, &entry).await?;
    Ok(())
}

/// Returns whether `user` may change the visibility: the owner or an administrator, unless it is that of an open collection.
pub(crate) fn may_change(user: &User, access: &InvestigationAccess) -> bool {
    let is_manager = access.owner == user.id || user.role == Role::Admin;
    is_manager && user.role.may(Action::Investigate) && !access.is_fixed
}
