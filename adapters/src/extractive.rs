//! The `extractive` provider: deterministic analysis and answers without a model, a network or a key.

pub mod answer;
pub mod text;
