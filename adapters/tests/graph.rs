//! Suites of the graph, run on every backend.

#[path = "conformance/graph.rs"]
mod graph;
