//! What a reader gets to see, put together from the rows that a backend found: the same for every backend. No I/O.

mod dossier;
mod edges;
mod hits;
mod stated;

pub(super) use dossier::{ALIAS, Dossier, Evidence};
pub(super) use edges::{Edge, neighbours, strongest_first};
pub(super) use hits::{Hits, has_period, in_order, without_twins};
pub(super) use stated::{Stated, StatedKinds, StatedName, StatedNames};
