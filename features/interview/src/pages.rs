//! Pages of the feature.

pub mod actions;
pub mod events;
pub mod form;
pub mod home;
pub mod sharpen;
pub mod talk;
