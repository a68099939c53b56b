//! Checks of features in `autosint doctor --probe`, which may use services that the feature needs.

use crate::Web;
use engine::StoreResult;
use futures::future::BoxFuture;

/// Check of a feature by the doctor.
#[derive(Clone, Copy)]
pub struct Probe {
    /// Name of its line.
    pub name: &'static str,
    /// Runs the check; none where there is nothing to check.
    pub run: fn(Web) -> BoxFuture<'static, StoreResult<Option<ProbeFinding>>>,
}

/// Result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeFinding {
    pub is_ok: bool,
    /// Component in use, or the problem.
    pub note: String,
}
