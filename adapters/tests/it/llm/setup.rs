//! Fixtures: providers at the address of a server, and requests.

use adapters::llm::{ApiKind, LlmConfig, ProviderConfig, Providers, probe::ProbeInput};
use async_trait::async_trait;
use domain::{agent::AgentRole, assessment::AssessmentKind, investigation::WebAccess};
use engine::{
    agents::{ToolOffer, registry::Registry, shapes::Shapes, tools},
    models::{Keys, Secret},
};
use protocol::model::{Message, Model, ModelRequest, OutputSchema, ReplyProgress, ToolResult, ToolSchema};
use scripted::{FaultPlan, Options, Server};
use serde_json::json;
use std::{collections::BTreeMap, sync::Arc};
use tokio::sync::watch;

pub const KEY: &str = "sk-test-123456";

/// Both wire formats.
pub const WIRES: [ApiKind; 2] = [ApiKind::Anthropic, ApiKind::Openai];

/// One key for everybody.
pub struct OneKey;

#[async_trait]
impl Keys for OneKey {
    async fn key(&self, _: &str) -> Option<Secret> {
        Some(Secret::from(KEY.to_owned()))
    }
}

pub struct NoKeys;

#[async_trait]
impl Keys for NoKeys {
    async fn key(&self, _: &str) -> Option<Secret> {
        None
    }
}

pub async fn server(plan: FaultPlan) -> Server {
    Server::start(Options { plan, ..Options::default() }).await.unwrap()
}

/// A provider at that address, with short time-outs.
pub fn provider(kind: ApiKind, url: &str) -> ProviderConfig {
    let base_url = if kind == ApiKind::Anthropic { url.to_owned() } else { format!("{url}/v1") };
    ProviderConfig { base_url: Some(base_url), timeout_ms: 1_000, idle_timeout_ms: 200, ..ProviderConfig::new(kind) }
}

pub fn providers(config: ProviderConfig) -> Providers {
    let config = LlmConfig { providers: BTreeMap::from([("test".to_owned(), config)]), ..LlmConfig::default() };
    Providers::new(config, Arc::new(OneKey))
}

pub fn model(config: ProviderConfig) -> Arc<dyn Model> {
    providers(config).model("test", "scripted").unwrap()
}

/// The tools of the program.
pub fn registry() -> Registry {
    tools::registry(&testkit::config_files()).unwrap()
}

/// Requests of `doctor --probe`.
pub fn trial() -> ProbeInput {
    let shapes = Shapes::default();
    ProbeInput {
        plan: shapes.plan.clone(),
        extract: shapes.extract.clone(),
        tools: registry().schemas(AgentRole::Analyst, ToolOffer::All, AssessmentKind::Assessment, WebAccess::On),
    }
}

pub fn tool(name: &str) -> ToolSchema {
    ToolSchema { name: name.into(), description: "Does it.".into(), input_schema: json!({"type": "object", "properties": {}}) }
}

/// The first call of an Analyst: the built-in provider answers it with three calls of tools.
pub fn request(is_streamed: bool) -> ModelRequest {
    let names = [
        "get_investigation_history",
        "list_fetch_sources",
        "search_assessments",
        "search_claims",
        "create_work_order",
        "produce_assessment",
    ];
    ModelRequest {
        role: AgentRole::Analyst,
        system: "You are the Analyst.".into(),
        messages: vec![Message::User { text: "Question: Who set the fire at the grain store?\nCycle: 1".into() }],
        tools: names.iter().map(|name| tool(name)).collect(),
        max_output_tokens: 4096,
        output_schema: None,
        progress: is_streamed.then(|| watch::Sender::new(ReplyProgress::default())),
    }
}

/// A question that is to be answered in a given shape.
pub fn shaped(is_streamed: bool) -> ModelRequest {
    let schema = json!({
        "type": "object", "properties": {"city": {"type": "string"}, "letters": {"type": "integer"}},
        "required": ["city", "letters"], "additionalProperties": false,
    });
    ModelRequest {
        system: "You are being tested.".into(),
        messages: vec![Message::User { text: "What is the capital of France?".into() }],
        tools: Arc::new([]),
        output_schema: Some(Arc::new(OutputSchema { name: "answer".into(), schema })),
        ..request(is_streamed)
    }
}

/// The conversation one round further: what the model said, and a result for each of its calls.
pub fn one_round(request: &ModelRequest, reply: &protocol::model::ModelReply) -> ModelRequest {
    let results = reply.tool_calls.iter().enumerate().map(|(n, call)| ToolResult {
        id: call.id.clone(),
        content: if n == 1 { "it failed".into() } else { "{}".into() },
        is_error: n == 1,
    });
    let turn =
        Message::Assistant { text: reply.text.clone(), tool_calls: reply.tool_calls.clone(), thinking: reply.thinking.clone() };
    let mut messages = request.messages.clone();
    messages.extend([turn, Message::Tools { results: results.collect() }]);
    ModelRequest { messages, ..request.clone() }
}
