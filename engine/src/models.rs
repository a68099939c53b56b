//! Role models and provider keys. The model port is `protocol::model`.

mod choices;
mod keys;
mod role_models;

pub use choices::ChosenModels;
pub use keys::{Keys, Secret};
pub use role_models::{FeatureModels, NamedModels, RoleModels};
