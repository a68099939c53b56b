//! The tools of each role: the schema comes from the input type, the words and limits from `config/tools`.
//!
//! Invariant: only tools with `Tool::OUTSIDE` may be scored, and only those with `Tool::REUSABLE` cached. A file that says otherwise is refused.

use super::{
    gateway::{GatewayToken, Normaliser},
    toolkit::{ToolOffer, product_of},
    tools::{ToolContext, ToolError, ToolReply},
};
use crate::config_files::ConfigFiles;
use async_trait::async_trait;
use domain::{agent::AgentRole, assessment::AssessmentKind};
use protocol::model::ToolSchema;
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};

/// A tool with its typed input. Only the gateway has a `GatewayToken`, so a call that does not go through it does not compile.
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// The arguments; field names and types are the schema.
    type Input: DeserializeOwned + JsonSchema + Send;
    const NAME: &'static str;
    /// Whether its results carry text from outside, which is then fenced.
    const TAINTED: bool;
    /// Whether it reads the outside world: only then are its results judged.
    const OUTSIDE: bool = false;
    /// Whether it reads its arguments part by part and says itself what is wrong with each: the gateway does not check them.
    const CHECKS_ARGUMENTS: bool = false;
    /// Whether results may be given again to whoever asks the same, as `handler_config.cache` says.
    const REUSABLE: bool = false;
    async fn run(&self, pass: GatewayToken, context: &ToolContext<'_>, input: Self::Input) -> Result<ToolReply, ToolError>;
    /// Whether this session may have what another call of the same brought. Asked before each such result is looked for.
    async fn may_reuse(&self, _context: &ToolContext<'_>, _input: Self::Input) -> Result<bool, ToolError> {
        Ok(Self::REUSABLE)
    }
    /// What a run would have left for this session besides its result, where the result is another call's.
    async fn reuse(&self, _context: &ToolContext<'_>, _content: &str) -> Result<(), ToolError> {
        Ok(())
    }
}

/// A tool whose input type has been erased.
#[async_trait]
pub(super) trait ErasedTool: Send + Sync {
    fn is_tainted(&self) -> bool;
    fn is_outside(&self) -> bool;
    fn checks_arguments(&self) -> bool;
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

    fn checks_arguments(&self) -> bool {
        T::CHECKS_ARGUMENTS
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

/// One file of `config/tools/ROLE/NAME.json`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolFile {
    description: String,
    /// Words for the arguments, by name; nested ones as `documents.quote`.
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    #[serde(default)]
    handler_config: HandlerConfig,
}

/// Limits of one tool, editable without a rebuild.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HandlerConfig {
    /// Whether models are offered it in conversations. One that is not serves the machine, or an operator who switches it on.
    pub offered: bool,
    /// Longest result in characters; none: `engine.max_tool_result_chars`.
    pub max_result_chars: Option<usize>,
    /// Items when the call does not say how many.
    pub default_limit: Option<u32>,
    /// Most items that a call may ask for.
    pub max_limit: Option<u32>,
    /// Whether results may be reused, and for how long. Only for tools whose results allow that.
    pub cache: CacheRule,
    /// Who judges its results, where they come from outside.
    pub reflect: Reflect,
    /// Fields of its results, at whatever depth, that are written as the locale profile says (`engine.locale`).
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
    /// What it wants that the tool must not have: what the graph says is neither old nor judged.
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

/// Who judges the results of a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reflect {
    /// Fixed rules.
    #[default]
    Checks,
    /// `models.reflector`; without one, fixed rules.
    Model,
}

/// A tool as a role has it.
pub(super) struct RegisteredTool {
    pub tool: Arc<dyn ErasedTool>,
    pub config: HandlerConfig,
    pub schema: Value,
    pub validator: jsonschema::Validator,
}

/// All tools by role.
pub struct Registry {
    roles: BTreeMap<AgentRole, Role>,
}

#[derive(Default)]
struct Role {
    tools: BTreeMap<&'static str, RegisteredTool>,
    schemas: Vec<ToolSchema>,
}

/// A file of `config/tools` does not fit the tools there are.
#[derive(Debug, thiserror::Error)]
pub enum BadToolFile {
    #[error("config/{0} is missing: every tool needs its description")]
    Missing(String),
    #[error("config/{path}: {problem}")]
    Unusable { path: String, problem: String },
    #[error("config/{0} describes a tool that does not exist")]
    Unknown(String),
}

/// Collects the tools of the roles.
pub struct RegistryBuilder<'a> {
    files: &'a ConfigFiles,
    roles: BTreeMap<AgentRole, Role>,
}

impl Registry {
    pub fn builder(files: &ConfigFiles) -> RegistryBuilder<'_> {
        RegistryBuilder { files, roles: BTreeMap::new() }
    }

    /// The tools of this role that `offer` allows to a model that writes `product`.
    pub fn schemas(&self, role: AgentRole, offer: ToolOffer, product: AssessmentKind) -> Arc<[ToolSchema]> {
        let schemas = self.roles.get(&role).map_or(&[][..], |role| &role.schemas);
        let is_offered = |name: &str| offer.allows(name) && product_of(name).is_none_or(|written| written == product);
        schemas.iter().filter(|schema| is_offered(&schema.name)).cloned().collect()
    }

    pub(super) fn get(&self, role: AgentRole, name: &str) -> Option<&RegisteredTool> {
        self.roles.get(&role)?.tools.get(name)
    }
}

impl RegistryBuilder<'_> {
    /// Adds `tool` to `role`, with its file.
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

    /// Refuses files that describe no tool.
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

/// The JSON schema of an input type, with everything inlined: some providers do not follow references.
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

/// Ids may be short references (`protocol::refs`), which are no UUIDs.
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

/// The property at a dotted path; lists and optional values are looked through.
fn find_property<'a>(schema: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    path.split('.').try_fold(schema, |place, name| {
        let mut place = place;
        while place.get("properties").is_none() {
            place = if place.get("items").is_some() { place.get_mut("items")? } else { place.get_mut("anyOf")?.get_mut(0)? };
        }
        place.get_mut("properties")?.get_mut(name)
    })
}
