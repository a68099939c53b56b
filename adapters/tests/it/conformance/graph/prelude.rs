//! Names that most suites of the graph use.

pub(super) use super::fixture::{DocumentWrite, GraphFixture, collection, day, home, id, mention, sqlite};
pub(super) use adapters::{graph::GraphConfig, sql::SqlConfig};
pub(super) use domain::{
    ClaimId, CollectionId, Confidence, DateRange, DocumentId, EntityId, MergeId, PartialDate, ReviewId, Scope, Timestamp,
    UserId,
    claim::Mode,
    entity::{PropertyKey, PropertyValue},
};
pub(super) use engine::{
    StoreError,
    graph::{
        ClaimOrder, ClaimQuery, EntityQuery, EntityRef, RelationshipQuery, SubgraphQuery, Traversal, WriteOutcome,
        search::{SearchConfig, search_claims},
    },
};
pub(super) use std::collections::BTreeSet;
