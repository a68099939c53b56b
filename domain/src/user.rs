//! People, their roles and what each role may do.

mod preferences;
mod visits;

pub use preferences::Preferences;
pub use visits::Visits;

use crate::{Timestamp, UserId, budget::OwnCap};
use serde::{Deserialize, Serialize};

crate::words! {
    /// A role; each includes what the ones before it may do.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Role {
        /// Reads assessments and documents that are open to them.
        Reader = "reader",
        /// Also launches and stops investigations and uploads documents.
        Analyst = "analyst",
        /// Also manages people and removes the sample.
        Admin = "admin",
    }
}

/// An action that needs a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Ask questions, with files, and stop one's own investigations.
    Investigate,
    /// Remove the sample and documents of collections that everybody sees, and undo every merge.
    RemoveSample,
    ManageUsers,
    /// Provider keys, connection tests, spend of all users.
    Configure,
}

impl Role {
    /// The one table of role x action; docs/permissions.md shows the same.
    pub fn may(self, action: Action) -> bool {
        let needed = match action {
            Action::Investigate => Self::Analyst,
            Action::RemoveSample | Action::ManageUsers | Action::Configure => Self::Admin,
        };
        self >= needed
    }
}

/// A person, or the user `system` that the command line and the first start act as. Never carries a password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    pub id: UserId,
    pub name: String,
    pub role: Role,
    /// Disabled by an administrator.
    #[serde(default)]
    pub is_disabled: bool,
    /// The password was set by an administrator; its owner must choose another before anything else.
    #[serde(default)]
    pub must_change_password: bool,
    /// Personal daily cap, where it differs from the configured one.
    #[serde(default)]
    pub cap: OwnCap,
    #[serde(default)]
    pub preferences: Preferences,
    #[serde(default)]
    pub visits: Visits,
    pub created_at: Timestamp,
}

impl User {
    /// An account that can sign in, with default preferences and the configured cap.
    pub fn new(id: UserId, name: impl Into<String>, role: Role, created_at: Timestamp) -> Self {
        Self {
            id,
            name: name.into(),
            role,
            is_disabled: false,
            must_change_password: false,
            cap: OwnCap::default(),
            preferences: Preferences::default(),
            visits: Visits::default(),
            created_at,
        }
    }
}

/// Name of the user that owns what the command line starts. It cannot sign in.
pub const SYSTEM_USER: &str = "system";
