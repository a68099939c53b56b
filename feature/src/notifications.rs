//! Notifications: sources that features add, the one list of all, and answers that a person gives outside of the browser.

use crate::Web;
use domain::{ObjectId, Timestamp, UserId, user::User};
use engine::StoreResult;
use futures::future::BoxFuture;

/// Source of notifications that a feature adds.
///
/// Invariant: all functions answer within what the person reads now.
#[derive(Clone, Copy)]
pub struct NotificationSource {
    /// Returns the newest notifications of a person after a time, at most so many.
    pub list: NotificationList,
    /// Counts the notifications of a person after a time.
    pub count: fn(Web, UserId, Timestamp) -> BoxFuture<'static, StoreResult<u64>>,
    /// Takes the answer of a person to a topic. Returns false for a topic to which the source takes none.
    pub answer: fn(Web, User, String, NotificationAnswer) -> BoxFuture<'static, StoreResult<bool>>,
}

/// Function that returns the newest notifications of a person after a time, at most so many.
pub type NotificationList = fn(Web, User, Timestamp, u32) -> FoundNotifications;

/// Notifications on their way.
pub type FoundNotifications = BoxFuture<'static, StoreResult<Vec<NotificationItem>>>;

/// A notification, as its person reads it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotificationItem {
    /// Subject that answers are about, the same in later notifications on it. It begins with the name of its feature.
    pub topic: String,
    /// Interest of the person that it belongs to.
    pub interest: Option<ObjectId>,
    /// Question, indicator, or title of the object.
    pub title: String,
    /// Sentences about what happened.
    pub text: String,
    /// Local address, beginning with a slash.
    pub href: String,
    pub at: Timestamp,
    /// Answers of the person on the page, each a button.
    pub actions: Vec<NotificationAction>,
}

/// Button of a notification: a form post with hidden fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotificationAction {
    pub label: &'static str,
    pub address: &'static str,
    pub fields: Vec<(&'static str, String)>,
}

domain::words! {
    /// Answer of a person to the notifications on a topic.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum NotificationAnswer {
        Useful = "useful",
        /// Not this.
        Hide = "hide",
        /// Not for a month.
        Mute = "mute",
    }
}

impl NotificationAnswer {
    /// Days of a mute.
    pub const MUTE_DAYS: i64 = 30;

    /// Returns the words of a link.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Useful => "Useful",
            Self::Hide => "Not this",
            Self::Mute => "Mute a month",
        }
    }
}
