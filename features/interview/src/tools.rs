//! Tools of the interviewer. Each reads the interview of its session, and keeps to the rules of the talk.

mod ask;
mod extract;
mod synthesize;
mod transition;

use crate::{
    agent::kept_signals,
    guide::{CardSet, Guide},
    interview::{InterviewId, Transcript, TransitionReason, TurnAction},
    settings::InterviewSettings,
    store::InterviewStore,
};
use engine::{
    StoreError,
    agents::{ToolContext, ToolEntry, context::ToolError},
};
use feature::ToolParts;
use protocol::model::Message;
use std::sync::Arc;

/// Refusal of a question or signal on a scenario that has as many signals as the settings allow.
const ENOUGH_SIGNALS: &str = "enough signals on this scenario: call transition_to_scenario with reason signals_extracted";

/// Returns the tools of the feature.
pub fn all(parts: &ToolParts) -> Vec<ToolEntry> {
    let talk = Talk { store: InterviewStore::from(parts.store.clone()), settings: parts.settings.get::<InterviewSettings>() };
    vec![
        ToolEntry::new(ask::AskFollowUpTool(talk.clone())),
        ToolEntry::new(extract::ExtractSignalTool(talk.clone())),
        ToolEntry::new(transition::TransitionTool(talk.clone())),
        ToolEntry::new(synthesize::SynthesizeProfileTool(talk)),
    ]
}

/// Store and settings that the tools share. A cheap clone.
#[derive(Clone)]
struct Talk {
    store: InterviewStore,
    settings: Arc<InterviewSettings>,
}

/// Interview of the session of a call.
struct OpenInterview {
    id: InterviewId,
    guide: Arc<Guide>,
    set: CardSet,
    transcript: Transcript,
}

impl Talk {
    /// Loads the interview of the session.
    async fn interview(&self, context: &ToolContext<'_>) -> Result<OpenInterview, ToolError> {
        let id = InterviewId(context.investigation.id.0);
        let guide = Guide::load(context.prompts)?;
        let gone = || ToolError::Fatal(StoreError::Stale("the interview was erased"));
        let transcript = self.store.transcript(context.person(), id).await?.ok_or_else(gone)?;
        let set = guide.set(&transcript.interview.set).cloned();
        let set = set.ok_or_else(|| ToolError::Fatal(StoreError::Defect("the set of cards is gone".to_owned())))?;
        Ok(OpenInterview { id, guide, set, transcript })
    }

    /// Returns why the signals of the current card are no reason to end it; none where they are enough, or no more are stored.
    fn too_few_signals(&self, open: &OpenInterview) -> Option<String> {
        let InterviewSettings { signals, least_signals: least, strong_confidence: strong, .. } = &*self.settings;
        let found = open.transcript.found_signals().count();
        let sure = open.transcript.found_signals().filter(|signal| signal.confidence > *strong).count();
        (sure < *least as usize && found < *signals as usize).then(|| {
            format!(
                "fewer than {least} signals with a confidence above {strong} on this scenario: give another reason, or ask on"
            )
        })
    }
}

impl OpenInterview {
    /// Returns whether the talk has ended, so that the profile is due.
    fn is_over(&self) -> bool {
        self.transcript.interview.is_stopped || self.transcript.is_past_last_card(self.set.count_cards())
    }

    /// Returns why the talk on the current card has ended, if it has.
    fn refusal(&self) -> Option<String> {
        let (last, is_stopped) = (self.transcript.turns.last(), self.transcript.interview.is_stopped);
        if self.is_over() {
            let why = if is_stopped { "the person has stopped" } else { "the last scenario has ended" };
            return Some(format!("{why}: call synthesize_profile\n{}", kept_signals(&self.transcript)));
        }
        let is_skipped = last.is_some_and(|turn| {
            turn.reason == Some(TransitionReason::UserSkipped) || (turn.is_card && turn.action == Some(TurnAction::Skip))
        });
        is_skipped.then(|| "the person skips this scenario: call transition_to_scenario with reason user_skipped".to_owned())
    }
}

/// Returns the text that the model wrote beside its calls.
fn remark(context: &ToolContext<'_>) -> String {
    let last = context.conversation.iter().rev().find_map(|message| match message {
        Message::Assistant { text, .. } => Some(text.trim().to_owned()),
        _ => None,
    });
    last.unwrap_or_default()
}
