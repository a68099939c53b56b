//! The engine from the question to the assessment, on the real store and graph, with the `extractive` provider or a scripted one.
#![allow(clippy::unwrap_used, reason = "this is a test; the lint only knows functions that carry #[test]")]

#[path = "engine/material.rs"]
mod material;
#[path = "engine/sample.rs"]
mod sample;
#[path = "engine/world.rs"]
mod world;
