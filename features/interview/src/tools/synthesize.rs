//! `synthesize_profile`: stores the profile after the last scenario, or when the person stops.

use super::Talk;
use crate::{
    agent::{kept_signals, knows_kept_signals},
    interview::Profile,
    words::SpokenWords,
};
use async_trait::async_trait;
use engine::agents::{
    ToolContext,
    context::{ToolError, ToolReply},
    gateway::token::GatewayToken,
    registry::Tool,
};

/// Answer to a profile that does not rest on words of the person.
const TOO_LITTLE: &str = "Too little was said: no profile is stored. End your turn.";

/// Tool that stores the profile.
pub struct SynthesizeProfileTool(pub(super) Talk);

#[async_trait]
impl Tool for SynthesizeProfileTool {
    type Input = Profile;
    const NAME: &'static str = "synthesize_profile";
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, mut input: Profile) -> Result<ToolReply, ToolError> {
        let open = self.0.interview(context).await?;
        if !open.is_over() {
            return Err(ToolError::ForModel("scenarios are left: call transition_to_scenario first".to_owned()));
        }
        if open.transcript.signals.is_empty() {
            return Ok(ToolReply::text(TOO_LITTLE.to_owned()));
        }
        if input.parts().iter().all(|(.., text)| text.trim().is_empty()) {
            return Err(ToolError::ForModel("every part is empty: leave empty only what was not mentioned".to_owned()));
        }
        let replies = open.transcript.turns.iter().map(|turn| turn.reply.as_str());
        let signals = open.transcript.signals.iter().flat_map(|one| [one.content.as_str(), one.source.as_str()]);
        let said = SpokenWords::new(replies.chain(signals));
        input.retain_parts(|text| said.are_in(text));
        if input.parts().iter().all(|(.., text)| text.is_empty()) {
            return Ok(ToolReply::text(TOO_LITTLE.to_owned()));
        }
        let (key, signals) = ((context.person(), open.id), open.transcript.signals.len());
        if knows_kept_signals(context.conversation, &open.transcript) && self.0.store.set_profile(key, &input, signals).await? {
            return Ok(ToolReply::text("The profile is stored. End your turn.".to_owned()));
        }
        let kept = kept_signals(&self.0.interview(context).await?.transcript);
        Err(ToolError::ForModel(format!("the signals have changed: write the profile again from those that are left.\n{kept}")))
    }
}
