//! Pages of the feature: those of people with an account, and those of strangers.

pub mod list;
pub mod new;
pub mod public;
