//! Sources of the search.

use crate::Web;
use domain::user::User;
use engine::StoreResult;
use futures::future::BoxFuture;

/// Source that a feature adds to the search page, its API and the command palette.
#[derive(Clone, Copy)]
pub struct SearchSource {
    /// Value of `kind` in the address of the search; unlike those of the kernel and of other features.
    pub key: &'static str,
    /// Heading of its hits.
    pub title: &'static str,
    /// Finds what the person may read, by words, best first, up to a number of hits.
    pub find: fn(Web, User, String, usize) -> FoundHits,
}

/// Hits on their way.
pub type FoundHits = BoxFuture<'static, StoreResult<Vec<SearchHit>>>;

/// Hit of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchHit {
    pub title: String,
    pub href: String,
    /// Text around the words of which an excerpt is shown; empty: none.
    pub text: String,
    /// Remark below it; empty: none.
    pub note: String,
}
