//! Integration tests of the adapters: the conformance suites, the engine on real stores, and models over HTTP.
#![allow(clippy::unwrap_used, reason = "this is a test; the lint only knows functions that carry #[test]")]

mod conformance;
mod engine;
mod eventually;
mod flaky_proxy;
mod llm;
