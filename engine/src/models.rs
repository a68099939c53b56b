//! Which models play which roles, and where the keys of their providers come from. The port itself is `protocol::model`.

mod cast;
mod keys;

pub use cast::{Cast, NamedModels};
pub use keys::{Keys, Secret};
