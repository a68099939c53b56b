//! Engine: use cases, ports and agents. SQL, HTTP, Redis and Neo4j belong to the adapters.
//!
//! Invariant: depends on `domain` and `protocol` only. Time, ids and external systems are ports. A port sits beside its use case,
//! one per aggregate, dyn-safe.

pub mod accounts;
pub mod agents;
pub mod annotations;
pub mod archive;
pub mod assessments;
pub mod browse;
pub mod budget;
mod clock;
pub mod config;
pub mod config_files;
pub mod embeddings;
pub mod engine;
pub mod error;
pub mod events;
pub mod evidence;
pub mod fetch;
pub mod graph;
mod in_flight;
pub mod investigations;
pub mod leader;
pub mod library;
pub mod limits;
pub mod models;
pub mod names;
pub mod orchestrator;
mod outlets;
pub mod pages;
pub mod queue;
pub mod reliability;
pub mod replay;
pub mod sessions;
pub mod settings;
mod task_tracker;
pub mod teams;
pub mod workers;

pub use clock::{Clock, Ids};
pub use config::EngineConfig;
pub use engine::{Engine, Parts};
pub use error::{StoreError, StoreResult};
