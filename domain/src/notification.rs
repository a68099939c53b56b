//! Watched indicators with their matches, notifications, and saved views of the list of assessments.

use crate::{AssessmentId, ClaimId, InvestigationId, SavedViewId, Timestamp, UserId, WatchId};
use serde::{Deserialize, Serialize};

/// Maximum length of the name of a saved view, in characters.
pub const MAX_VIEW_NAME: usize = 60;

/// An indicator that a person watches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watch {
    pub id: WatchId,
    pub user: UserId,
    pub assessment: AssessmentId,
    /// `I1`, `I2` …
    pub item: String,
    /// Words of the indicator, for which new claims are searched.
    pub text: String,
    pub at: Timestamp,
}

/// A claim that matches a watched indicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchMatch {
    pub watch: WatchId,
    pub claim: ClaimId,
    pub found_at: Timestamp,
}

/// A notification, newest first on its page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notification {
    pub kind: NotificationKind,
    /// Question, or words of the indicator.
    pub title: String,
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// Page of which views are saved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewPage {
    #[default]
    Assessments,
    Graph,
}

impl ViewPage {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Assessments => "assessments",
            Self::Graph => "graph",
        }
    }
}

/// A named state of a page: a filter of the list of assessments, or a picture of the graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedView {
    pub id: SavedViewId,
    pub owner: UserId,
    /// User name of its owner.
    pub owner_name: String,
    pub name: String,
    pub notes: String,
    /// Whether everybody with an account sees it. What it shows is still what each of them may see.
    pub is_shared: bool,
    /// Query of the address, without a question mark.
    pub query: String,
}
