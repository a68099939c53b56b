//! Adapters: what stands behind the ports of `engine`. One module per kind of thing outside.

pub mod embed;
pub mod extractive;
pub mod graph;
pub mod llm;
pub mod sql;
pub mod tls;
