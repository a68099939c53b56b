//! Resources that sessions share.

use super::{
    added_field::AddedField,
    gateway::{
        Gateway,
        normalise::{BadProfile, Profile},
    },
    prompts::{MissingPrompt, Prompts},
    registry::{BadToolFile, ToolEntry},
    shapes::{AmbiguousShape, Shapes},
    spec::AgentSpec,
    specs, tools,
};
use crate::config_files::ConfigFiles;
use domain::agent::AgentRole;

/// Resources shared by sessions: roles, prompts, output schemas, and the gateway with its tools.
pub struct Agents {
    pub prompts: Prompts,
    pub shapes: Shapes,
    pub gateway: Gateway,
    specs: Vec<&'static AgentSpec>,
}

/// Roles, tools, and fields of extracts that features add. Their prompts and descriptions are configuration files.
#[derive(Default)]
pub struct AddedRoles {
    pub specs: Vec<&'static AgentSpec>,
    pub tools: Vec<ToolEntry>,
    pub fields: Vec<AddedField>,
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
    #[error(transparent)]
    Shape(#[from] AmbiguousShape),
    #[error("the role {role}: {problem}")]
    Role { role: &'static str, problem: &'static str },
    #[error("two fields of extracts are named '{0}'")]
    RepeatedField(&'static str),
}

impl Agents {
    /// Loads prompts, tools and the locale profile named `locale`, by which result values are normalised.
    pub fn load(files: &ConfigFiles, locale: &str) -> Result<Self, AgentsError> {
        Self::load_with(files, locale, &AddedRoles::default())
    }

    /// Like `load`, with what features add.
    pub fn load_with(files: &ConfigFiles, locale: &str, added: &AddedRoles) -> Result<Self, AgentsError> {
        let specs: Vec<&'static AgentSpec> = specs::KERNEL.into_iter().chain(added.specs.iter().copied()).collect();
        for (n, spec) in specs.iter().enumerate() {
            let is_repeated = specs[..n].iter().any(|earlier| earlier.role == spec.role);
            if let Some(problem) = spec.problem().or(is_repeated.then_some("another role has this name")) {
                return Err(AgentsError::Role { role: spec.role.as_str(), problem });
            }
        }
        for (n, field) in added.fields.iter().enumerate() {
            if added.fields[..n].iter().any(|earlier| earlier.name == field.name) {
                return Err(AgentsError::RepeatedField(field.name));
            }
        }
        let prompts = Prompts::load(files, &specs, &added.fields)?;
        let shapes = Shapes::default().with(&added.specs)?.with_fields(&added.fields);
        let registry = tools::registry_with(files, &specs, &added.tools, &added.fields)?;
        let gateway = Gateway::new(registry, Profile::load(files, locale)?, shapes.reflection.clone());
        Ok(Self { prompts, shapes, gateway, specs })
    }

    /// Returns the value of a role; none for a role of a feature that this build does not have.
    pub fn spec(&self, role: AgentRole) -> Option<&'static AgentSpec> {
        self.specs.iter().copied().find(|spec| spec.role == role)
    }
}
