//! Interests that a feature proposes to a person, such as an interview.

use crate::Web;
use domain::user::User;
use engine::StoreResult;
use futures::future::BoxFuture;

/// Port of the feature that keeps interests: stores proposals, which match nothing until the person accepts them, and returns how many
/// there was room for.
pub type InterestPort = fn(Web, User, Vec<ProposedInterest>) -> BoxFuture<'static, StoreResult<usize>>;

/// Interest that is proposed to a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProposedInterest {
    /// Sentence in the person's words.
    pub sentence: String,
    pub regions: Vec<String>,
    pub tags: Vec<String>,
    /// Reason for the proposal, for the person.
    pub reason: String,
}
