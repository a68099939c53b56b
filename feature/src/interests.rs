//! Interests of people, for other features: they propose some, such as an interview, or narrow what they deliver to one.

use crate::Web;
use domain::{ObjectId, user::User};
use engine::StoreResult;
use futures::future::BoxFuture;

/// Most characters of the sentence of an interest.
pub const MAX_INTEREST_CHARS: usize = 500;

/// Port of the feature that keeps interests.
#[derive(Clone, Copy)]
pub struct InterestPort {
    /// Stores the interests with a sentence that the person does not have yet, and returns how many there was room for. Repeating adds
    /// nothing.
    pub propose: fn(Web, User, Vec<ProposedInterest>) -> BoxFuture<'static, StoreResult<usize>>,
    /// Returns the interests that a person has accepted, in the order of their list.
    pub list: fn(Web, User) -> BoxFuture<'static, StoreResult<Vec<NamedInterest>>>,
}

/// Interest of a person by its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedInterest {
    pub id: ObjectId,
    pub sentence: String,
}

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
