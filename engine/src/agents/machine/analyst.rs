//! Analyst session: a conversation with tools that ends in work orders, question parts, or an assessment.

use super::{
    conversation::Conversation,
    counts::{Counts, REFUSED},
    io::{Next, Outcome, ToolEffect, ToolOutcome},
};
use protocol::model::{Message, ModelReply, StopReason};

#[derive(Debug, Clone, Default)]
pub(super) struct AnalystState {
    orders_staged: bool,
    findings_returned: bool,
}

impl AnalystState {
    /// Returns whether the author already had its one turn to correct check findings.
    pub fn findings_returned(&self) -> bool {
        self.findings_returned
    }

    pub fn take_reply(&mut self, conversation: &mut Conversation, counts: &mut Counts, nudge: &str, reply: ModelReply) -> Next {
        if reply.tool_calls.is_empty() {
            let is_mistake = !self.orders_staged && reply.stop != StopReason::Refused;
            return match is_mistake && counts.nudge(conversation, nudge) {
                true => Next::CallModel,
                false => Next::Done(self.ended_by_text(reply.stop)),
            };
        }
        match counts.spend_calls(&reply.tool_calls) {
            Ok(()) => Next::CallTools(reply.tool_calls),
            Err(why) => Next::Done(self.ended_without(why)),
        }
    }

    pub fn take_results(&mut self, conversation: &mut Conversation, counts: &mut Counts, outcomes: Vec<ToolOutcome>) -> Next {
        let judged = counts.judge(&outcomes);
        let has = |effect: &ToolEffect| outcomes.iter().any(|outcome| outcome.effect == *effect);
        let is_last = has(&ToolEffect::LastOrderStaged) && outcomes.iter().all(|outcome| !outcome.result.is_error);
        self.orders_staged |= has(&ToolEffect::OrderStaged) || has(&ToolEffect::LastOrderStaged);
        self.findings_returned |= has(&ToolEffect::FindingsReturned);
        let ended = outcomes.iter().find_map(|outcome| match &outcome.effect {
            ToolEffect::AssessmentProduced(assessment_id) => {
                Some(Outcome::AssessmentProduced { assessment_id: *assessment_id })
            }
            ToolEffect::Decomposed { questions } => Some(Outcome::Decomposed { questions: questions.clone() }),
            _ => None,
        });
        conversation.push(Message::Tools { results: outcomes.into_iter().map(|outcome| outcome.result).collect() });
        conversation.leave_out_older_drafts();
        match (ended, judged) {
            (Some(ended), _) => Next::Done(ended),
            (None, Ok(())) if is_last => Next::Done(Outcome::OrdersCreated),
            (None, Err(why)) => Next::Done(self.ended_without(why)),
            (None, Ok(())) => Next::CallModel,
        }
    }

    fn ended_by_text(&self, stop: StopReason) -> Outcome {
        match stop {
            StopReason::Refused => self.ended_without(REFUSED.into()),
            _ => self.ended_without("only text came, without work orders or an assessment".into()),
        }
    }

    /// Returns the outcome of a session cut short; staged work orders still count.
    pub fn ended_without(&self, why: String) -> Outcome {
        if self.orders_staged { Outcome::OrdersCreated } else { Outcome::Empty { why } }
    }
}
