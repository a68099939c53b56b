//! Visibility of an investigation: the people besides its owner who may read its report.
//!
//! Invariant: visibility opens the report as it is written, with the quotes in it, and nothing else. Documents, claims, entities and the
//! records of agents stay with those who see their collections.

use crate::{TeamId, UserId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Readers of the report of an investigation, besides those who see every collection that it draws on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// The owner.
    #[default]
    Private,
    /// Everybody with an account.
    Workspace,
    /// The members of a team.
    Team(TeamId),
}

impl Visibility {
    /// Reads the value of a form: `private`, `workspace` or the id of a team.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "private" => Some(Self::Private),
            "workspace" => Some(Self::Workspace),
            id => id.parse().ok().map(Self::Team),
        }
    }

    pub const fn kind(self) -> VisibilityKind {
        match self {
            Self::Private => VisibilityKind::Private,
            Self::Workspace => VisibilityKind::Workspace,
            Self::Team(_) => VisibilityKind::Team,
        }
    }
}

impl fmt::Display for Visibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Team(id) => write!(f, "{id}"),
            other => f.write_str(other.kind().as_str()),
        }
    }
}

crate::words! {
    /// Visibility without the name of the team, as lists filter by it.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum VisibilityKind {
        #[default]
        Private = "private",
        Workspace = "workspace",
        Team = "team",
    }
}

/// Owner and visibility of an investigation, as one person reads them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvestigationAccess {
    pub owner: UserId,
    pub owner_name: String,
    pub visibility: Visibility,
    /// Name of the team, where it is visible to one.
    pub team: Option<String>,
    /// The team is that of its collection: none was chosen for the investigation itself.
    pub is_by_collection: bool,
    /// The visibility includes the person.
    pub includes_reader: bool,
    /// It writes to a collection that is open to everybody, so that its visibility cannot be changed.
    pub is_fixed: bool,
    pub is_archived: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_visibility_is_read_as_it_is_written() {
        for visibility in [Visibility::Private, Visibility::Workspace, Visibility::Team(TeamId(Uuid::from_u128(7)))] {
            assert_eq!(Visibility::parse(&visibility.to_string()), Some(visibility));
        }
        assert_eq!(Visibility::parse("team"), None);
        assert_eq!(Visibility::parse(""), None);
    }
}
