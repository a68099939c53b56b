//! Pages of the feature, and its piece on the home page.

pub mod actions;
pub mod detail;
pub mod list;
pub mod responses;
pub mod rising;
pub mod runs;

use crate::tension::{EvidenceDay, day_start};
use app::format;

/// `5 origins`.
fn origins_text(origins: usize) -> String {
    format::count(origins as u64, "origin", "origins")
}

/// `latest 2 days ago`; without a date, `dates unknown, read 2 days ago`.
fn latest_text(latest: EvidenceDay, today: i64) -> String {
    let ago = days_ago(today - latest.day);
    if latest.is_undated { format!("dates unknown, read {ago}") } else { format!("latest {ago}") }
}

/// `date unknown, read on 28 Nov 2026`, for evidence without a date.
fn undated_text(day: i64) -> String {
    format!("date unknown, read on {}", format::day(day_start(day)))
}

/// `today`, `1 day ago`, `12 days ago`.
fn days_ago(age_days: i64) -> String {
    match age_days {
        ..=0 => "today".to_owned(),
        1 => "1 day ago".to_owned(),
        days => format!("{days} days ago"),
    }
}
