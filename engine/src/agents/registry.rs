//! Tool registry: the tools of each role, with schemas from their input types and descriptions and limits from `config/tools`.
//!
//! Invariant: only tools with `Tool::OUTSIDE` are scored, and only those with `Tool::REUSABLE` cached. Other configuration files
//! are refused.

use super::{
    context::{ToolContext, ToolError, ToolReply},
    gateway::token::GatewayToken,
    handler_config::{CacheRule, HandlerConfig, Reflect},
    machine::EXTRACT_TOOL,
    offer::ToolOffer,
    schema::{find_property, schema_of, without_id_formats},
    spec::AgentSpec,
};
use crate::config_files::ConfigFiles;
use async_trait::async_trait;
use domain::{agent::AgentRole, assessment::AssessmentKind, investigation::WebAccess};
use protocol::model::ToolSchema;
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};

/// Tool with a typed input. Only the gateway creates a `GatewayToken`, so calls that bypass it do not compile.
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// Arguments; their names and types form the schema.
    type Input: DeserializeOwned + JsonSchema + Send;
    const NAME: &'static str;
    /// Whether results contain outside text, which is then fenced.
    const TAINTED: bool;
    /// Whether the tool reads the outside world; only then are results scored.
    const OUTSIDE: bool = Self::ON_WEB;
    /// Whether the tool always uses the web, so that it is left out where an investigation stays off the web.
    const ON_WEB: bool = Self::NEEDS_BROWSER;
    /// Whether the tool needs a browser, so that it is left out where none can start.
    const NEEDS_BROWSER: bool = false;
    /// Narrowest selection that includes the tool. By default final sessions are not offered it.
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Undivided;
    /// Product whose writers are offered the tool; none: those of every product.
    const PRODUCT: Option<AssessmentKind> = None;
    /// Whether the tool validates its own arguments, item by item, instead of the gateway.
    const CHECKS_ARGUMENTS: bool = false;
    /// Whether results may be cached, as configured by `handler_config.cache`.
    const REUSABLE: bool = false;
    async fn run(&self, pass: GatewayToken, context: &ToolContext<'_>, input: Self::Input) -> Result<ToolReply, ToolError>;
    /// Returns whether this session may use a cached result. Called before each cache look-up.
    async fn may_reuse(&self, _context: &ToolContext<'_>, _input: Self::Input) -> Result<bool, ToolError> {
        Ok(Self::REUSABLE)
    }
    /// Applies the side effects of a run for a session that uses a cached result.
    async fn reuse(&self, _context: &ToolContext<'_>, _content: &str) -> Result<(), ToolError> {
        Ok(())
    }
}

/// Tool with its input type erased.
#[async_trait]
pub(super) trait ErasedTool: Send + Sync {
    fn is_tainted(&self) -> bool;
    fn is_outside(&self) -> bool;
    fn is_on_web(&self) -> bool;
    fn needs_browser(&self) -> bool;
    fn checks_arguments(&self) -> bool;
    fn is_in(&self, offer: ToolOffer) -> bool;
    fn product(&self) -> Option<AssessmentKind>;
    async fn run(&self, pass: GatewayToken, context: &ToolContext<'_>, arguments: Value) -> Result<ToolReply, ToolError>;
    async fn may_reuse(&self, context: &ToolContext<'_>, arguments: Value) -> Result<bool, ToolError>;
    async fn reuse(&self, context: &ToolContext<'_>, content: &str) -> Result<(), ToolError>;
}

#[async_trait]
impl<T: Tool> ErasedTool for T {
    fn is_tainted(&self) -> bool {
        T::TAINTED
    }

    fn is_outside(&self) -> bool {
        T::OUTSIDE
    }

    fn is_on_web(&self) -> bool {
        T::ON_WEB
    }

    fn needs_browser(&self) -> bool {
        T::NEEDS_BROWSER
    }

    fn checks_arguments(&self) -> bool {
        T::CHECKS_ARGUMENTS
    }

    fn is_in(&self, offer: ToolOffer) -> bool {
        offer <= T::NARROWEST_OFFER
    }

    fn product(&self) -> Option<AssessmentKind> {
        T::PRODUCT
    }

    async fn run(&self, pass: GatewayToken, context: &ToolContext<'_>, arguments: Value) -> Result<ToolReply, ToolError> {
        Tool::run(self, pass, context, input_of::<T>(arguments)?).await
    }

    async fn may_reuse(&self, context: &ToolContext<'_>, arguments: Value) -> Result<bool, ToolError> {
        Tool::may_reuse(self, context, input_of::<T>(arguments)?).await
    }

    async fn reuse(&self, context: &ToolContext<'_>, content: &str) -> Result<(), ToolError> {
        Tool::reuse(self, context, content).await
    }
}

fn input_of<T: Tool>(arguments: Value) -> Result<T::Input, ToolError> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let at = error.path().to_string().replace('.', "/");
        ToolError::Malformed(format!("'/{at}': {}", error.into_inner()))
    })
}

/// Content of a file `config/tools/ROLE/NAME.json`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolFile {
    description: String,
    /// Argument descriptions by name; nested ones as `documents.quote`.
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    #[serde(default)]
    handler_config: HandlerConfig,
}

/// Returns the error in the configuration of a tool, if any: graph results are neither cached nor scored.
fn find_problem<T: Tool>(config: &HandlerConfig) -> Option<String> {
    match (config.cache, config.reflect) {
        (CacheRule::Ttl { .. }, _) if !T::REUSABLE => {
            Some(format!("`cache` is for tools whose results may be given again, and those of {} may not", T::NAME))
        }
        (_, Reflect::Model) if !T::OUTSIDE => {
            Some(format!("`reflect` is for tools that read the outside world, and {} does not", T::NAME))
        }
        _ => None,
    }
}

/// Tool registered for a role.
pub(super) struct RegisteredTool {
    pub tool: Arc<dyn ErasedTool>,
    pub config: HandlerConfig,
    pub schema: Value,
}

impl RegisteredTool {
    /// Returns whether a session may call the tool.
    pub fn is_callable(&self, name: &str, context: &ToolContext<'_>) -> bool {
        let Self { tool, config, .. } = self;
        match context.writable {
            Some(_) => name == EXTRACT_TOOL,
            None => {
                config.offered
                    && tool.is_in(context.offer)
                    && tool.product().is_none_or(|product| context.writes(product))
                    && (!tool.is_on_web() || context.engine.web_access(context.investigation) == WebAccess::On)
                    && (!tool.needs_browser() || context.engine.has_browser())
            }
        }
    }
}

/// Tools by role.
pub struct Registry {
    roles: BTreeMap<AgentRole, Role>,
}

#[derive(Default)]
struct Role {
    tools: BTreeMap<&'static str, RegisteredTool>,
    schemas: Vec<ToolSchema>,
}

/// Errors of tool configuration files.
#[derive(Debug, thiserror::Error)]
pub enum BadToolFile {
    #[error("config/{0} is missing: every tool needs its description")]
    Missing(String),
    #[error("config/{path}: {problem}")]
    Unusable { path: String, problem: String },
    #[error("config/{0} describes a tool that does not exist")]
    Unknown(String),
    #[error("the role {role} names the tool '{tool}', which does not exist")]
    Unregistered { role: &'static str, tool: &'static str },
    #[error("no role names the tool '{0}'")]
    WithoutRole(&'static str),
    #[error("the role {role} has two tools named '{tool}'")]
    Repeated { role: &'static str, tool: &'static str },
}

/// Tool before its registration: its code, schema and limits on its configuration.
pub struct ToolEntry {
    name: &'static str,
    tool: Arc<dyn ErasedTool>,
    schema: fn() -> Value,
    find_problem: fn(&HandlerConfig) -> Option<String>,
    given_to: &'static [AgentRole],
}

impl ToolEntry {
    pub fn new<T: Tool>(tool: T) -> Self {
        Self {
            name: T::NAME,
            tool: Arc::new(tool),
            schema: schema_of::<T::Input>,
            find_problem: find_problem::<T>,
            given_to: &[],
        }
    }

    /// Gives the tool of a feature to roles that do not name it: those of the kernel.
    pub fn given_to(self, roles: &'static [AgentRole]) -> Self {
        Self { given_to: roles, ..self }
    }
}

/// Builder of the registry.
pub struct RegistryBuilder<'a> {
    files: &'a ConfigFiles,
    specs: &'a [&'static AgentSpec],
    roles: BTreeMap<AgentRole, Role>,
}

impl Registry {
    /// Returns a builder for `specs`, every role.
    pub fn builder<'a>(files: &'a ConfigFiles, specs: &'a [&'static AgentSpec]) -> RegistryBuilder<'a> {
        RegistryBuilder { files, specs, roles: BTreeMap::new() }
    }

    /// Returns the schemas of the role's tools allowed by `offer` and `web` to a model that writes `product`.
    pub fn schemas(&self, role: AgentRole, offer: ToolOffer, product: AssessmentKind, web: WebAccess) -> Arc<[ToolSchema]> {
        let Some(role) = self.roles.get(&role) else { return Arc::from([]) };
        let is_offered = |RegisteredTool { tool, .. }: &RegisteredTool| {
            tool.is_in(offer)
                && tool.product().is_none_or(|written| written == product)
                && (web == WebAccess::On || !tool.is_on_web())
        };
        role.schemas.iter().filter(|schema| role.tools.get(&*schema.name).is_some_and(is_offered)).cloned().collect()
    }

    /// Returns whether a tool needs a browser.
    pub(super) fn needs_browser(&self, role: AgentRole, name: &str) -> bool {
        self.get(role, name).is_some_and(|registered| registered.tool.needs_browser())
    }

    /// Returns the names of the tools that a session may call.
    pub(super) fn callable(&self, context: &ToolContext<'_>) -> Vec<&'static str> {
        let tools = self.roles.get(&context.role).into_iter().flat_map(|role| &role.tools);
        tools.filter(|(name, tool)| tool.is_callable(name, context)).map(|(name, _)| *name).collect()
    }

    pub(super) fn get(&self, role: AgentRole, name: &str) -> Option<&RegisteredTool> {
        self.roles.get(&role)?.tools.get(name)
    }
}

impl RegistryBuilder<'_> {
    /// Registers a tool for every role that names it.
    pub fn with<T: Tool>(mut self, tool: T) -> Result<Self, BadToolFile> {
        self.add(&ToolEntry::new(tool))?;
        Ok(self)
    }

    /// Registers a tool of a feature, which some role must have.
    pub fn with_added(mut self, entry: &ToolEntry) -> Result<Self, BadToolFile> {
        match self.add(entry)? {
            0 => Err(BadToolFile::WithoutRole(entry.name)),
            _ => Ok(self),
        }
    }

    /// Registers a tool and returns the number of its roles.
    fn add(&mut self, entry: &ToolEntry) -> Result<usize, BadToolFile> {
        let has = |spec: &&AgentSpec| spec.tools.contains(&entry.name) || entry.given_to.contains(&spec.role);
        let roles: Vec<AgentRole> = self.specs.iter().copied().filter(has).map(|spec| spec.role).collect();
        for role in &roles {
            self.add_for(*role, entry)?;
        }
        Ok(roles.len())
    }

    /// Registers a tool for a role, with its configuration file.
    fn add_for(&mut self, role: AgentRole, entry: &ToolEntry) -> Result<(), BadToolFile> {
        let ToolEntry { name, ref tool, schema, find_problem, .. } = *entry;
        let path = format!("tools/{}/{name}.json", role.as_str());
        let text = self.files.get(&path).ok_or_else(|| BadToolFile::Missing(path.clone()))?;
        let unusable = |problem: String| BadToolFile::Unusable { path: path.clone(), problem };
        let file: ToolFile = serde_json::from_str(text).map_err(|error| unusable(error.to_string()))?;
        if let Some(problem) = find_problem(&file.handler_config) {
            return Err(unusable(problem));
        }
        let mut input_schema = schema();
        without_id_formats(&mut input_schema);
        for (argument, words) in &file.parameters {
            let property = find_property(&mut input_schema, argument)
                .ok_or_else(|| unusable(format!("there is no argument '{argument}'")))?;
            property["description"] = Value::String(words.clone());
        }
        let known = self.roles.entry(role).or_default();
        if known.tools.contains_key(name) {
            return Err(BadToolFile::Repeated { role: role.as_str(), tool: name });
        }
        let schema = input_schema.clone();
        if file.handler_config.offered {
            known.schemas.push(ToolSchema { name: name.into(), description: file.description, input_schema });
        }
        let tool = tool.clone();
        known.tools.insert(name, RegisteredTool { tool, config: file.handler_config, schema });
        Ok(())
    }

    /// Builds the registry; refuses files that describe no tool, and roles that name one that does not exist.
    pub fn build(mut self) -> Result<Registry, BadToolFile> {
        for spec in self.specs {
            let role = self.roles.entry(spec.role).or_default();
            if let Some(tool) = spec.tools.iter().copied().find(|name| !role.tools.contains_key(name)) {
                return Err(BadToolFile::Unregistered { role: spec.role.as_str(), tool });
            }
            // Tools that features give to the role come last.
            let place = |schema: &ToolSchema| spec.tools.iter().position(|name| *name == schema.name).unwrap_or(usize::MAX);
            role.schemas.sort_by_key(place);
        }
        for (role, tools) in &self.roles {
            let folder = format!("tools/{}", role.as_str());
            for (path, _) in self.files.under(&folder) {
                let name = path.trim_start_matches(&folder).trim_start_matches('/').trim_end_matches(".json");
                if !tools.tools.contains_key(name) {
                    return Err(BadToolFile::Unknown(path.into()));
                }
            }
        }
        Ok(Registry { roles: self.roles })
    }
}
