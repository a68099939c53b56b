//! What a source is asked, and what it answers.

use crate::PublicationDate;
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
    pub published: Option<PublicationDate>,
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

/// Why a source gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceFailure {
    /// The query was at fault: the source fares well.
    pub is_of_query: bool,
    /// One sentence for a person: what is wrong and what to do.
    pub message: String,
}

impl SourceFailure {
    pub fn by_source(message: impl Into<String>) -> Self {
        Self { is_of_query: false, message: message.into() }
    }
}

/// What a source does with a key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyUse {
    #[default]
    None,
    /// It answers more often with one.
    Optional,
    Required,
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

/// How a source has fared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceHealth {
    pub answers: u64,
    pub failures: u64,
    /// What went wrong last, for a person; none after a success.
    pub last_error: Option<String>,
    pub last_success: Option<crate::Timestamp>,
    pub last_failure: Option<crate::Timestamp>,
}
