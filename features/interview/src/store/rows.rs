//! Rows of the tables, and their values.

use crate::interview::{
    Decision, Interview, InterviewId, InterviewState, Profile, Proposal, Signal, SignalId, SignalKind, TransitionReason, Turn,
    TurnAction,
};
use adapters::sql::{
    fault::Fault,
    types::{Moment, count, word},
};
use domain::UserId;
use uuid::Uuid;

/// Row of an interview.
#[derive(sqlx::FromRow)]
pub struct InterviewRow {
    id: Uuid,
    user_id: Uuid,
    card_set: String,
    state: String,
    card: i64,
    is_stopped: bool,
    profile: String,
    note: String,
    started_at: Moment,
    ended_at: Option<Moment>,
}

impl InterviewRow {
    /// Returns the interview; fails for an unknown word.
    pub fn interview(self) -> Result<Interview, Fault> {
        Ok(Interview {
            id: InterviewId(self.id),
            user: UserId(self.user_id),
            set: self.card_set,
            state: word("state of an interview", &self.state, InterviewState::parse)?,
            card: count(self.card)?,
            is_stopped: self.is_stopped,
            note: self.note,
            profile: match self.profile.as_str() {
                "" => None,
                text => Some(word("profile", text, |text| serde_json::from_str::<Profile>(text).ok())?),
            },
            started_at: self.started_at.0,
            ended_at: self.ended_at.map(|at| at.0),
        })
    }
}

/// Row of a card or question.
#[derive(sqlx::FromRow)]
pub struct TurnRow {
    number: i64,
    card: i64,
    is_card: bool,
    remark: String,
    question: String,
    action: String,
    reply: String,
    reason: String,
}

impl TurnRow {
    /// Returns the turn; fails for an unknown word.
    pub fn turn(self) -> Result<Turn, Fault> {
        Ok(Turn {
            number: count(self.number)?,
            card: count(self.card)?,
            is_card: self.is_card,
            remark: self.remark,
            question: self.question,
            action: optional("action", &self.action, TurnAction::parse)?,
            reply: self.reply,
            reason: optional("reason", &self.reason, TransitionReason::parse)?,
        })
    }
}

/// Row of a signal.
#[derive(sqlx::FromRow)]
pub struct SignalRow {
    id: Uuid,
    step: i64,
    card: i64,
    kind: String,
    domain: Option<String>,
    construct: String,
    state: String,
    content: String,
    source: String,
    confidence: i64,
}

impl SignalRow {
    /// Returns the signal; fails for an unknown word.
    pub fn signal(self) -> Result<Signal, Fault> {
        Ok(Signal {
            id: SignalId(self.id),
            card: count(self.card)?,
            is_initial: self.step < 0,
            kind: word("kind of a signal", &self.kind, SignalKind::parse)?,
            domain: self.domain.unwrap_or_default(),
            construct: self.construct,
            state: self.state,
            content: self.content,
            source: self.source,
            confidence: self.confidence as f64 / 1_000.0,
        })
    }
}

/// Row of a proposed interest.
#[derive(sqlx::FromRow)]
pub struct ProposalRow {
    number: i64,
    sentence: String,
    because: String,
    decision: String,
}

impl ProposalRow {
    /// Returns the proposal; fails for an unknown word.
    pub fn proposal(self) -> Result<Proposal, Fault> {
        Ok(Proposal {
            number: count(self.number)?,
            sentence: self.sentence,
            because: self.because,
            decision: optional("decision", &self.decision, Decision::parse)?,
        })
    }
}

/// Reads a word that may be empty.
fn optional<T>(what: &str, text: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Fault> {
    if text.is_empty() { Ok(None) } else { word(what, text, parse).map(Some) }
}
