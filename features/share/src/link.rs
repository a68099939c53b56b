//! Links that people share.

use domain::{Timestamp, UserId};
use engine::accounts::hash_token;
use tower_sessions::session::Id;

/// Maximum length of the note of a link, in characters.
pub const MAX_NOTE: usize = 280;
/// Maximum length of the reference of an object, in bytes.
pub const MAX_OBJECT_BYTES: usize = 200;

domain::ids! {
    /// One link to one object.
    LinkId = "share link";
}

/// A link. Everybody who has its token reads the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareLink {
    pub id: LinkId,
    pub user: UserId,
    pub token_hash: String,
    /// Key of the kind of its object.
    pub kind: String,
    /// Reference of the object within its kind.
    pub object: String,
    pub sources: ShownSources,
    /// Words of the person to the readers.
    pub note: String,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// Number of answered requests for its page.
    pub views: u64,
}

/// Sources of its object as the page of a link shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownSources {
    References,
    /// References with the quoted sentences.
    Quotes,
    /// The same, and the evidence bundle.
    Bundle,
}

impl ShownSources {
    /// Returns what two choices come to: without quotations there is no bundle.
    pub const fn from_choices(quotes: bool, bundle: bool) -> Self {
        match (quotes, bundle) {
            (false, _) => Self::References,
            (true, false) => Self::Quotes,
            (true, true) => Self::Bundle,
        }
    }

    pub const fn have_quotes(self) -> bool {
        !matches!(self, Self::References)
    }

    pub const fn have_bundle(self) -> bool {
        matches!(self, Self::Bundle)
    }
}

/// Returns a new token of 128 random bits, and its hash.
pub fn new_token() -> (String, String) {
    let token = Id::default().to_string();
    let hash = hash_token(&token);
    (token, hash)
}

/// Returns the path of the page of a token.
pub fn path_of_token(token: &str) -> String {
    format!("/s/{token}")
}
