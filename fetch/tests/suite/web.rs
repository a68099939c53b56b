//! The door to the web, against servers of this machine.

pub mod addresses;
mod bodies;
mod cache;
mod crowd;
mod manners;
mod tls;
pub mod world;
