//! Knowledge graph: entities, relationships and claims behind one port.
//!
//! Invariant: writes need evidence, and claims are immutable. Backends return candidates; scores and order are computed here, so
//! that all backends answer alike.

pub mod communities;
pub mod layout;
pub mod paths;
mod port;
mod query;
pub mod readership;
pub mod resolve;
pub mod reviews;
pub mod search;
pub mod split;
pub mod terms;
mod write;

pub use port::{Graph, Resolve};
pub use query::{
    Candidate, ClaimNumber, ClaimOrder, ClaimQuery, ClaimTime, ClaimUse, ClaimUses, Direction, EntityQuery, GraphCandidates,
    GraphQuery, ListedMerges, NamedIn, Neighbour, RelationshipQuery, SoleEvidence, SubgraphQuery, Traversal,
};
pub use split::{Split, SplitOutcome};
pub use write::{
    EntityProposal, EntityRef, EntityUpdate, GraphWrite, KnownEntity, NewClaim, NewRelationship, ProbableMatch, Resolution,
    ResolutionVerdict, ResolvedEntity, SameAs, WriteOutcome, WrittenItem,
};
