//! Tests of HTTP routes, one module per address.

mod account;
mod annotations;
mod another_person;
mod api;
mod connections;
mod first_account;
mod health;
mod hosts;
mod investigations;
mod links;
mod model_choices;
mod open_limit;
mod pages;
mod people;
mod plan;
mod reviews;
mod sample;
mod scope;
mod sessions;
mod settings;
mod sign_in;
pub mod sources;
mod teams;
mod tidy;
mod tools;
mod uploads;
mod work_orders;
