//! Assessments in the store. They refer to the graph by id; the graph never refers to them.

mod markdown;
mod produce;

pub use markdown::markdown;
pub use produce::{Draft, ProduceError, produce};

use crate::StoreResult;
use async_trait::async_trait;
use domain::{AssessmentId, CollectionId, EntityId, InvestigationId, Scope, Timestamp, assessment::Assessment};

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

#[async_trait]
pub trait Assessments: Send + Sync {
    /// One assessment per investigation and `is_partial`: writing again for the same investigation gives the first one's id.
    async fn put(&self, assessment: &StoredAssessment) -> StoreResult<AssessmentId>;
    async fn assessment(&self, scope: &Scope, id: AssessmentId) -> StoreResult<Option<StoredAssessment>>;
    async fn of_investigation(&self, scope: &Scope, id: InvestigationId) -> StoreResult<Option<StoredAssessment>>;
    /// Newest first.
    async fn latest(&self, scope: &Scope, limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    /// Candidates by full text over question, title and bottom line, and by vector; newest first among equals.
    async fn search(&self, scope: &Scope, text: &str, limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    async fn remove_collection(&self, collection: CollectionId) -> StoreResult<()>;
}
