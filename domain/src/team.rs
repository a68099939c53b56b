//! Teams: groups of people to whom reports are shown.

use crate::{
    TeamId, Timestamp, UserId,
    user::{Action, User},
};
use serde::{Deserialize, Serialize};

/// A named group of people. It owns nothing: documents belong to collections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    pub id: TeamId,
    /// Unique, compared without case.
    pub name: String,
    pub created_by: UserId,
    pub created_at: Timestamp,
}

impl Team {
    pub const MAX_NAME_CHARS: usize = 64;

    /// Returns a name without surplus spaces; none when it is empty or too long.
    pub fn checked_name(text: &str) -> Option<String> {
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_valid = !name.is_empty() && name.chars().count() <= Self::MAX_NAME_CHARS && !name.chars().any(char::is_control);
        is_valid.then_some(name)
    }

    /// Whether `user` may rename and delete the team and choose its members: its creator, or an administrator.
    pub fn is_managed_by(&self, user: &User) -> bool {
        user.role.may(Action::ManageUsers) || (self.created_by == user.id && user.role.may(Action::Investigate))
    }
}

/// A member of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamMember {
    pub id: UserId,
    pub name: String,
    /// Kept out by an administrator.
    pub is_disabled: bool,
}

/// Invitation to a team, open until the person accepts or declines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamInvitation {
    pub team: TeamId,
    pub team_name: String,
    pub person: UserId,
    /// Name of the invited person, and of who invited them.
    pub person_name: String,
    pub by_name: String,
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_name_has_characters_and_a_length_limit() {
        assert_eq!(Team::checked_name("  North   desk ").as_deref(), Some("North desk"));
        assert_eq!(Team::checked_name(" \t "), None);
        assert_eq!(Team::checked_name(&"x".repeat(64)).map(|name| name.len()), Some(64));
        assert_eq!(Team::checked_name(&"x".repeat(65)), None);
        assert_eq!(Team::checked_name("a\u{0}b"), None);
    }
}
