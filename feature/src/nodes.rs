//! Objects of features in the picture of the explorer.

use crate::Web;
use app::AddedNode;
use domain::{EntityId, user::User};
use engine::StoreResult;
use futures::future::BoxFuture;

/// Source of objects that a feature lays over the graph. The graph stores do not know them.
#[derive(Clone, Copy)]
pub struct NodeSource {
    /// Finds the objects that the person reads and whose evidence is about some of the entities, those expanded first.
    pub find: fn(Web, User, Vec<EntityId>) -> FoundNodes,
}

/// Objects on their way.
pub type FoundNodes = BoxFuture<'static, StoreResult<Vec<AddedNode>>>;
