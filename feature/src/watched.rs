//! Objects of features that people watch.

use crate::Web;
use domain::{ObjectId, Timestamp, user::User};
use engine::StoreResult;
use futures::future::BoxFuture;

/// Kind of object that people watch. `Pieces` at `Slot::Object` on its page draw the button.
///
/// Invariant: `find` and `signs` answer within the scope of the person, who is notified only of what they may read.
#[derive(Clone, Copy)]
pub struct WatchedKind {
    /// Word in the store, unlike those of other kinds.
    pub key: &'static str,
    /// Heading of its objects on the page of watched ones.
    pub title: &'static str,
    /// Returns those of some objects that the person reads, each under the id that was asked for.
    pub find: fn(Web, User, Vec<ObjectId>) -> WatchedFuture<WatchedObject>,
    /// Returns the signs of those of some objects that the person reads.
    pub signs: fn(Web, User, Vec<ObjectId>) -> WatchedFuture<WatchedSigns>,
    /// Returns those of some objects that exist for anybody, each with the id that it has now.
    pub existing: fn(Web, Vec<ObjectId>) -> WatchedFuture<(ObjectId, ObjectId)>,
}

/// Answers of a kind on their way.
pub type WatchedFuture<T> = BoxFuture<'static, StoreResult<Vec<T>>>;

/// Watched object, as a person reads it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedObject {
    pub id: ObjectId,
    pub title: String,
    pub href: String,
}

/// Object with its signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedSigns {
    pub id: ObjectId,
    pub signs: Vec<WatchedSign>,
}

/// Sign of an object, compared from look to look. A change of it is a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedSign {
    pub name: &'static str,
    pub value: SignValue,
    /// Sentence about the change, without words or figures of the object: it outlives the right to read them.
    pub text: String,
}

/// Value of a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignValue {
    /// A state; any other one is a change.
    State(i64),
    /// Time of the latest addition; only a later one is a change.
    Latest(Timestamp),
}
