//! The knowledge graph: entities, relationships and claims, behind one port.
//!
//! Invariant: nothing is written without evidence, and claims are never changed. A backend returns candidates; scores and
//! order are computed here, so that every backend answers alike.

mod port;
mod query;
pub mod resolve;
pub mod search;
pub mod terms;
mod write;

pub use port::{Graph, Resolve};
pub use query::{
    Candidate, ClaimOrder, ClaimQuery, ClaimTime, Direction, EntityQuery, Neighbour, RelationshipQuery, Traversal,
};
pub use write::{
    EntityProposal, EntityRef, EntityUpdate, GraphWrite, KnownEntity, NewClaim, NewRelationship, ProbableMatch, Resolution,
    ResolutionVerdict, ResolvedEntity, SameAs, WriteOutcome, WrittenItem,
};
