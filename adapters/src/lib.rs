//! Adapters: what stands behind the ports of `engine`. One module per kind of thing outside.

mod address;
pub mod embed;
pub mod graph;
pub mod limits;
pub mod llm;
pub mod redis;
pub mod replay;
pub mod sql;
pub mod tls;

pub use address::Address;
