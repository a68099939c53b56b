//! Search candidates by full text, vectors and filters over one scope. The engine scores and orders them.

mod all;
mod claims;
mod entities;
mod full_text;
mod listing;
mod relationships;
mod similarity;
mod subgraph;
mod traversal;

pub(super) use all::all;
pub(super) use claims::{claims, newest_claims};
pub(super) use entities::entities;
pub(super) use relationships::relationships;
pub(super) use subgraph::subgraph;
pub(super) use traversal::traverse;

pub(super) use full_text::Kind;
