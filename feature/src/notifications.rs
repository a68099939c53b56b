//! Notifications of features, on the one list and the one bell.

use crate::Web;
use domain::{Timestamp, UserId, user::User};
use engine::StoreResult;
use futures::future::BoxFuture;

/// Source of notifications that a feature adds.
///
/// Invariant: both functions answer within what the person reads now.
#[derive(Clone, Copy)]
pub struct NotificationSource {
    /// Returns the newest notifications of a person, at most so many.
    pub list: fn(Web, User, u32) -> BoxFuture<'static, StoreResult<Vec<AddedNotification>>>,
    /// Counts the notifications of a person after a time.
    pub count: fn(Web, UserId, Timestamp) -> BoxFuture<'static, StoreResult<u64>>,
}

/// A notification of a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedNotification {
    pub title: String,
    /// Sentence about what happened.
    pub text: String,
    pub href: String,
    pub at: Timestamp,
    /// Answers of the person, each a button.
    pub actions: Vec<NotificationAction>,
}

/// Button of a notification: a form post with hidden fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotificationAction {
    pub label: &'static str,
    pub address: &'static str,
    pub fields: Vec<(&'static str, String)>,
}
