//! Teams, and the visibility of investigations.

mod collections;
mod manage;
mod visibility;

pub use collections::open_collection;
pub use manage::{TeamError, add_member, answer_invitation, create, delete, remove_member, rename};
pub(crate) use visibility::may_change;
pub use visibility::{VisibilityError, choices, set_visibility};

use crate::{StoreResult, accounts::AuditEntry};
use async_trait::async_trait;
use domain::{
    CollectionId, InvestigationId, TeamId, UserId,
    team::{Team, TeamInvitation, TeamMember},
    visibility::{InvestigationAccess, Visibility},
};
use std::collections::BTreeMap;

/// Port of teams and of the visibility of investigations. Each change is one transaction with its audit entry.
#[async_trait]
pub trait Teams: Send + Sync {
    /// Adds a team with its creator as the first member. Returns false when the name (compared without case) is taken.
    async fn add_team(&self, team: &Team, entry: &AuditEntry) -> StoreResult<bool>;
    /// Returns false and writes nothing when the change changes nothing: the name is taken, or the membership is as requested.
    async fn change_team(&self, id: TeamId, change: &TeamChange, entry: &AuditEntry) -> StoreResult<bool>;
    async fn team(&self, id: TeamId) -> StoreResult<Option<Team>>;
    /// Returns teams by name, with their members by name: all, or those that `of` is a member of or created.
    async fn teams(&self, of: Option<UserId>) -> StoreResult<Vec<(Team, Vec<TeamMember>)>>;
    /// Returns the open invitations to teams, by name of team and person: all, or those of a person and of the teams that they created.
    async fn invitations(&self, of: Option<UserId>) -> StoreResult<Vec<TeamInvitation>>;
    /// Opens a collection to a team, or closes it.
    async fn open_collection(&self, id: CollectionId, team: Option<TeamId>, entry: &AuditEntry) -> StoreResult<()>;
    /// Returns the collections that are opened to a team.
    async fn opened_collections(&self) -> StoreResult<BTreeMap<CollectionId, TeamId>>;
    /// Sets the visibility of an investigation and its parts.
    async fn set_visibility(&self, id: InvestigationId, visibility: Visibility, entry: &AuditEntry) -> StoreResult<()>;
    /// Returns owner and visibility of investigations, as `reader` reads them. A part has the visibility of its question.
    async fn access(
        &self,
        ids: &[InvestigationId],
        reader: UserId,
    ) -> StoreResult<BTreeMap<InvestigationId, InvestigationAccess>>;
}

/// Change of a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TeamChange {
    Rename(String),
    Add(UserId),
    /// Invites a person outside the team.
    Invite {
        person: UserId,
        by: UserId,
    },
    /// The invited person becomes a member.
    Accept(UserId),
    /// Ends an invitation.
    Decline(UserId),
    Remove(UserId),
    /// Reports that were visible to the team become private.
    Delete,
}
