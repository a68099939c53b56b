//! Errors of pages. Causes are logged here, at the edge, and never sent.

use leptos::{
    prelude::{FromServerFnError, ServerFnErrorErr},
    server_fn::codec::JsonEncoding,
};
use serde::{Deserialize, Serialize};

/// A failure in words for the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct AppError {
    pub fault: Fault,
    pub message: String,
}

/// Kind of failure; decides the HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    SignedOut,
    NotFound,
    NotAllowed,
    DiskFull,
    Unavailable,
    Internal,
}

impl AppError {
    /// Missing or not visible: both give the same answer.
    pub fn not_found(what: &str) -> Self {
        let message = format!("This {what} does not exist, or you don\u{2019}t have access.");
        Self { fault: Fault::NotFound, message }
    }

    /// The role lacks the permission.
    pub fn not_allowed(message: &str) -> Self {
        Self { fault: Fault::NotAllowed, message: message.to_owned() }
    }

    pub fn signed_out() -> Self {
        Self { fault: Fault::SignedOut, message: "Sign in first.".to_owned() }
    }

    pub fn internal() -> Self {
        let message = "Something went wrong on our side. Try again, or tell your administrator.";
        Self { fault: Fault::Internal, message: message.to_owned() }
    }
}

impl Fault {
    /// Returns the fault that the notice of a store error reports.
    #[cfg(feature = "ssr")]
    pub const fn from_store(notice: crate::Notice) -> Self {
        match notice {
            crate::Notice::DiskFull => Self::DiskFull,
            crate::Notice::Unavailable => Self::Unavailable,
            _ => Self::Internal,
        }
    }

    pub const fn status(self) -> u16 {
        match self {
            Self::SignedOut => 401,
            Self::NotFound => 404,
            Self::NotAllowed => 403,
            Self::DiskFull => 507,
            Self::Unavailable => 503,
            Self::Internal => 500,
        }
    }

    pub const fn title(self) -> &'static str {
        match self {
            Self::SignedOut => "Not signed in",
            Self::NotFound => "Not found",
            Self::NotAllowed => "Not allowed",
            Self::DiskFull => "Disk full",
            Self::Unavailable => "Temporarily unavailable",
            Self::Internal => "Something went wrong",
        }
    }
}

impl FromServerFnError for AppError {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(_: ServerFnErrorErr) -> Self {
        Self::internal()
    }
}

#[cfg(feature = "ssr")]
impl From<engine::StoreError> for AppError {
    fn from(error: engine::StoreError) -> Self {
        let notice = crate::store_notice(&error);
        match Fault::from_store(notice) {
            Fault::Internal => Self::internal(),
            fault => Self { fault, message: notice.message().to_owned() },
        }
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use engine::StoreError;

    #[test]
    fn a_store_error_has_a_status_and_no_cause() {
        for (error, status) in [
            (StoreError::Full, 507),
            (StoreError::Unavailable("10.0.0.7 is gone".into()), 503),
            (StoreError::Defect("10.0.0.7 is corrupt".into()), 500),
        ] {
            let error = AppError::from(error);
            assert_eq!(error.fault.status(), status);
            assert!(!error.message.contains("10.0.0.7"), "{error}");
        }
    }
}
