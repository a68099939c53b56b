//! The composition root: configuration, wiring, the web server and the command line.
//!
//! Invariant: the only crate that knows the adapters; `config::environment` is the only reader of the environment and
//! `system` the only one of the clock.

mod cast;
mod charged;
pub mod cli;
mod clocks;
pub mod config;
mod data_dir;
pub mod http;
pub mod intake;
mod logging;
pub mod metrics;
mod runner;
pub mod sample;
mod settings;
mod system;
mod web;
mod wiring;

pub use config::Config;
pub use runner::Runner;
pub use web::{OwnCatalogue, Remote};
pub use wiring::{OpenError, Place, Program};
