//! Errors of storage ports.

/// Store error, translated from driver errors by the adapters.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Store unreachable or too slow: a hard dependency is down.
    #[error("store unavailable: {0}")]
    Unavailable(String),
    /// No space left, or quota reached. Nothing was written.
    #[error("disk full: free some space and try again")]
    Full,
    /// Concurrent write, or the lease behind this write was lost. Nothing was written.
    #[error("out of date: {0}")]
    Stale(&'static str),
    /// Data rule broken by the caller, named in the text. Nothing was written.
    #[error("{0}")]
    Invalid(String),
    /// Defect: corrupt data, or a statement that does not fit the schema.
    #[error("store defect: {0}")]
    Defect(String),
}

pub type StoreResult<T> = Result<T, StoreError>;
