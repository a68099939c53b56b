//! Agents: the session state machine without I/O, the driver that performs its I/O, and the gateway for every tool call.
//!
//! Invariant: `machine` performs no I/O. Feeding it the recorded inputs again yields the same steps.
//!
//! Invariant: modules import only those before them in this order: `machine`, `offer`, `spec`, `specs`, `added_field`, `prompts` and
//! `shapes`, `context`, `registry`, `tools`, `gateway` (but for its token and normalisers, which are leaves), `resources`, `toolkit`, `driver`.

pub mod added_field;
pub mod cache;
pub mod context;
pub mod driver;
pub mod gateway;
pub mod handler_config;
pub mod lenient;
pub mod machine;
pub mod names;
pub mod offer;
pub mod parts;
pub mod prompts;
pub mod record;
pub mod registry;
pub mod resources;
mod schema;
pub mod shapes;
pub mod spec;
pub mod specs;
pub mod toolkit;
pub mod tools;

pub use added_field::{AddedField, FieldStore};
pub use context::ToolContext;
pub use driver::{
    FeatureRun, PersonReply, RunOutcome, SessionOutcome, SessionTask, SideSession, run_role, run_role_watched, run_session,
};
pub use gateway::Gateway;
pub use machine::ToolLimit;
pub use offer::{Decomposition, Ending, ToolOffer};
pub use prompts::Prompts;
pub use registry::ToolEntry;
pub use resources::{AddedRoles, Agents, AgentsError};
pub use toolkit::{RunLimits, SessionToolkit};
