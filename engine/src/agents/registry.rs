//! Tool registry: the tools of each role, with schemas from their input types and descriptions and limits from `config/tools`.
//!
//! Invariant: only tools with `Tool::OUTSIDE` are scored, and only those with `Tool::REUSABLE` cached. Other configuration files
//! are refused.

use super::{
    gateway::{GatewayToken, Normaliser},
    toolkit::ToolOffer,
    tools::{ToolContext, ToolError, ToolReply},
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
    const OUTSIDE: bool = false;
    /// Whether the tool reaches the web whatever its arguments, so that it is left out where an investigation stays off the web.
    const ON_WEB: bool = false;
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

/// Limits of one tool, editable without a rebuild.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HandlerConfig {
    /// Whether models are offered the tool. Others serve the machine, or an operator who enables them.
    pub offered: bool,
    /// Maximum length of a result in characters; default `engine.max_tool_result_chars`.
    pub max_result_chars: Option<usize>,
    /// Number of items when a call names none.
    pub default_limit: Option<u32>,
    /// Maximum number of items per call.
    pub max_limit: Option<u32>,
    /// Caching of results; only for tools that permit it.
    pub cache: CacheRule,
    /// Scoring of results that come from outside.
    pub reflect: Reflect,
    /// Result fields, at any depth, normalised by the locale profile (`engine.locale`).
    pub normalise: BTreeMap<String, Normaliser>,
}

impl Default for HandlerConfig {
    fn default() -> Self {
        Self {
            offered: true,
            max_result_chars: None,
            default_limit: None,
            max_limit: None,
            cache: CacheRule::None,
            reflect: Reflect::Checks,
            normalise: BTreeMap::new(),
        }
    }
}

impl HandlerConfig {
    /// Returns the configuration error, if any: graph results are neither cached nor scored.
    fn problem<T: Tool>(&self) -> Option<String> {
        match (self.cache, self.reflect) {
            (CacheRule::Ttl { .. }, _) if !T::REUSABLE => {
                Some(format!("`cache` is for tools whose results may be given again, and those of {} may not", T::NAME))
            }
            (_, Reflect::Model) if !T::OUTSIDE => {
                Some(format!("`reflect` is for tools that read the outside world, and {} does not", T::NAME))
            }
            _ => None,
        }
    }
}

/// `"none"`, or `{"ttl_s": 3600}`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheRule {
    #[default]
    None,
    #[serde(untagged)]
    Ttl { ttl_s: u64 },
}

/// Scoring method of a tool's results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reflect {
    /// Fixed rules.
    #[default]
    Checks,
    /// `models.reflector`; without one, fixed rules.
    Model,
}

/// Tool registered for a role.
pub(super) struct RegisteredTool {
    pub tool: Arc<dyn ErasedTool>,
    pub config: HandlerConfig,
    pub schema: Value,
    pub validator: jsonschema::Validator,
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
}

/// Builder of the registry.
pub struct RegistryBuilder<'a> {
    files: &'a ConfigFiles,
    roles: BTreeMap<AgentRole, Role>,
}

impl Registry {
    pub fn builder(files: &ConfigFiles) -> RegistryBuilder<'_> {
        RegistryBuilder { files, roles: BTreeMap::new() }
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
        tools.filter(|(name, tool)| context.may_call(name, tool)).map(|(name, _)| *name).collect()
    }

    pub(super) fn get(&self, role: AgentRole, name: &str) -> Option<&RegisteredTool> {
        self.roles.get(&role)?.tools.get(name)
    }
}

impl RegistryBuilder<'_> {
    /// Registers `tool` for `role`, with its configuration file.
    pub fn add<T: Tool>(mut self, role: AgentRole, tool: T) -> Result<Self, BadToolFile> {
        let path = format!("tools/{}/{}.json", role.as_str(), T::NAME);
        let text = self.files.get(&path).ok_or_else(|| BadToolFile::Missing(path.clone()))?;
        let unusable = |problem: String| BadToolFile::Unusable { path: path.clone(), problem };
        let file: ToolFile = serde_json::from_str(text).map_err(|error| unusable(error.to_string()))?;
        if let Some(problem) = file.handler_config.problem::<T>() {
            return Err(unusable(problem));
        }
        let mut input_schema = schema_of::<T::Input>();
        without_id_formats(&mut input_schema);
        for (name, words) in &file.parameters {
            let property =
                find_property(&mut input_schema, name).ok_or_else(|| unusable(format!("there is no argument '{name}'")))?;
            property["description"] = Value::String(words.clone());
        }
        let validator = jsonschema::validator_for(&input_schema).map_err(|error| unusable(error.to_string()))?;
        let entry = self.roles.entry(role).or_default();
        let schema = input_schema.clone();
        if file.handler_config.offered {
            entry.schemas.push(ToolSchema { name: T::NAME.into(), description: file.description, input_schema });
        }
        entry.tools.insert(T::NAME, RegisteredTool { tool: Arc::new(tool), config: file.handler_config, schema, validator });
        Ok(self)
    }

    /// Builds the registry; refuses files that describe no tool.
    pub fn build(self) -> Result<Registry, BadToolFile> {
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

/// Returns the JSON schema of an input type, inlined because some providers do not follow references.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        object.remove("title");
        object.entry("properties").or_insert_with(|| Value::Object(serde_json::Map::new()));
    }
    schema
}

/// Removes id formats: ids may be short references (`protocol::refs`), which are no UUIDs.
fn without_id_formats(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("format").is_some_and(|format| format == "uuid") {
                fields.remove("format");
            }
            fields.values_mut().for_each(without_id_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(without_id_formats),
        _ => {}
    }
}

/// Returns the property at a dotted path, through lists and optional values.
fn find_property<'a>(schema: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    path.split('.').try_fold(schema, |place, name| {
        let mut place = place;
        while place.get("properties").is_none() {
            place = if place.get("items").is_some() { place.get_mut("items")? } else { place.get_mut("anyOf")?.get_mut(0)? };
        }
        place.get_mut("properties")?.get_mut(name)
    })
}
