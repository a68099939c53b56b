//! Time and randomness as ports: nothing in the engine reads the system clock or random source.

use domain::Timestamp;
use uuid::Uuid;

/// Source of the current time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}

/// Source of UUIDv7 identifiers.
pub trait Ids: Send + Sync {
    fn next(&self) -> Uuid;
}
