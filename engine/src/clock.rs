//! Time and chance as arguments: nothing in the engine reads the clock or draws an id from the air.

use domain::Timestamp;
use uuid::Uuid;

/// The current time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}

/// A source of UUIDv7 identifiers.
pub trait Ids: Send + Sync {
    fn next(&self) -> Uuid;
}
