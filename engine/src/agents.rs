//! Agents: a conversation with a model as a machine without I/O, the driver that does its I/O, and the gateway through
//! which every tool call goes.
//!
//! Invariant: `machine` never touches the outside; what a session read can be fed to it again and gives the same steps.

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

/// What sessions share: prompts, shapes of answers, and the gateway with its tools.
pub struct Agents {
    pub prompts: Prompts,
    pub shapes: shapes::Shapes,
    pub gateway: Gateway,
}

/// The configuration of the agents cannot be used.
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
    /// `locale` names the profile by which values of results are written.
    pub fn load(files: &ConfigFiles, locale: &str) -> Result<Self, AgentsError> {
        Ok(Self {
            prompts: Prompts::load(files)?,
            shapes: shapes::Shapes::default(),
            gateway: Gateway::new(tools::registry(files)?, gateway::Profile::load(files, locale)?),
        })
    }
}
