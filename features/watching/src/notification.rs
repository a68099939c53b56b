//! Notifications of a person.

use crate::watch::WatchId;
use app::format;
use domain::{AssessmentId, InvestigationId, Timestamp, fetch::PageState};
use feature::NotificationItem;

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
    /// Pages that a report cites changed, are gone, or were retracted.
    PagesChanged {
        assessment: AssessmentId,
        state: PageState,
        pages: u64,
    },
    /// A watched object of another feature changed.
    Changed {
        href: String,
        /// Sentence about the change.
        text: String,
    },
    /// A notification of another feature.
    Added(NotificationItem),
}

impl NotificationKind {
    /// Returns the sentence about the subject.
    pub fn text(&self) -> String {
        match self {
            Self::Finished { .. } => "Finished".to_owned(),
            Self::Shared { owner, .. } => format!("{owner} shared this with you"),
            Self::Failed { .. } => "Failed".to_owned(),
            Self::Invited { by } => format!("{by} invites you to this team"),
            Self::TeamChanged { person, has_joined: true } => format!("{person} joined this team"),
            Self::TeamChanged { person, has_joined: false } => format!("{person} left this team"),
            Self::Matched { claims, .. } => {
                format::count(*claims, "new claim matches what you watch", "new claims match what you watch")
            }
            Self::PagesChanged { state, pages, .. } => match state {
                PageState::Changed => format::count(*pages, "cited page has changed", "cited pages have changed"),
                PageState::Gone => format::count(*pages, "cited page is gone", "cited pages are gone"),
                PageState::Retracted => format::count(*pages, "cited page was retracted", "cited pages were retracted"),
            },
            Self::Changed { text, .. } => text.clone(),
            Self::Added(item) => item.text.clone(),
        }
    }

    /// Returns the local address of the subject.
    pub fn href(&self) -> String {
        match self {
            Self::Finished { investigation, assessment, .. } | Self::Shared { investigation, assessment, .. } => {
                format::report_address(*investigation, *assessment)
            }
            Self::Failed { investigation } => format!("/investigations/{investigation}"),
            Self::Invited { .. } | Self::TeamChanged { .. } => "/teams".to_owned(),
            Self::Matched { watch, .. } => format!("/watching#w{watch}"),
            Self::PagesChanged { assessment, .. } => format!("/assessments/{assessment}"),
            Self::Changed { href, .. } => href.clone(),
            Self::Added(item) => item.href.clone(),
        }
    }

    /// Returns the assessment that the notification is about.
    pub fn assessment(&self) -> Option<AssessmentId> {
        match self {
            Self::Finished { assessment, .. } | Self::Shared { assessment, .. } => *assessment,
            _ => None,
        }
    }
}
