//! Choices of a person for their own pages.

use serde::{Deserialize, Serialize};

/// Preferences of an account; the defaults hold until its owner changes them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Single keys do nothing (WCAG 2.1.4).
    pub shortcuts_off: bool,
    /// The sample is left out of home, lists and search.
    pub hides_sample: bool,
    /// A report of the sample was opened.
    pub sample_seen: bool,
    /// The first steps are not shown on the home page.
    pub setup_dismissed: bool,
}
