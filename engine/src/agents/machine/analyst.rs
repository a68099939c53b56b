//! The Analyst's session: a conversation with tools that ends in orders or in an assessment.

use super::{Conversation, Counts, Next, Outcome, ToolEffect, ToolOutcome};
use crate::models::{Message, ModelReply, StopReason};

#[derive(Debug, Clone, Default)]
pub(super) struct Analysing {
    orders_staged: bool,
    findings_returned: bool,
}

impl Analysing {
    /// Whether the author has had its one turn to mend what checks found.
    pub fn findings_returned(&self) -> bool {
        self.findings_returned
    }

    pub fn take_reply(&self, counts: &mut Counts, reply: ModelReply) -> Next {
        if reply.tool_calls.is_empty() {
            return Next::Done(self.ended_by_text(reply.stop));
        }
        match counts.spend_calls(reply.tool_calls.len()) {
            Ok(()) => Next::CallTools(reply.tool_calls),
            Err(why) => Next::Done(self.ended_without(why)),
        }
    }

    pub fn take_results(&mut self, conversation: &mut Conversation, counts: &mut Counts, outcomes: Vec<ToolOutcome>) -> Next {
        let judged = counts.judge(&outcomes);
        self.orders_staged |= outcomes.iter().any(|outcome| outcome.effect == ToolEffect::OrderStaged);
        self.findings_returned |= outcomes.iter().any(|outcome| outcome.effect == ToolEffect::FindingsReturned);
        let produced = outcomes.iter().find_map(|outcome| match outcome.effect {
            ToolEffect::AssessmentProduced(assessment_id) => Some(Outcome::AssessmentProduced { assessment_id }),
            _ => None,
        });
        conversation.push(Message::Tools { results: outcomes.into_iter().map(|outcome| outcome.result).collect() });
        match (produced, judged) {
            (Some(produced), _) => Next::Done(produced),
            (None, Err(why)) => Next::Done(self.ended_without(why)),
            (None, Ok(())) => Next::CallModel,
        }
    }

    fn ended_by_text(&self, stop: StopReason) -> Outcome {
        match stop {
            StopReason::Refused => self.ended_without(super::REFUSED.into()),
            _ => self.ended_without("it ended with neither orders nor an assessment".into()),
        }
    }

    /// What was staged counts, whatever ended the session.
    pub fn ended_without(&self, why: String) -> Outcome {
        if self.orders_staged { Outcome::OrdersCreated } else { Outcome::Empty { why } }
    }
}
