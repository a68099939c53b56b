//! The server from outside: the tests lie as the addresses and the commands do.

#![expect(clippy::unwrap_used, reason = "in a test, what is missing is a failure")]

mod app;
mod client;
mod commands;
mod operations;
mod routes;
