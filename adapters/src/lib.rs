//! Implementations of the ports of `engine`, one module per external system.

mod address;
pub mod embed;
pub mod graph;
pub mod limits;
pub mod llm;
pub mod redis;
pub mod replay;
pub mod sql;
mod store_timer;
pub mod tls;

pub use address::Address;
pub use store_timer::StoreTimer;
