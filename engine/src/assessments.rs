//! Assessment storage. Assessments refer to the graph by id; the graph never refers to them.

mod beliefs;
pub mod failure;
mod find;
mod markdown;
mod produce;
mod safe_markdown;

pub(crate) use beliefs::record_belief_change;
pub use beliefs::{change_between, compare, is_same_question};
pub use find::find;
pub use markdown::markdown;
pub(crate) use produce::investigation_cost;
pub use produce::{AssessmentDraft, FindingsPolicy, ProduceError, ProducedAssessment, produce};
pub use safe_markdown::without_links;

use crate::{StoreResult, embeddings::VectorText, investigations::ArchiveFilter};
use async_trait::async_trait;
use domain::{
    AssessmentId, ClaimId, CollectionId, DocumentId, EntityId, InvestigationId, QueryText, Scope, Timestamp, UserId,
    annotation::Tag,
    assessment::{Assessment, AssessmentState, AssessmentSummary},
    investigation::Period,
    visibility::VisibilityKind,
};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Stored assessment with its metadata.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAssessment {
    pub assessment: Assessment,
    /// Collections it draws on; a reader must see all of them.
    pub collections: Vec<CollectionId>,
    pub entity_ids: Vec<EntityId>,
    /// Whether it is a partial report, written without a model after a failure.
    pub is_partial: bool,
    pub created_at: Timestamp,
}

/// Summary of a stored assessment with its metadata.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSummary {
    pub summary: AssessmentSummary,
    /// Collections it draws on.
    pub collections: Vec<CollectionId>,
    pub is_partial: bool,
    pub created_at: Timestamp,
}

impl From<StoredAssessment> for StoredSummary {
    fn from(stored: StoredAssessment) -> Self {
        let StoredAssessment { assessment, collections, is_partial, created_at, .. } = stored;
        Self { summary: AssessmentSummary::from_assessment(&assessment), collections, is_partial, created_at }
    }
}

/// Query of a page of assessments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssessmentQuery {
    /// Words that question, title or bottom line must all contain; none: all assessments.
    pub text: Option<QueryText>,
    /// Only those of this person's investigations.
    pub owner: Option<UserId>,
    /// Those of archived investigations, of the others, or of both.
    pub archived: ArchiveFilter,
    /// Only those with this visibility.
    pub visibility: Option<VisibilityKind>,
    /// Only those with this tag.
    pub tag: Option<Tag>,
    /// Only those in one of these states; none: in any.
    pub states: Option<Vec<AssessmentState>>,
    /// Only those that draw on this collection.
    pub collection: Option<CollectionId>,
    /// Only these.
    pub only: Option<Vec<AssessmentId>>,
    /// Days of completion.
    pub period: Period,
    pub order: AssessmentOrder,
    pub offset: u64,
    pub limit: u32,
}

/// Order of a page of assessments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AssessmentOrder {
    #[default]
    NewestFirst,
    OldestFirst,
    /// By full-text rank, newest first among equals; without words as `NewestFirst`.
    Relevance,
}

impl AssessmentQuery {
    /// Returns a query of the newest assessments.
    pub fn newest(limit: u32) -> Self {
        Self { limit, ..Self::default() }
    }
}

/// Page of assessments.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssessmentPage {
    pub assessments: Vec<StoredSummary>,
    /// Total number of matches.
    pub total: u64,
}

/// Assessment with a vector near that of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct NearAssessment {
    pub stored: StoredAssessment,
    /// Cosine of the two vectors.
    pub similarity: f64,
    pub is_archived: bool,
}

/// Port of assessments. A scope that names its reader also covers the assessments that others made visible to them, except in `search`
/// and `near`, with which agents look for earlier ones.
#[async_trait]
pub trait Assessments: Send + Sync {
    /// Stores an assessment, unique per investigation and `is_partial`. Repeating returns the first one's id.
    async fn put(&self, assessment: &StoredAssessment) -> StoreResult<AssessmentId>;
    /// Replaces the text of a stored assessment, found by its id. Citations and collections stay as they were stored.
    async fn update(&self, assessment: &Assessment) -> StoreResult<()>;
    async fn assessment(&self, scope: &Scope, id: AssessmentId) -> StoreResult<Option<StoredAssessment>>;
    /// Returns those of some assessments that the scope sees, oldest first.
    async fn assessments(&self, scope: &Scope, ids: &[AssessmentId]) -> StoreResult<Vec<StoredAssessment>>;
    async fn of_investigation(&self, scope: &Scope, id: InvestigationId) -> StoreResult<Option<StoredAssessment>>;
    /// Returns assessment ids of investigations: the complete one, else the partial one.
    async fn ids_of(
        &self,
        scope: &Scope,
        investigations: &[InvestigationId],
    ) -> StoreResult<BTreeMap<InvestigationId, AssessmentId>>;
    /// Returns a page of assessments; those whose stored text cannot be read are left out.
    async fn latest(&self, scope: &Scope, query: &AssessmentQuery) -> StoreResult<AssessmentPage>;
    /// Returns full-text candidates over question, title and bottom line, best first, then newest first.
    async fn search(&self, scope: &Scope, text: &QueryText, limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    /// Returns assessments whose evidence is about any of these entities, newest first.
    async fn about(&self, scope: &Scope, entities: &[EntityId], limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    /// Returns assessments that cite any of these documents, newest first.
    async fn citing(&self, scope: &Scope, documents: &[DocumentId], limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    /// Counts the assessments of everybody that cite any of these documents.
    async fn count_citing(&self, documents: &[DocumentId]) -> StoreResult<u64>;
    /// Returns assessments that cite any of these claims of these documents, newest first.
    async fn citing_claims(
        &self,
        scope: &Scope,
        documents: &[DocumentId],
        claims: &[ClaimId],
        limit: u32,
    ) -> StoreResult<Vec<StoredAssessment>>;
    /// Returns candidates by the vector of title and bottom line, nearest first.
    async fn near(&self, scope: &Scope, model: &str, vector: &[f32], limit: u32) -> StoreResult<Vec<NearAssessment>>;
    /// Returns how many have no vector of a model, and how many have one.
    async fn vector_progress(&self, model: &str) -> StoreResult<(u64, u64)>;
    /// Returns title and bottom line of up to `limit` assessments without a vector, oldest first.
    async fn without_vector(&self, model: &str, limit: u32) -> StoreResult<Vec<VectorText>>;
    /// Stores vectors. Natural key: (assessment, model). Removed assessments are skipped.
    async fn put_vectors(&self, model: &str, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()>;
    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()>;
}
