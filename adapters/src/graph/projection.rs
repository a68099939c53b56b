//! The read projection: domain objects from the rows that a backend found, the same for every backend. No I/O.

mod all;
mod edges;
mod entity;
mod facts;
mod hits;
mod numbers;
mod ranking;
mod relationships;
mod reviews;
mod subgraph;
mod uses;

pub(super) use all::{AllHits, FoundRows};
pub(super) use edges::{Edge, neighbours, strongest_first};
pub(super) use entity::{ALIAS, EntityProjection, FactEvidence};
use facts::names_of;
pub(super) use facts::{FactRow, Projections, found_entities};
use hits::merge_duplicates;
pub(super) use hits::{Hits, has_period};
pub(super) use numbers::{NumberRow, claim_numbers};
pub(super) use ranking::{KindRanking, NameRanking, RankedName, RankedValue};
pub(super) use relationships::{StoredRelationship, relationships_by_id};
pub(super) use reviews::ReviewRow;
pub(super) use subgraph::{EdgeRow, NodeRow, subgraph};
pub(super) use uses::{StatingRow, UseRow, claim_uses, stating_documents};
