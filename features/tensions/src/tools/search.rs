//! `search_tensions`: tensions by words, theme and region, the hottest first.

use crate::{
    api::TensionItem,
    settings::TensionSettings,
    store::TensionStore,
    view::{HeatOverview, HeatedTension},
};
use async_trait::async_trait;
use engine::agents::{
    ToolContext,
    context::{ToolError, ToolReply},
    gateway::token::GatewayToken,
    registry::Tool,
};
use feature::{FeatureSettings, ToolParts, region::Regions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Arguments of `search_tensions`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchTensions {
    /// Words in title or statement.
    #[serde(default)]
    pub query: Option<String>,
    /// Code of a theme.
    #[serde(default)]
    pub theme: Option<String>,
    /// Code of a country (ISO 3166-1 numeric) or area (UN M49).
    #[serde(default)]
    pub region: Option<String>,
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Result of `search_tensions`.
#[derive(Serialize)]
struct TensionsFound {
    /// The hottest first.
    tensions: Vec<TensionItem>,
    /// Number of all that fit.
    total: usize,
}

/// Tool that finds tensions.
pub struct SearchTensionsTool {
    store: TensionStore,
    settings: FeatureSettings,
}

impl From<&ToolParts> for SearchTensionsTool {
    fn from(parts: &ToolParts) -> Self {
        Self { store: TensionStore::from(parts.store.clone()), settings: parts.settings.clone() }
    }
}

#[async_trait]
impl Tool for SearchTensionsTool {
    type Input = SearchTensions;
    const NAME: &'static str = "search_tensions";
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: SearchTensions) -> Result<ToolReply, ToolError> {
        let (settings, scope) = (self.settings.get::<TensionSettings>(), &context.investigation.scope);
        let overview = HeatOverview::load(&self.store, &settings, scope, 0, context.engine.clock.now()).await?;
        let mut found: Vec<HeatedTension> = overview.tensions.into_iter().filter(|one| fits(one, &input)).collect();
        let total = found.len();
        found.truncate(context.items(input.limit) as usize);
        ToolReply::json(&TensionsFound { tensions: found.into_iter().map(TensionItem::from).collect(), total })
    }
}

/// Returns whether an active tension has all words, the theme and the region of a query.
fn fits(one: &HeatedTension, input: &SearchTensions) -> bool {
    let tension = &one.summary.tension;
    let text = format!("{} {}", tension.title, tension.statement).to_lowercase();
    let query = input.query.as_deref().unwrap_or_default().to_lowercase();
    one.is_active()
        && query.split_whitespace().all(|word| text.contains(word))
        && input.theme.as_ref().is_none_or(|theme| *theme == tension.theme)
        && input.region.as_ref().is_none_or(|area| Regions::shared().is_within(&tension.region.code, area))
}
