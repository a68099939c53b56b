//! What a source is asked, and what it answers.

use crate::Published;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Words to find, and within which bounds. A source that knows no such bound says so in its coverage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceQuery {
    pub words: String,
    /// First and last day of publication, as YYYY-MM-DD.
    pub since: Option<String>,
    pub until: Option<String>,
    /// ISO 639-1.
    pub language: Option<String>,
    /// Part of the world, as the configured feeds name it.
    pub region: Option<String>,
    /// At most so many; a source may give fewer at a time.
    pub limit: u32,
    /// `next` of the page before.
    pub page: Option<String>,
}

/// One thing that a source knows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceHit {
    pub address: String,
    pub title: String,
    /// Plain words of it, or about it.
    pub snippet: Option<String>,
    pub published: Option<Published>,
    pub outlet: Option<String>,
    pub byline: Option<String>,
    pub language: Option<String>,
}

/// A part of what a source found, the best or the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourcePage {
    pub hits: Vec<SourceHit>,
    /// How many there are in all, where the source says so.
    pub total: Option<u64>,
    /// What to ask for the next page; none: this was the last.
    pub next: Option<String>,
}

/// Whether a source can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    Ready,
    NeedsKey,
    /// Its terms want to know who asks: `fetch.contact`.
    NeedsContact,
    /// It is a service of one's own: its address is configured.
    NeedsAddress,
    Off,
}

/// How a source has fared since the start of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceHealth {
    pub answers: u64,
    pub failures: u64,
    /// What went wrong last, for a person; none after a success.
    pub last_error: Option<String>,
    pub last_success: Option<crate::Timestamp>,
    pub last_failure: Option<crate::Timestamp>,
}
