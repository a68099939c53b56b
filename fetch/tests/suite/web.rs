//! The door to the web, against servers of this machine.

pub mod addresses;
mod bodies;
mod cache;
mod load;
pub mod local_web;
mod politeness;
mod tls;
