//! Use cases that create teams and change them. A team is visible to its members, its creator and administrators.

use super::TeamChange;
use crate::{
    Engine, StoreError,
    accounts::{Actor, entry},
};
use domain::{
    TeamId, UserId,
    team::Team,
    user::{Action, SYSTEM_USER, User},
};

/// Errors of creating and changing teams.
#[derive(Debug, thiserror::Error)]
pub enum TeamError {
    #[error("choose a name of 1 to {} characters", Team::MAX_NAME_CHARS)]
    BadName,
    #[error("team name already taken: choose another one")]
    NameTaken,
    #[error("team not found")]
    Missing,
    /// Limit `engine.max_team_collections`.
    #[error("this team reads as many collections as this server allows: close one of them first")]
    TooManyCollections,
    #[error("no account has that name: check the spelling")]
    NoSuchPerson,
    #[error("that person is a member already, or has an open invitation")]
    AlreadyInvited,
    #[error("this role does not manage teams: ask an administrator")]
    NotAllowed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Creates a team of which `user` is the first member.
pub async fn create(engine: &Engine, user: &User, by: Actor, name: &str) -> Result<Team, TeamError> {
    if !user.role.may(Action::Investigate) {
        return Err(TeamError::NotAllowed);
    }
    let name = Team::checked_name(name).ok_or(TeamError::BadName)?;
    let team = Team { id: TeamId(engine.ids.next()), name, created_by: user.id, created_at: engine.clock.now() };
    match engine.teams.add_team(&team, &entry(engine, by, "create_team", &team.name)).await? {
        true => Ok(team),
        false => Err(TeamError::NameTaken),
    }
}

pub async fn rename(engine: &Engine, user: &User, by: Actor, id: TeamId, name: &str) -> Result<(), TeamError> {
    let team = managed(engine, user, id).await?;
    let name = Team::checked_name(name).ok_or(TeamError::BadName)?;
    let entry = entry(engine, by, "rename_team", &format!("{} to {name}", team.name));
    match engine.teams.change_team(id, &TeamChange::Rename(name), &entry).await? {
        true => Ok(()),
        false => Err(TeamError::NameTaken),
    }
}

/// Invites the account of that name, who becomes a member by accepting; people who add themselves are members at once. Inviting a member
/// or an invited person again is refused.
pub async fn add_member(engine: &Engine, user: &User, by: Actor, id: TeamId, name: &str) -> Result<(), TeamError> {
    let team = managed(engine, user, id).await?;
    let found = engine.accounts.user_by_name(name.trim()).await?.map(|(found, _)| found);
    let person = found.filter(|found| found.name != SYSTEM_USER && !found.is_disabled).ok_or(TeamError::NoSuchPerson)?;
    let (act, change) = match person.id == user.id {
        true => ("add_team_member", TeamChange::Add(person.id)),
        false => ("invite_team_member", TeamChange::Invite { person: person.id, by: user.id }),
    };
    let entry = entry(engine, by, act, &format!("{} to {}", person.name, team.name));
    match engine.teams.change_team(id, &change, &entry).await? {
        true => Ok(()),
        false => Err(TeamError::AlreadyInvited),
    }
}

/// Accepts or declines an invitation of `user`.
pub async fn answer_invitation(engine: &Engine, user: &User, by: Actor, id: TeamId, accepts: bool) -> Result<(), TeamError> {
    let team = engine.teams.team(id).await?.ok_or(TeamError::Missing)?;
    let (act, change) = match accepts {
        true => ("join_team", TeamChange::Accept(user.id)),
        false => ("decline_team", TeamChange::Decline(user.id)),
    };
    match engine.teams.change_team(id, &change, &entry(engine, by, act, &team.name)).await? {
        true => Ok(()),
        false => Err(TeamError::Missing),
    }
}

/// Removes a member, who stops reading what is visible to the team. Members may leave by themselves.
pub async fn remove_member(engine: &Engine, user: &User, by: Actor, id: TeamId, member: UserId) -> Result<(), TeamError> {
    let team = visible(engine, user, id).await?;
    if member != user.id && !team.is_managed_by(user) {
        return Err(TeamError::Missing);
    }
    let person = engine.accounts.user(member).await?.ok_or(TeamError::NoSuchPerson)?;
    let entry = entry(engine, by, "remove_team_member", &format!("{} from {}", person.name, team.name));
    let is_member = engine.teams.change_team(id, &TeamChange::Remove(member), &entry).await?;
    if !is_member {
        // Takes back an invitation.
        engine.teams.change_team(id, &TeamChange::Decline(member), &entry).await?;
    }
    Ok(())
}

pub async fn delete(engine: &Engine, user: &User, by: Actor, id: TeamId) -> Result<(), TeamError> {
    let team = managed(engine, user, id).await?;
    let entry = entry(engine, by, "delete_team", &team.name);
    engine.teams.change_team(id, &TeamChange::Delete, &entry).await?;
    Ok(())
}

/// Returns a team that `user` manages; any other one is missing to them.
async fn managed(engine: &Engine, user: &User, id: TeamId) -> Result<Team, TeamError> {
    engine.teams.team(id).await?.filter(|team| team.is_managed_by(user)).ok_or(TeamError::Missing)
}

async fn visible(engine: &Engine, user: &User, id: TeamId) -> Result<Team, TeamError> {
    let of = (!user.role.may(Action::ManageUsers)).then_some(user.id);
    let found = engine.teams.teams(of).await?.into_iter().map(|(team, _)| team).find(|team| team.id == id);
    found.ok_or(TeamError::Missing)
}
