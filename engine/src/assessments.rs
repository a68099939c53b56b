//! Assessments in the store. They refer to the graph by id; the graph never refers to them.

mod find;
mod markdown;
mod produce;

pub use find::find;
pub use markdown::markdown;
pub use produce::{AssessmentDraft, FindingsPolicy, ProduceError, produce};

use crate::{StoreResult, embeddings::VectorText};
use async_trait::async_trait;
use domain::{AssessmentId, CollectionId, EntityId, InvestigationId, Scope, Timestamp, assessment::Assessment};
use std::collections::BTreeMap;
use uuid::Uuid;

/// An assessment with what the store keeps beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAssessment {
    pub assessment: Assessment,
    /// Everything it was drawn from; a reader must see all of them.
    pub collections: Vec<CollectionId>,
    pub entity_ids: Vec<EntityId>,
    /// Written without a model from what the graph held, after a failure.
    pub is_partial: bool,
    pub created_at: Timestamp,
}

/// Which assessments are listed, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssessmentQuery {
    /// Every word of it stands in question, title or bottom line; all where there is none.
    pub text: Option<String>,
    pub offset: u64,
    pub limit: u32,
}

impl AssessmentQuery {
    /// The newest of all.
    pub fn newest(limit: u32) -> Self {
        Self { limit, ..Self::default() }
    }
}

/// Some of the assessments that a query finds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssessmentPage {
    pub assessments: Vec<StoredAssessment>,
    /// How many match in all.
    pub total: u64,
}

#[async_trait]
pub trait Assessments: Send + Sync {
    /// One assessment per investigation and `is_partial`: writing again for the same investigation gives the first one's id.
    async fn put(&self, assessment: &StoredAssessment) -> StoreResult<AssessmentId>;
    async fn assessment(&self, scope: &Scope, id: AssessmentId) -> StoreResult<Option<StoredAssessment>>;
    async fn of_investigation(&self, scope: &Scope, id: InvestigationId) -> StoreResult<Option<StoredAssessment>>;
    /// The ids of the assessments of many investigations: for each the complete one, else the partial one.
    async fn ids_of(
        &self,
        scope: &Scope,
        investigations: &[InvestigationId],
    ) -> StoreResult<BTreeMap<InvestigationId, AssessmentId>>;
    /// Newest first.
    async fn latest(&self, scope: &Scope, query: &AssessmentQuery) -> StoreResult<AssessmentPage>;
    /// Candidates by full text over question, title and bottom line, the best first; newest first among equals.
    async fn search(&self, scope: &Scope, text: &str, limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    /// Candidates by the vector of title and bottom line, the nearest first.
    async fn near(&self, scope: &Scope, model: &str, vector: &[f32], limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    /// How many have no vector of a model, and how many have one.
    async fn vector_progress(&self, model: &str) -> StoreResult<(u64, u64)>;
    /// Title and bottom line of up to `limit` that have none, oldest first.
    async fn without_vector(&self, model: &str, limit: u32) -> StoreResult<Vec<VectorText>>;
    /// Natural key: (assessment, model). What was removed meanwhile is passed over.
    async fn put_vectors(&self, model: &str, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()>;
    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()>;
}
