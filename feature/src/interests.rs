//! Interests that a feature brings to a person, such as an interview.

use crate::Web;
use domain::user::User;
use engine::StoreResult;
use futures::future::BoxFuture;

/// Port of the feature that keeps interests: stores those with a sentence that the person does not have yet, and returns how many there
/// was room for. Repeating adds nothing.
pub type InterestPort = fn(Web, User, Vec<ProposedInterest>) -> BoxFuture<'static, StoreResult<usize>>;

/// Interest that is proposed to a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProposedInterest {
    /// Sentence in the person's words.
    pub sentence: String,
    pub regions: Vec<String>,
    pub tags: Vec<String>,
    /// Whether the person has accepted it already; otherwise it matches nothing until they do.
    pub is_accepted: bool,
    /// Reason for the proposal, for the person.
    pub reason: String,
}
