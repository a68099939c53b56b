//! The question form: scope, choices of an earlier question, and questions about a vague one.

use crate::{Ownership, RejectedPage};
use domain::{
    CollectionId,
    investigation::{Terms, WebAccess},
    team::Team,
    visibility::{Visibility, VisibilityKind},
};
use serde::{Deserialize, Serialize};

/// The page for a new question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewInvestigationView {
    /// Number of documents in the library, without the sample.
    pub documents: u64,
    /// Names of the folders on the server that can be read.
    pub folders: Vec<String>,
    /// Collections that can be chosen: shared and own ones.
    pub collections: Vec<CollectionChoice>,
    /// Question that is continued, if the viewer may see it.
    pub earlier: Option<EarlierQuestion>,
    /// Web access of this server.
    pub web: WebAccess,
    /// Sources that are on; for those who may switch them, also the free ones that are off.
    pub sources: Vec<SourceChoice>,
    /// Whether the viewer's own files are in the library, so that questions stay off the web by default; false beside `earlier`.
    pub has_private_files: bool,
    /// Of an upload of which nothing could be read.
    pub rejected: RejectedPage,
    /// Teams that the report can be made visible to.
    pub teams: Vec<Team>,
    /// Visibility that is chosen at first.
    pub visibility: VisibilityKind,
}

/// Collection that a question can be limited to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionChoice {
    pub id: CollectionId,
    pub name: String,
    pub ownership: Ownership,
}

/// Source of the web that a question may search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceChoice {
    pub id: String,
    pub name: String,
    pub is_on: bool,
}

/// Choices of a question that another one continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierQuestion {
    pub terms: Terms,
    pub collections: Vec<CollectionId>,
    pub web: WebAccess,
    pub model: Option<String>,
    /// Readers of the earlier report, of a question of the viewer's own.
    pub visibility: Option<Visibility>,
}

/// Questions about a vague question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClarifyView {
    /// Suggested subjects.
    pub subjects: Vec<String>,
    /// Suggested periods; empty where the time is known.
    pub periods: Vec<PeriodChoice>,
}

/// Period that a person can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeriodChoice {
    pub name: String,
    /// First day of publication, as YYYY-MM-DD.
    pub from: String,
}
