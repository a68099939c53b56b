//! Pages of the feature, and its piece on the home page.

pub mod actions;
pub mod detail;
pub mod list;
pub mod responses;
pub mod rising;
pub mod runs;

use app::format;

/// `5 origins`.
fn origins_text(origins: usize) -> String {
    format::count(origins as u64, "origin", "origins")
}

/// `today`, `1 day ago`, `12 days ago`.
fn days_ago(age_days: i64) -> String {
    match age_days {
        ..=0 => "today".to_owned(),
        1 => "1 day ago".to_owned(),
        days => format!("{days} days ago"),
    }
}
