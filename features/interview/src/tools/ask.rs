//! `ask_follow_up`: one question to the person. Nothing is executed; the session waits for the answer.

use super::{ENOUGH_SIGNALS, Talk, remark};
use crate::agent::HandOver;
use async_trait::async_trait;
use engine::agents::{
    ToolContext,
    context::{ToolError, ToolReply},
    gateway::token::GatewayToken,
    registry::Tool,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Longest question in characters.
const MAX_QUESTION_CHARS: usize = 240;
/// Answers on one card that avoid the question, after which no further one is put.
const MAX_DEFLECTIONS: usize = 2;

/// Arguments of `ask_follow_up`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskFollowUp {
    pub question: String,
    pub intent: Intent,
}

/// Aim of a question.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    FindRootCause,
    SurfaceAwareness,
    NameThePattern,
    IdentifyTradeOff,
}

impl Intent {
    /// Returns the aim in words.
    const fn as_text(self) -> &'static str {
        match self {
            Self::FindRootCause => "find the root cause",
            Self::SurfaceAwareness => "surface awareness",
            Self::NameThePattern => "name the pattern",
            Self::IdentifyTradeOff => "identify the trade-off",
        }
    }
}

/// Tool that asks the person.
pub struct AskFollowUpTool(pub(super) Talk);

#[async_trait]
impl Tool for AskFollowUpTool {
    type Input = AskFollowUp;
    const NAME: &'static str = "ask_follow_up";
    const TAINTED: bool = false;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: AskFollowUp) -> Result<ToolReply, ToolError> {
        let (open, settings) = (self.0.interview(context).await?, &self.0.settings);
        let for_model = |why: &str| Err(ToolError::ForModel(why.to_owned()));
        if let Some(why) = open.refusal() {
            return for_model(&why);
        }
        let question = input.question.trim();
        if question.is_empty() || question.chars().count() > MAX_QUESTION_CHARS || question.matches('?').count() > 1 {
            return for_model("ask one short question");
        }
        let transcript = &open.transcript;
        if transcript.found_signals().count() >= settings.signals as usize {
            return for_model(ENOUGH_SIGNALS);
        }
        if transcript.answers().filter(|reply| open.guide.is_deflecting(reply)).count() >= MAX_DEFLECTIONS {
            return for_model("the person avoids the questions: call transition_to_scenario with reason user_deflecting");
        }
        if transcript.follow_ups().count() >= settings.follow_ups as usize {
            return for_model("enough questions on this scenario: call transition_to_scenario");
        }
        let hand_over = HandOver::Question { remark: remark(context), question: question.to_owned() };
        let result = format!("The question is put to the person, to {}.", input.intent.as_text());
        Ok(ToolReply::text(result).asking_person(hand_over.text()))
    }
}
