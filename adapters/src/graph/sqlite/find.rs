//! Candidates for a search: full text, vectors and filters over what a scope sees. The engine scores and orders them.

mod claims;
mod entities;
mod full_text;
mod listing;
mod relationships;
mod similarity;
mod traversal;

pub(super) use claims::claims;
pub(super) use entities::entities;
pub(super) use relationships::relationships;
pub(super) use traversal::traverse;

pub(super) use full_text::Kind;
