//! Use case that opens a collection to a team.

use super::{TeamError, choices};
use crate::{
    Engine,
    accounts::{Actor, entry},
};
use domain::{CollectionId, CollectionKind, TeamId, user::User};

/// Opens a private collection of `user` to one of their teams, or closes it. Members read its documents, what was drawn from them, and the
/// reports on them alone; only the owner edits it.
pub async fn open_collection(
    engine: &Engine,
    user: &User,
    by: Actor,
    id: CollectionId,
    team: Option<TeamId>,
) -> Result<(), TeamError> {
    let found = engine.accounts.collection(id).await?;
    let is_own = |found: &domain::Collection| found.kind == CollectionKind::Private && found.is_edited_by(user);
    let collection = found.filter(is_own).ok_or(TeamError::Missing)?;
    let name = match team {
        Some(team) => choices(engine, user).await?.into_iter().find(|found| found.id == team).ok_or(TeamError::Missing)?.name,
        None => "its owner".to_owned(),
    };
    let max = engine.config.max_team_collections as usize;
    if max > 0 && team.is_some() {
        let opened = engine.teams.opened_collections().await?;
        if opened.iter().filter(|(open, to)| Some(**to) == team && **open != id).count() >= max {
            return Err(TeamError::TooManyCollections);
        }
    }
    let entry = entry(engine, by, "open_collection", &format!("{} to {name}", collection.name));
    Ok(engine.teams.open_collection(id, team, &entry).await?)
}
