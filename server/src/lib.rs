//! The composition root: configuration, wiring, the web server and the command line.
//!
//! Invariant: no other crate knows the adapters. Only `config::environment` reads the environment, and only `system` reads the
//! clock.

pub mod built_in;
pub mod cli;
pub mod clock_check;
pub mod config;
mod data_dir;
mod features;
mod fetch_ports;
mod forwarding_ledger;
pub mod http;
pub mod intake;
pub mod logging;
pub mod metrics;
mod role_models;
mod runner;
pub mod sample;
mod settings;
pub mod setup_code;
mod system;
mod wiring;

pub use config::Config;
pub use fetch_ports::{KeyringCatalogue, RemoteFetch};
pub use runner::Runner;
pub use wiring::{DataStore, OpenError, Program};
