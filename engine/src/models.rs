//! Which models play which roles, and where the keys of their providers come from. The port itself is `protocol::model`.

mod keys;
mod role_models;

pub use keys::{Keys, Secret};
pub use role_models::{NamedModels, RoleModels};
