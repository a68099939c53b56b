//! What can go wrong behind a storage port.

/// A failure of a store. Adapters translate driver errors into it at the border.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached or does not answer in time: a hard dependency is down.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// No space left, or a quota is used up. Nothing was written.
    #[error("the disk is full: free some space and try again")]
    Full,
    /// Somebody else wrote in between, or the lease behind this write is no longer held. Nothing was written.
    #[error("out of date: {0}")]
    Stale(&'static str),
    /// A rule of the data was broken by the caller; says which. Nothing was written.
    #[error("{0}")]
    Invalid(String),
    /// A defect: corrupt data or a statement that does not fit the schema.
    #[error("store defect: {0}")]
    Defect(String),
}

pub type StoreResult<T> = Result<T, StoreError>;
