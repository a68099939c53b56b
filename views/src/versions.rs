//! Threads, comparisons of versions, and the history of a question.

use domain::{
    AssessmentId, DocumentId, InvestigationId, Timestamp,
    assessment::{AnswerLine, BeliefChange, Comparison, StatementChange},
    investigation::Status,
};
use serde::{Deserialize, Serialize};

/// A question with its versions that the viewer may see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryView {
    pub question: String,
    /// Its first version: the object that people watch.
    pub first: InvestigationId,
    /// Its answers with their probability in each version, in the order of `versions`.
    pub answers: Vec<AnswerLine>,
    /// Brier scores of its settled forecasts, in words; empty of fewer than five.
    pub scores: Vec<String>,
    /// Oldest first.
    pub versions: Vec<HistoryVersion>,
}

/// A version of a question, compared with the one before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryVersion {
    pub id: AssessmentId,
    /// From 1.
    pub number: u32,
    pub created_at: Timestamp,
    pub model: String,
    /// The change since the version before, in its author's words.
    pub account: Option<String>,
    /// None for the first.
    pub change: Option<Comparison>,
}

/// Question of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadLine {
    pub investigation_id: InvestigationId,
    pub question: String,
    /// Its assessment; none while it runs or when it failed.
    pub assessment: Option<AssessmentId>,
    /// The question that it continues or runs again; none for the first.
    pub follows: Option<InvestigationId>,
    pub status: Status,
    /// Version of its question, from 1.
    pub version: u32,
    /// Number of versions of its question.
    pub versions: u32,
    pub is_current: bool,
    pub created_at: Timestamp,
}

impl ThreadLine {
    /// Whether it is a version of the same question as another one of its thread.
    pub fn is_version_of(&self, other: &Self) -> bool {
        self.versions == other.versions && self.question == other.question
    }
}

/// Returns the assessment of the version before the current question of a thread.
pub fn previous_version(thread: &[ThreadLine]) -> Option<AssessmentId> {
    let current = thread.iter().find(|line| line.is_current)?;
    let mut versions = thread.iter().filter(|line| line.is_version_of(current));
    versions.find(|line| line.version + 1 == current.version)?.assessment
}

/// Returns the nearest question with an assessment that the current question of a thread continues in other words.
pub fn followed_question(thread: &[ThreadLine]) -> Option<&ThreadLine> {
    let current = thread.iter().find(|line| line.is_current)?;
    let mut next = current.follows;
    // As many steps as the thread has questions at most: a chain has no circle.
    for _ in thread {
        let line = thread.iter().find(|line| Some(line.investigation_id) == next)?;
        if line.assessment.is_some() {
            return Some(line).filter(|line| !line.is_version_of(current));
        }
        next = line.follows;
    }
    None
}

/// Question that a report continues in other words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowedReport {
    pub id: AssessmentId,
    pub question: String,
    /// Change of the hypotheses in common; none where the two cannot be compared.
    pub change: Option<BeliefChange>,
}

/// Comparison of two assessments of one question, the earlier one first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonView {
    pub question: String,
    /// Sentence on the change.
    pub sentence: String,
    pub earlier: ComparedSide,
    pub later: ComparedSide,
    /// Hypotheses with their probability.
    pub answers: Vec<StatementChange>,
    /// Key judgements with the middle of their likelihood.
    pub judgements: Vec<StatementChange>,
    /// Number of citations of the same places of the same documents.
    pub kept: usize,
    pub added: Vec<OneSidedCitation>,
    pub removed: Vec<OneSidedCitation>,
    /// Whether the viewer may open everything that both versions rest on.
    pub is_open: bool,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedSide {
    pub id: AssessmentId,
    pub created_at: Timestamp,
    pub model: String,
    pub bottom_line: String,
    /// None of an evidence brief.
    pub confidence: Option<String>,
}

/// A citation that only one side has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OneSidedCitation {
    /// None where the viewer may not open it.
    pub document_id: Option<DocumentId>,
    pub document: String,
    pub quote: String,
}
