//! Agents: the session state machine without I/O, the driver that performs its I/O, and the gateway for every tool call.
//!
//! Invariant: `machine` performs no I/O. Feeding it the recorded inputs again yields the same steps.

pub mod cache;
pub mod driver;
pub mod gateway;
pub mod lenient;
pub mod machine;
pub mod names;
pub mod parts;
pub mod prompts;
pub mod record;
pub mod registry;
pub mod shapes;
pub mod toolkit;
pub mod tools;

pub use driver::{SessionOutcome, SessionTask, run_session};
pub use gateway::Gateway;
pub use prompts::Prompts;
pub use toolkit::{Decomposition, Ending, SessionToolkit, ToolOffer};

use crate::config_files::ConfigFiles;

/// Resources shared by sessions: prompts, output schemas, and the gateway with its tools.
pub struct Agents {
    pub prompts: Prompts,
    pub shapes: shapes::Shapes,
    pub gateway: Gateway,
}

/// Errors of loading the agents' configuration.
#[derive(Debug, thiserror::Error)]
pub enum AgentsError {
    #[error(transparent)]
    Prompt(#[from] prompts::MissingPrompt),
    #[error(transparent)]
    Tool(#[from] registry::BadToolFile),
    #[error(transparent)]
    Profile(#[from] gateway::BadProfile),
}

impl Agents {
    /// Loads prompts, tools and the locale profile named `locale`, by which result values are normalised.
    pub fn load(files: &ConfigFiles, locale: &str) -> Result<Self, AgentsError> {
        Ok(Self {
            prompts: Prompts::load(files)?,
            shapes: shapes::Shapes::default(),
            gateway: Gateway::new(tools::registry(files)?, gateway::Profile::load(files, locale)?),
        })
    }
}
