//! Errors of the SQL adapter: driver errors become `StoreError` here and nowhere else.

use engine::{
    StoreError,
    reliability::retry::{Backoff, RetryAdvice},
};
use sqlx::{error::DatabaseError, sqlite::SqliteError};
use std::time::Duration;

/// An error inside a statement block; `?` accepts both kinds.
#[derive(Debug)]
pub enum Fault {
    Sql(sqlx::Error),
    Store(StoreError),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Store(error) => error,
            Fault::Sql(error) => translate(error),
        }
    }
}

/// An unknown value in the database.
pub fn defect(what: &str, value: &str) -> Fault {
    Fault::Store(StoreError::Defect(format!("'{value}' is no {what}")))
}

/// Waits before the next attempt to reach the database, or returns the error when another attempt cannot help.
pub async fn wait_out(error: sqlx::Error, backoff: &mut Backoff<'_>) -> Result<(), Fault> {
    // A pool that has no connection for so long is not helped by asking again, and one that is closed stays closed.
    let is_final = matches!(error, sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed);
    let error = translate(error);
    let again = if matches!(error, StoreError::Unavailable(_)) && !is_final { RetryAdvice::Soon } else { RetryAdvice::Never };
    match backoff.next_ms(again) {
        Some(wait_ms) => {
            tracing::warn!(%error, wait_ms, "database unreachable, retrying");
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
            Ok(())
        }
        None => Err(error.into()),
    }
}

fn translate(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Database(error) => translate_code(error.as_ref()),
        sqlx::Error::PoolTimedOut => StoreError::Unavailable("no free database connection in time".into()),
        // A connection closed in the middle of a message is a protocol error.
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => StoreError::Unavailable(error.to_string()),
        other => StoreError::Defect(other.to_string()),
    }
}

fn translate_code(error: &dyn DatabaseError) -> StoreError {
    let code = error.code().unwrap_or_default();
    let message = error.message().to_owned();
    if error.try_downcast_ref::<SqliteError>().is_some() {
        of_sqlite(code.parse().unwrap_or_default(), message)
    } else {
        of_postgres(&code, message)
    }
}

/// Result codes of SQLite; the low byte is the primary code.
fn of_sqlite(code: i32, message: String) -> StoreError {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const NO_MEMORY: i32 = 7;
    const READ_ONLY: i32 = 8;
    const INTERRUPTED: i32 = 9;
    const IO: i32 = 10;
    const FULL: i32 = 13;
    const CANNOT_OPEN: i32 = 14;
    const TOO_BIG: i32 = 18;
    const CONSTRAINT: i32 = 19;
    match code & 0xff {
        FULL => StoreError::Full,
        BUSY | LOCKED | NO_MEMORY | READ_ONLY | INTERRUPTED | IO | CANNOT_OPEN => StoreError::Unavailable(message),
        TOO_BIG | CONSTRAINT => StoreError::Invalid(message),
        _ => StoreError::Defect(message),
    }
}

/// SQLSTATE codes of PostgreSQL; the first two characters are the class.
fn of_postgres(code: &str, message: String) -> StoreError {
    match (code, code.get(..2).unwrap_or_default()) {
        ("53100", _) => StoreError::Full,
        // Connection, resources, operator intervention, system error, serialisation failure and deadlock.
        (_, "08" | "53" | "57" | "58" | "40") | ("55P03", _) => StoreError::Unavailable(message),
        (_, "22" | "23") => StoreError::Invalid(message),
        (_, "28") => StoreError::Invalid(format!("PostgreSQL rejected the user or the password: {message}")),
        (_, "3D") => StoreError::Invalid(format!("{message}: create it first, empty and owned by that user")),
        ("42501", _) if message.contains("extension") => {
            StoreError::Invalid(format!("{message}: a superuser must run `create extension vector` in that database once"))
        }
        ("42501", _) => StoreError::Invalid(format!("{message}: the user must own the database")),
        _ => StoreError::Defect(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extended_codes_count_as_their_primary_code() {
        assert!(matches!(of_sqlite(13, String::new()), StoreError::Full));
        assert!(matches!(of_sqlite(5 | (2 << 8), String::new()), StoreError::Unavailable(_)));
        assert!(matches!(of_sqlite(19 | (8 << 8), String::new()), StoreError::Invalid(_)));
        assert!(matches!(of_sqlite(1, String::new()), StoreError::Defect(_)));
        assert!(matches!(of_postgres("53100", String::new()), StoreError::Full));
        assert!(matches!(of_postgres("23505", String::new()), StoreError::Invalid(_)));
        let says = |code, words: &str| of_postgres(code, "m".into()).to_string().contains(words);
        let extension = of_postgres("42501", "permission denied to create extension \"vector\"".into()).to_string();
        assert!(extension.contains("superuser"), "{extension}");
        assert!(says("28P01", "the user or the password") && says("3D000", "create it first") && says("42501", "must own"));
    }
}
