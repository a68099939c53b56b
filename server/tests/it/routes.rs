//! Tests of HTTP routes, one module per address.

mod api;
mod first_account;
mod health;
mod investigations;
mod pages;
mod people;
mod sample;
mod sessions;
mod settings;
mod sign_in;
pub mod sources;
mod tools;
