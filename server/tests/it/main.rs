//! The server from outside: the tests lie as the addresses and the commands do.

mod app;
mod client;
mod commands;
mod routes;
