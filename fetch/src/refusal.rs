//! Reason why a file was not read, before its path is known.

use domain::fetch::{RejectReason, Rejection};
use serde::{Deserialize, Serialize};

/// Reason and message; becomes [`Rejection`] with a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub reason: RejectReason,
    pub message: String,
}

impl Refusal {
    pub fn new(reason: RejectReason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }

    pub fn broken(what: &str) -> Self {
        Self::new(
            RejectReason::Broken,
            format!("This {what} is damaged or cut short and cannot be read; get another copy of it."),
        )
    }

    pub fn encrypted(what: &str) -> Self {
        Self::new(
            RejectReason::Encrypted,
            format!("This {what} is protected by a password; remove the protection and add it again."),
        )
    }

    pub fn empty() -> Self {
        Self::new(RejectReason::Empty, "The file is empty; there is nothing to read in it.")
    }

    pub fn hidden() -> Self {
        let message = "Its name marks it as hidden, so it was skipped; rename it to have it read.";
        Self::new(RejectReason::Unsupported, message)
    }

    pub fn no_text(what: &str) -> Self {
        Self::new(RejectReason::NoText, format!("No text was found in this {what}; save it as plain text or PDF."))
    }

    pub fn too_large(size: u64, limit: u64, setting: &str) -> Self {
        let message = format!(
            "It has {} and the limit is {}; split it, or raise `{setting}` in the configuration.",
            amount(size),
            amount(limit)
        );
        Self::new(RejectReason::TooLarge, message)
    }

    pub fn at(self, path: impl Into<String>) -> Rejection {
        Rejection { path: path.into(), reason: self.reason, message: self.message }
    }
}

/// Human-readable size.
pub(crate) fn amount(bytes: u64) -> String {
    const KIB: u64 = 1024;
    match bytes {
        0..KIB => format!("{bytes} bytes"),
        KIB..1_048_576 => format!("{:.1} KiB", bytes as f64 / KIB as f64),
        _ => format!("{:.1} MiB", bytes as f64 / (KIB * KIB) as f64),
    }
}
