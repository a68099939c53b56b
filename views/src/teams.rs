//! View models of teams, and of the visibility of a report.

use domain::{
    CollectionId, InvestigationId, UserId,
    team::{Team, TeamInvitation, TeamMember},
    visibility::Visibility,
};
use serde::{Deserialize, Serialize};

/// The teams that the viewer may see.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamsView {
    /// By name.
    pub teams: Vec<TeamLine>,
    /// Of the viewer.
    pub invitations: Vec<TeamInvitation>,
    pub may_create: bool,
}

/// A team with its members, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamLine {
    pub team: Team,
    pub members: Vec<TeamMember>,
    /// Invited people, for those who manage it.
    pub invited: Vec<TeamInvitation>,
    /// The viewer may rename and delete it and choose its members.
    pub may_manage: bool,
    /// Collections opened to it that the viewer reads, by name.
    pub collections: Vec<(CollectionId, String)>,
}

/// Owner and visibility of an investigation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    pub owner: UserId,
    pub owner_name: String,
    pub is_mine: bool,
    pub visibility: Visibility,
    /// Name of the team, where it is visible to one.
    pub team: Option<String>,
}

/// Form that changes the visibility of an investigation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisibilityForm {
    pub id: InvestigationId,
    /// Chosen for the investigation itself.
    pub chosen: Visibility,
    /// Name of the team that reads it because its collection is open to them.
    pub by_collection: Option<String>,
    /// The viewer is the owner, not an administrator.
    pub is_mine: bool,
    /// Teams to choose from.
    pub teams: Vec<Team>,
}
