//! News of features for a person. One feature finds them, another delivers them.

use crate::Web;
use domain::{Timestamp, user::User};
use engine::StoreResult;
use futures::future::BoxFuture;

/// Source of news that a feature adds.
///
/// Invariant: `find` answers within what the person reads at the time of the call.
#[derive(Clone, Copy)]
pub struct NewsSource {
    /// Returns the news of a person after a time, newest first, up to a number of items.
    pub find: fn(Web, User, Timestamp, usize) -> FoundNews,
}

/// News on their way.
pub type FoundNews = BoxFuture<'static, StoreResult<Vec<NewsItem>>>;

/// Change that a person has asked to be notified of, or a result of theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewsItem {
    /// Subject that the answers of the person are about, the same in later news on it. It begins with the name of its feature.
    pub topic: String,
    /// Question, indicator, or title of the object.
    pub title: String,
    /// Sentences about the change.
    pub text: String,
    /// Local address, beginning with a slash.
    pub href: String,
    pub at: Timestamp,
}
