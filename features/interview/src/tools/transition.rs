//! `transition_to_scenario`: ends the scenario of a card, and shows the next card to the person.

use super::{Talk, remark};
use crate::{
    agent::{HandOver, kept_signals},
    interview::TransitionReason,
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

/// Arguments of `transition_to_scenario`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TransitionToScenario {
    pub reason: TransitionReason,
}

/// Tool that ends a scenario.
pub struct TransitionTool(pub(super) Talk);

#[async_trait]
impl Tool for TransitionTool {
    type Input = TransitionToScenario;
    const NAME: &'static str = "transition_to_scenario";
    const TAINTED: bool = false;

    async fn run(
        &self,
        _: GatewayToken,
        context: &ToolContext<'_>,
        input: TransitionToScenario,
    ) -> Result<ToolReply, ToolError> {
        let open = self.0.interview(context).await?;
        let card = open.transcript.interview.card;
        if input.reason == TransitionReason::Crisis {
            self.0.store.close_card(open.id, card, input.reason).await?;
            return Ok(ToolReply::text("The interview ends.".to_owned()).asking_person(HandOver::Crisis.text()));
        }
        if let Some(why) = open.refusal().filter(|_| open.transcript.interview.is_stopped) {
            return Err(ToolError::ForModel(why));
        }
        if let Some(why) = self.0.too_few_signals(&open).filter(|_| input.reason == TransitionReason::SignalsExtracted) {
            return Err(ToolError::ForModel(why));
        }
        self.0.store.close_card(open.id, card, input.reason).await?;
        if card + 1 >= open.set.count_cards() {
            let kept = kept_signals(&open.transcript);
            return Ok(ToolReply::text(format!("That was the last scenario: call synthesize_profile.\n{kept}")));
        }
        let hand_over = HandOver::NextCard { remark: remark(context) };
        Ok(ToolReply::text("The next scenario is shown to the person.".to_owned()).asking_person(hand_over.text()))
    }
}
