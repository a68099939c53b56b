//! Integration tests of the server, laid out like its addresses and commands.

// The future of a starting program is deep.
#![recursion_limit = "256"]
#![expect(clippy::unwrap_used, reason = "in a test, a missing value is a failure")]

mod app;
mod chaos;
mod client;
mod commands;
mod eventually;
mod graph_write;
mod operations;
mod prelude;
mod recordings;
mod reports;
mod resumed;
mod routes;
mod scaled;
mod service;
mod web;
