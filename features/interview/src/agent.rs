//! Role of the interviewer: its phases, tools and answer, and the messages that bring it what the person did.

use crate::{
    guide::{CardSet, Guide},
    interview::{Proposal, Signal, Transcript, Turn, TurnAction},
    settings::InterviewSettings,
    sharpen::CLARIFIER,
    words::{is_one_word, is_quoted_from},
};
use domain::{Word, model_choice::ModelRole};
use engine::agents::{
    RunLimits,
    spec::{AgentSpec, AnswerShape, PhaseKind, PhaseSpec},
};
use feature::NamedText;
use protocol::model::Message;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Kind of the objects of sessions.
pub const INTERVIEW: Word = Word::new("interview");

const PHASES: &[PhaseSpec] = &[
    PhaseSpec::new("interviewer_talk", PhaseKind::Loop { until: Some("synthesize_profile") }),
    PhaseSpec::new("interviewer_interests", PhaseKind::Once(AnswerShape::new::<ProposedInterests>("proposed_interests"))),
];
const TOOLS: &[&str] = &["ask_follow_up", "extract_signal", "transition_to_scenario", "synthesize_profile"];

/// Role that talks with a person about scenario cards.
pub static INTERVIEWER: AgentSpec = AgentSpec::answering("interviewer", ModelRole::Analyst, PHASES, TOOLS);

/// Roles of the feature.
pub static ROLES: [&AgentSpec; 2] = [&INTERVIEWER, &CLARIFIER];

/// Prompts of the roles.
pub const PROMPTS: &[NamedText] = &[
    ("interviewer_talk", include_str!("../prompts/interviewer_talk.md")),
    ("interviewer_interests", include_str!("../prompts/interviewer_interests.md")),
    ("clarifier_ask", include_str!("../prompts/clarifier_ask.md")),
    ("clarifier_question", include_str!("../prompts/clarifier_question.md")),
];

/// Descriptions of its tools.
pub const TOOL_FILES: &[NamedText] = &[
    ("interviewer/ask_follow_up", include_str!("../tools/interviewer/ask_follow_up.json")),
    ("interviewer/extract_signal", include_str!("../tools/interviewer/extract_signal.json")),
    ("interviewer/transition_to_scenario", include_str!("../tools/interviewer/transition_to_scenario.json")),
    ("interviewer/synthesize_profile", include_str!("../tools/interviewer/synthesize_profile.json")),
];

/// Answer of the last phase.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposedInterests {
    pub interests: Vec<ProposedInterest>,
}

/// Interest that the interviewer proposes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposedInterest {
    /// The interest as a sentence, in the person's words.
    pub sentence: String,
    /// Words of the person from which it follows.
    pub because: String,
}

/// Call of the interviewer that hands over to the person, as the text of the question of its session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum HandOver {
    Question { remark: String, question: String },
    NextCard { remark: String },
    Crisis,
}

impl HandOver {
    /// Returns the hand-over as the text of a question.
    pub fn text(&self) -> String {
        // An enum of strings: serialisation cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads the text of a question.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

impl ProposedInterests {
    /// Returns the proposals that quote an answer or choice of the person, at most `limit`.
    pub fn into_proposals(self, transcript: &Transcript, limit: usize) -> Vec<Proposal> {
        let is_grounded = |one: &ProposedInterest| {
            let mut replies = transcript.turns.iter().filter(|turn| turn.action == Some(TurnAction::Answer));
            !one.sentence.trim().is_empty() && replies.any(|turn| is_quoted_from(&one.because, &turn.reply))
        };
        let numbered = (1..).zip(self.interests.into_iter().filter(is_grounded).take(limit));
        let proposal = |(number, one): (u32, ProposedInterest)| Proposal {
            number,
            sentence: one.sentence.trim().to_owned(),
            because: one.because,
            decision: None,
        };
        numbered.map(proposal).collect()
    }
}

/// Returns the limits of the session of an interview. The tools keep to those of each card.
pub fn limits(set: &CardSet, settings: &InterviewSettings) -> RunLimits {
    let (cards, turns) = (set.count_cards(), settings.follow_ups.saturating_add(1));
    let questions = cards.saturating_mul(turns);
    RunLimits {
        // Each turn may have a question and some signals, and calls that are refused.
        max_tool_calls: questions.saturating_mul(settings.signals.saturating_add(3)).saturating_add(5),
        max_questions: questions.saturating_add(1),
    }
}

/// Returns the first message of the session. The last phase reads in it how many interests it may propose.
pub fn opening(guide: &Guide, set: &CardSet, transcript: &Transcript, proposals: usize) -> Option<String> {
    let first = transcript.turns.first()?;
    let (goal, cards, taxonomy) = (&set.goal, set.count_cards(), guide.taxonomy_lines());
    let profile: String = set.profile.parts().iter().map(|(part, question)| format!("\n{part}: {question}")).collect();
    let head = format!(
        "Goal: {goal}\nScenarios: {cards}\nInterests to propose in the end: at most {proposals}\n\n\
         Parts of the profile:{profile}\n\nConstructs for signals:\n{taxonomy}"
    );
    Some(format!("{head}\n\n{}", message(guide, set, transcript, first)))
}

/// Returns what the person did at a turn, and whether they stopped since, as a message for the interviewer.
pub fn message(guide: &Guide, set: &CardSet, transcript: &Transcript, turn: &Turn) -> String {
    let text = action_text(guide, set, transcript, turn);
    if !transcript.interview.is_stopped {
        return text;
    }
    let stop = "The person stops here. Ask nothing more: call synthesize_profile from what was said so far.";
    format!("{text}\n{stop}\n{}", kept_signals(transcript)).trim_start().to_owned()
}

/// Returns an answer or skip as a text; empty for a stop.
fn action_text(guide: &Guide, set: &CardSet, transcript: &Transcript, turn: &Turn) -> String {
    let (reply, is_last) = (&turn.reply, turn.card + 1 >= set.count_cards());
    match (turn.action, turn.is_card) {
        (Some(TurnAction::Skip), true) => format!(
            "Scenario {} of {}: {}\nThe person skips this scenario. Call transition_to_scenario with reason user_skipped.",
            turn.card + 1,
            set.count_cards(),
            turn.question
        ),
        (Some(TurnAction::Skip), false) => {
            "The person skips this question. Ask about something else, or call transition_to_scenario with reason user_skipped."
                .to_owned()
        }
        (Some(TurnAction::Answer), true) => {
            let is_new = |signal: &&Signal| signal.is_initial && signal.card == turn.card;
            let initial = signal_lines(transcript.signals.iter().filter(is_new));
            let so_far = signal_lines(transcript.signals.iter().filter(|signal| signal.card < turn.card));
            let last = if is_last { "\nThis is the last scenario." } else { "" };
            format!(
                "Scenario {} of {}: {}\nThe person chose: \"{reply}\"\nInitial signals of this choice: {initial}\nSignals so far: {so_far}{last}",
                turn.card + 1,
                set.count_cards(),
                turn.question
            )
        }
        (Some(TurnAction::Answer), false) => {
            let is_before = |one: &&Turn| one.card == turn.card && !one.is_card && one.number < turn.number;
            let before = transcript.turns.iter().rfind(|one| is_before(one) && one.action == Some(TurnAction::Answer));
            // A note is given once in a row.
            let given = before.and_then(|one| note_on(guide, &one.reply));
            let note = note_on(guide, reply).filter(|note| given != Some(*note));
            let note = note.map(|note| format!("\nNote: {note}")).unwrap_or_default();
            format!("The person answered: \"{reply}\"{note}")
        }
        (Some(TurnAction::Stop) | None, _) => String::new(),
    }
}

/// Returns the note for the interviewer on a short answer, if it needs one.
fn note_on(guide: &Guide, reply: &str) -> Option<&'static str> {
    if guide.is_deflecting(reply) {
        return Some("the person avoids the question. Step back, offer to skip, or move on.");
    }
    is_one_word(reply).then_some("a single word. Ask in another way, or move on.")
}

/// Beginning of the list of signals for the profile.
const KEPT_SIGNALS: &str = "All signals that the person kept: ";

/// Returns the signals for the profile: those of all scenarios that the person has not removed.
pub fn kept_signals(transcript: &Transcript) -> String {
    format!("{KEPT_SIGNALS}{}. Use no other.", signal_lines(transcript.signals.iter()))
}

/// Returns whether the last list of signals in a conversation is that of the interview now. The person may have removed one since.
pub fn knows_kept_signals(conversation: &[Message], transcript: &Transcript) -> bool {
    let texts = |message: &Message| match message {
        Message::User { text } => vec![text.clone()],
        Message::Tools { results } => results.iter().rev().map(|result| result.content.clone()).collect(),
        Message::Assistant { .. } => vec![],
    };
    let last = conversation.iter().rev().flat_map(texts).find(|text| text.contains(KEPT_SIGNALS));
    last.is_some_and(|text| text.contains(&kept_signals(transcript)))
}

/// Returns signals as one line.
fn signal_lines<'a>(signals: impl Iterator<Item = &'a Signal>) -> String {
    let lines: Vec<String> = signals.map(|one| format!("{} {} ({})", one.kind.as_str(), one.content, one.confidence)).collect();
    if lines.is_empty() { "none".to_owned() } else { lines.join("; ") }
}
