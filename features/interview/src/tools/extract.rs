//! `extract_signal`: stores a signal from the last answers, with the person's own words.

use super::{ENOUGH_SIGNALS, Talk};
use crate::{
    interview::{Signal, SignalId, SignalKind},
    words::is_quoted_from,
};
use async_trait::async_trait;
use engine::agents::{
    ToolContext,
    context::{ToolError, ToolReply},
    gateway::token::GatewayToken,
    registry::Tool,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Arguments of `extract_signal`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtractSignal {
    #[serde(rename = "type")]
    pub kind: SignalKind,
    pub content: String,
    pub source: String,
    pub confidence: f64,
    #[serde(default)]
    pub construct: Option<String>,
    #[serde(default)]
    pub state: Option<String>,
}

/// Tool that stores a signal.
pub struct ExtractSignalTool(pub(super) Talk);

#[async_trait]
impl Tool for ExtractSignalTool {
    type Input = ExtractSignal;
    const NAME: &'static str = "extract_signal";
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: ExtractSignal) -> Result<ToolReply, ToolError> {
        let (open, least) = (self.0.interview(context).await?, self.0.settings.min_confidence);
        let for_model = |why: String| Err(ToolError::ForModel(why));
        if input.confidence <= least || input.confidence > 1.0 {
            return for_model(format!("only signals with a confidence above {least} and at most 1 are stored"));
        }
        if open.transcript.answers().next().is_none() {
            return for_model("the person has answered nothing on this scenario: extract after an answer".to_owned());
        }
        if !open.transcript.answers().any(|reply| is_quoted_from(&input.source, reply)) {
            return for_model("source must be exact words of one answer of the person on this scenario".to_owned());
        }
        if open.transcript.found_signals().count() >= self.0.settings.signals as usize {
            return for_model(ENOUGH_SIGNALS.to_owned());
        }
        let content = input.content.trim();
        if content.is_empty() {
            return for_model("content is empty".to_owned());
        }
        let (construct, state) = (input.construct.unwrap_or_default(), input.state.unwrap_or_default());
        let domain = match open.guide.check_construct(&construct, &state) {
            Ok(domain) => domain.to_owned(),
            Err(why) => return for_model(why),
        };
        let signal = Signal {
            id: SignalId(context.engine.ids.next()),
            card: open.transcript.interview.card,
            is_initial: false,
            kind: input.kind,
            domain,
            construct,
            state,
            content: content.to_owned(),
            source: input.source,
            confidence: input.confidence,
        };
        self.0.store.add_signal(open.id, context.step, &signal).await?;
        self.0.store.announce();
        Ok(ToolReply::text("The signal is stored.".to_owned()))
    }
}
