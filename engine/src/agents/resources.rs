//! Resources that sessions share.

use super::{
    gateway::{
        Gateway,
        normalise::{BadProfile, Profile},
    },
    prompts::{MissingPrompt, Prompts},
    registry::BadToolFile,
    shapes::Shapes,
    tools,
};
use crate::config_files::ConfigFiles;

/// Resources shared by sessions: prompts, output schemas, and the gateway with its tools.
pub struct Agents {
    pub prompts: Prompts,
    pub shapes: Shapes,
    pub gateway: Gateway,
}

/// Errors of loading the agents' configuration.
#[derive(Debug, thiserror::Error)]
pub enum AgentsError {
    #[error(transparent)]
    Prompt(#[from] MissingPrompt),
    #[error(transparent)]
    Tool(#[from] BadToolFile),
    #[error(transparent)]
    Profile(#[from] BadProfile),
}

impl Agents {
    /// Loads prompts, tools and the locale profile named `locale`, by which result values are normalised.
    pub fn load(files: &ConfigFiles, locale: &str) -> Result<Self, AgentsError> {
        let (prompts, shapes) = (Prompts::load(files)?, Shapes::default());
        let gateway = Gateway::new(tools::registry(files)?, Profile::load(files, locale)?, shapes.reflection.clone());
        Ok(Self { prompts, shapes, gateway })
    }
}
