//! Pages of the feature, and its pieces inside pages of the kernel.

pub mod bell;
pub mod notifications;
pub mod objects;
pub mod saved_views;
pub mod watched;
