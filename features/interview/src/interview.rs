//! Interview of a person: its turns, the signals that it found, the profile, and the proposed interests.

use crate::words::SpokenWords;
use domain::{Timestamp, UserId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Note on an interview from whose profile a removed signal took something.
const REMOVED_LATER: &str =
    "You removed a line after the profile was written. What rested on that line alone is gone too; the rest is as it was.";

domain::ids! {
    InterviewId = "interview";
    /// One personal signal.
    SignalId = "signal";
}

domain::words! {
    /// State of an interview.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum InterviewState {
        /// A card or question waits for the person.
        Person = "person",
        /// The interviewer thinks.
        Interviewer = "interviewer",
        /// It has ended with a profile and proposals.
        Review = "review",
        /// Words of a crisis ended it.
        Crisis = "crisis",
        /// The model gave up; the signals are kept.
        Failed = "failed",
    }
}

impl InterviewState {
    /// Returns whether the talk goes on.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Person | Self::Interviewer)
    }
}

domain::words! {
    /// Kind of a signal.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "UPPERCASE")]
    pub enum SignalKind {
        Value = "VALUE",
        Fear = "FEAR",
        Pattern = "PATTERN",
        Defense = "DEFENSE",
    }
}

domain::words! {
    /// Action of the person at a card or question.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum TurnAction {
        Answer = "answer",
        Skip = "skip",
        Stop = "stop",
    }
}

domain::words! {
    /// Reason why a scenario ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum TransitionReason {
        SignalsExtracted = "signals_extracted",
        UserDeflecting = "user_deflecting",
        ConversationComplete = "conversation_complete",
        UserSkipped = "user_skipped",
        Crisis = "crisis",
    }
}

domain::words! {
    /// Decision on a proposed interest.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Decision {
        Accepted = "accepted",
        Refused = "refused",
    }
}

/// One interview.
#[derive(Debug, Clone, PartialEq)]
pub struct Interview {
    pub id: InterviewId,
    pub user: UserId,
    /// Key of its set of cards.
    pub set: String,
    pub state: InterviewState,
    /// Number of the current card, from 0.
    pub card: u32,
    /// Whether the person stopped it.
    pub is_stopped: bool,
    /// Reason why the model waits, gave up or ended early, or a note on a signal that was removed from the profile; empty: none of these.
    pub note: String,
    pub profile: Option<Profile>,
    pub started_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// Card or question with what the person did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Turn {
    /// Number of the question in the session; 0 for the first card.
    pub number: u32,
    pub card: u32,
    pub is_card: bool,
    /// Remark of the interviewer before it.
    pub remark: String,
    /// Situation of the card, or the question.
    pub question: String,
    /// None while it waits for the person.
    pub action: Option<TurnAction>,
    pub reply: String,
    /// Reason of the transition after it, if the scenario ended here.
    pub reason: Option<TransitionReason>,
}

/// Personal signal, with the person's own words as its source.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Signal {
    pub id: SignalId,
    pub card: u32,
    /// Whether it comes from the choice of a card.
    pub is_initial: bool,
    pub kind: SignalKind,
    /// Label of the layer of the taxonomy that has the construct; empty without one.
    pub domain: String,
    /// Construct of the taxonomy; empty: none.
    pub construct: String,
    pub state: String,
    pub content: String,
    pub source: String,
    /// From 0 to 1.
    pub confidence: f64,
}

/// Profile in the person's words. A part about which nothing is known is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Behaviour: what they do.
    pub pattern: String,
    /// Behaviour that they wish for.
    pub anti_pattern: String,
    /// Goal that they move towards.
    pub vision: String,
    /// State that they run from.
    pub anti_vision: String,
    /// Price: what has to give.
    pub trade_off: String,
}

/// Proposed interest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Proposal {
    /// Number in the interview, from 1.
    pub number: u32,
    /// The interest as a sentence.
    pub sentence: String,
    /// Words of the person from which it follows.
    pub because: String,
    pub decision: Option<Decision>,
}

/// Interview with everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    pub interview: Interview,
    /// In order.
    pub turns: Vec<Turn>,
    pub signals: Vec<Signal>,
    pub proposals: Vec<Proposal>,
}

impl Profile {
    /// Returns the parts with their titles.
    pub fn parts(&self) -> [(&'static str, &'static str, &str); 5] {
        [
            ("pattern", "Pattern: what you do", &self.pattern),
            ("anti_pattern", "Anti-pattern: what you wish you did", &self.anti_pattern),
            ("vision", "Vision: what you move towards", &self.vision),
            ("anti_vision", "Anti-vision: what you run from", &self.anti_vision),
            ("trade_off", "Trade-off: what has to give", &self.trade_off),
        ]
    }

    /// Empties the parts whose text is not kept.
    pub fn retain_parts(&mut self, is_kept: impl Fn(&str) -> bool) {
        let Self { pattern, anti_pattern, vision, anti_vision, trade_off } = self;
        for part in [pattern, anti_pattern, vision, anti_vision, trade_off] {
            if !is_kept(part) {
                part.clear();
            }
        }
    }
}

impl Transcript {
    /// Removes a signal, and from a profile that the interviewer wrote the parts that share words with it and with no other signal. A
    /// profile from the form has the person's own words, and stays. Returns whether there was such a signal.
    pub fn remove_signal(&mut self, id: SignalId) -> bool {
        let Some(place) = self.signals.iter().position(|one| one.id == id) else { return false };
        let removed = self.signals.remove(place);
        let is_by_interviewer = self.interview.is_stopped || self.turns.iter().any(|turn| turn.reason.is_some());
        let Some(profile) = self.interview.profile.as_mut().filter(|_| is_by_interviewer) else { return true };
        let removed = SpokenWords::new([removed.content.as_str(), removed.source.as_str()]);
        let left = self.signals.iter().flat_map(|one| [one.content.as_str(), one.source.as_str()]);
        let left = SpokenWords::new(left);
        profile.retain_parts(|text| left.are_in(text) || !removed.are_in(text));
        if *profile == Profile::default() {
            self.interview.profile = None;
        }
        self.interview.note = REMOVED_LATER.to_owned();
        true
    }

    /// Returns the questions on the current card, without the card itself.
    pub fn follow_ups(&self) -> impl Iterator<Item = &Turn> {
        let card = self.interview.card;
        self.turns.iter().filter(move |turn| turn.card == card && !turn.is_card)
    }

    /// Returns the answers to the questions on the current card.
    pub fn answers(&self) -> impl Iterator<Item = &str> {
        self.follow_ups().filter(|turn| turn.action == Some(TurnAction::Answer)).map(|turn| turn.reply.as_str())
    }

    /// Returns the signals found in answers on the current card.
    pub fn found_signals(&self) -> impl Iterator<Item = &Signal> {
        let card = self.interview.card;
        self.signals.iter().filter(move |signal| signal.card == card && !signal.is_initial)
    }

    /// Returns whether the current card is the last and its scenario has ended.
    pub fn is_past_last_card(&self, cards: u32) -> bool {
        let card = self.interview.card;
        card + 1 >= cards && self.turns.iter().any(|turn| turn.card == card && turn.reason.is_some())
    }

    /// Returns the card or question that waits for the person.
    pub fn open_turn(&self) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.action.is_none())
    }
}
