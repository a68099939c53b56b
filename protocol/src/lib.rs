//! The protocol between the engine and language models: messages, tool arguments, tool results, and the marks around outside text.
//!
//! Invariant: no I/O, and nothing of ours but `domain`. A provider can be written and tested with these two crates alone.

pub mod addresses;
pub mod fence;
pub mod json;
pub mod model;
pub mod pack;
pub mod refs;
pub mod schema;
pub mod tools;
