//! `get_tension`: one tension with its evidence, what eases it, its story, and like ones that were eased.

use crate::{
    api::TensionDetail,
    pages::detail::precedents,
    sample::{sample_collections, together},
    settings::TensionSettings,
    store::TensionStore,
    tension::TensionId,
};
use async_trait::async_trait;
use engine::agents::{
    ToolContext,
    context::{ToolError, ToolReply},
    gateway::token::GatewayToken,
    registry::Tool,
};
use feature::{FeatureSettings, ToolParts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Arguments of `get_tension`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetTension {
    /// Id that `search_tensions` gave.
    pub tension: TensionId,
    /// Maximum number of pieces of evidence.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Result of `get_tension`.
#[derive(Serialize)]
struct TensionRead {
    #[serde(flatten)]
    detail: TensionDetail,
    story: Vec<ToldSentence>,
    /// Like tensions that were hot and have cooled, with what answered them.
    precedents: Vec<PrecedentItem>,
}

#[derive(Serialize)]
struct ToldSentence {
    part: &'static str,
    text: String,
}

#[derive(Serialize)]
struct PrecedentItem {
    tension: TensionId,
    title: String,
    peak: f64,
    heat: f64,
    responses: Vec<String>,
}

/// Tool that reads a tension.
pub struct GetTensionTool {
    store: TensionStore,
    settings: FeatureSettings,
}

impl From<&ToolParts> for GetTensionTool {
    fn from(parts: &ToolParts) -> Self {
        Self { store: TensionStore::from(parts.store.clone()), settings: parts.settings.clone() }
    }
}

#[async_trait]
impl Tool for GetTensionTool {
    type Input = GetTension;
    const NAME: &'static str = "get_tension";
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: GetTension) -> Result<ToolReply, ToolError> {
        let (engine, settings) = (context.engine, self.settings.get::<TensionSettings>());
        let scope = &context.investigation.scope;
        let Some(tension) = self.store.tension(scope, input.tension).await? else {
            return Err(ToolError::ForModel(format!("there is no tension '{}': call search_tensions", input.tension)));
        };
        let story = self.store.story(scope, tension.id).await?.into_iter();
        let story = story.map(|sentence| ToldSentence { part: sentence.part.as_str(), text: sentence.text }).collect();
        let comparable = together(scope, &sample_collections(engine).await?, tension.collection);
        let precedents = precedents(engine, &self.store, &settings, &comparable, &tension).await?.into_iter();
        let precedents = precedents.map(|one| PrecedentItem {
            tension: one.eased.id,
            title: one.eased.title,
            peak: one.eased.peak,
            heat: one.eased.heat,
            responses: one.responses.into_iter().map(|one| one.response.title).collect(),
        });
        let precedents = precedents.collect();
        let page = (1, context.items(input.limit) as usize);
        let detail = TensionDetail::load(engine, &self.store, &settings, scope, tension, page).await?;
        ToolReply::json(&TensionRead { detail, story, precedents })
    }
}
