//! Notifications of a person.

use crate::watch::WatchId;
use domain::{AssessmentId, InvestigationId, Timestamp};
use feature::NotificationAction;

/// A notification, newest first on its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    pub kind: NotificationKind,
    /// Question, words of the indicator, title of the object, or name of the team.
    pub title: String,
    pub at: Timestamp,
}

/// Subject of a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotificationKind {
    Finished {
        investigation: InvestigationId,
        assessment: Option<AssessmentId>,
        /// Assessment of the version before it.
        earlier: Option<AssessmentId>,
    },
    Failed {
        investigation: InvestigationId,
    },
    /// A colleague opened a finished report to a team of the person.
    Shared {
        investigation: InvestigationId,
        assessment: Option<AssessmentId>,
        /// User name of its owner.
        owner: String,
    },
    /// Somebody invites the person to a team.
    Invited {
        /// User name of who invites.
        by: String,
    },
    /// Somebody joined or left a team of the person, or one that a collection of theirs is open to.
    TeamChanged {
        /// User name.
        person: String,
        has_joined: bool,
    },
    /// New claims match a watched indicator.
    Matched {
        watch: WatchId,
        claims: u64,
    },
    /// A watched object of another feature changed.
    Changed {
        href: String,
        /// Sentence about the change.
        text: String,
    },
    /// A notification of another feature, with the buttons that answer it.
    Added {
        href: String,
        text: String,
        actions: Vec<NotificationAction>,
    },
}
