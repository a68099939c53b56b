//! Agent roles, tools, prompts and fields of extracts that a feature adds.

use crate::{Feature, FeatureSettings};
use adapters::sql::Store;
use engine::agents::{AddedField, AddedRoles, ToolEntry, spec::AgentSpec};

/// Text of a file by its name.
pub type NamedText = (&'static str, &'static str);

/// Parts from which a feature builds its tools.
#[derive(Clone)]
pub struct ToolParts {
    pub store: Store,
    pub settings: FeatureSettings,
}

/// Roles, tools, prompts and fields of extracts of a feature.
#[derive(Clone, Copy)]
pub struct AgentParts {
    pub roles: &'static [&'static AgentSpec],
    pub tools: fn(&ToolParts) -> Vec<ToolEntry>,
    /// Prompts by name. An operator overrides one with `prompts/NAME.md`.
    pub prompts: &'static [NamedText],
    /// Descriptions of tools for a role, in JSON, by `ROLE/TOOL`. An operator overrides one with `tools/ROLE/TOOL.json`.
    pub tool_files: &'static [NamedText],
    /// Fields that it adds to the extraction of documents.
    pub fields: fn(&ToolParts) -> Vec<AddedField>,
}

impl AgentParts {
    pub const NONE: Self = Self { roles: &[], tools: |_| vec![], prompts: &[], tool_files: &[], fields: |_| vec![] };
}

/// Returns the roles of features with their tools, and their fields of extracts.
pub fn added_roles(features: &[Feature], parts: &ToolParts) -> AddedRoles {
    let specs = features.iter().flat_map(|feature| feature.agents.roles).copied();
    let tools = features.iter().flat_map(|feature| (feature.agents.tools)(parts));
    let fields = features.iter().flat_map(|feature| (feature.agents.fields)(parts));
    AddedRoles { specs: specs.collect(), tools: tools.collect(), fields: fields.collect() }
}

/// Returns the prompts and tool descriptions of features, by their paths as configuration files.
pub fn config_files(features: &[Feature]) -> impl Iterator<Item = (String, &'static str)> {
    features.iter().flat_map(|feature| {
        let AgentParts { prompts, tool_files, .. } = feature.agents;
        let prompts = prompts.iter().map(|(name, text)| (format!("prompts/{name}.md"), *text));
        prompts.chain(tool_files.iter().map(|(name, text)| (format!("tools/{name}.json"), *text)))
    })
}

impl Feature {
    /// Adds roles.
    pub const fn roles(mut self, roles: &'static [&'static AgentSpec]) -> Self {
        self.agents.roles = roles;
        self
    }

    /// Adds tools, with a description for each role that has one: for its own roles also of tools of the kernel.
    pub const fn tools(mut self, tools: fn(&ToolParts) -> Vec<ToolEntry>, files: &'static [NamedText]) -> Self {
        self.agents.tools = tools;
        self.agents.tool_files = files;
        self
    }

    /// Adds fields to the extraction of documents. Each has a prompt, listed with `prompts`.
    pub const fn extract_fields(mut self, fields: fn(&ToolParts) -> Vec<AddedField>) -> Self {
        self.agents.fields = fields;
        self
    }

    /// Adds prompts.
    pub const fn prompts(mut self, prompts: &'static [NamedText]) -> Self {
        self.agents.prompts = prompts;
        self
    }
}
