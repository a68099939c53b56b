//! The server from outside: the tests lie as the addresses and the commands do.

// The future of a whole program that starts is deep.
#![recursion_limit = "256"]
#![expect(clippy::unwrap_used, reason = "in a test, what is missing is a failure")]

mod app;
mod client;
mod commands;
mod operations;
mod recordings;
mod routes;
#[path = "../chaos/same.rs"]
mod same;
mod scaled;
mod web;
