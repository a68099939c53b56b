//! Models over HTTP against a server that speaks both wires: what each fault and oddity becomes for whoever calls.
#![allow(clippy::unwrap_used, reason = "this is a test; the lint only knows functions that carry #[test]")]

#[path = "llm/answers.rs"]
mod answers;
#[path = "llm/bench.rs"]
mod bench;
#[path = "llm/conversations.rs"]
mod conversations;
#[path = "llm/faults.rs"]
mod faults;
#[path = "llm/fixtures.rs"]
mod fixtures;
#[path = "llm/probes.rs"]
mod probes;
#[path = "llm/schemas.rs"]
mod schemas;
