//! Queries to sources and their results.

use crate::PublicationDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Search words and bounds. The coverage of a source names the bounds that it ignores.
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
    /// Total number of hits, where the source states it.
    pub total: Option<u64>,
    /// Token of the next page; `None` on the last page.
    pub next: Option<String>,
}

/// Failure of a source query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceFailure {
    /// The query was at fault; the source is healthy.
    pub is_of_query: bool,
    /// The source does not answer, or answers with an error of its own: asking again soon is no use.
    #[serde(default)]
    pub is_outage: bool,
    /// One sentence for a person: what is wrong and what to do.
    pub message: String,
}

impl SourceFailure {
    pub fn by_source(message: impl Into<String>) -> Self {
        Self { is_of_query: false, is_outage: false, message: message.into() }
    }

    pub fn outage(message: impl Into<String>) -> Self {
        Self { is_outage: true, ..Self::by_source(message) }
    }
}

/// Key requirement of a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyUse {
    #[default]
    None,
    /// It answers more often with one.
    Optional,
    Required,
}

/// Availability of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    Ready,
    NeedsKey,
    /// The terms require a contact address: `fetch.contact`.
    NeedsContact,
    /// Self-hosted service without a configured address.
    NeedsAddress,
    Off,
}

/// Health of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceHealth {
    pub answers: u64,
    pub failures: u64,
    /// Last error, for a person; `None` after a success.
    pub last_error: Option<String>,
    pub last_success: Option<crate::Timestamp>,
    pub last_failure: Option<crate::Timestamp>,
}

impl SourceHealth {
    /// Returns whether the last query failed.
    pub fn is_failing(&self) -> bool {
        self.last_failure > self.last_success
    }
}
