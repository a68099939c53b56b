//! Implementations of the ports of `engine`, one module per external system.

// What only a part that is left out uses.
#![cfg_attr(not(all(feature = "embed", feature = "scale")), allow(dead_code, unused_imports))]

mod address;
pub mod embed;
pub mod graph;
pub mod limits;
pub mod llm;
#[cfg(feature = "scale")]
pub mod redis;
#[cfg(not(feature = "scale"))]
#[path = "no_redis.rs"]
pub mod redis;
pub mod replay;
pub mod sql;
mod store_timer;
pub mod tls;

pub use address::Address;
pub use store_timer::StoreTimer;
