//! Web access, against servers on loopback.

pub mod addresses;
mod bodies;
mod cache;
mod load;
pub mod local_web;
mod politeness;
mod tls;
