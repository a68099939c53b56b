//! The Processor's third phase: for each pack of documents one call without history and without tools, whose answer goes through
//! `batch_extract`. What is wrong goes back once; what is still wrong is that document's failure and costs nothing else.

use super::{Conversation, Counts, ExtractedDocument, Next, Outcome, RefusedDocument, ToolEffect, ToolOutcome};
use crate::{
    agents::{pack::Pack, tools::wire::json_of},
    models::{ModelReply, StopReason, ToolRequest},
};
use domain::DocumentId;
use std::collections::VecDeque;

const EXTRACT: &str = "batch_extract";
const MISSING: &str = "the answer has no entry for it";

#[derive(Debug, Clone)]
pub(super) struct Extracting {
    /// How research ended.
    ended: Outcome,
    waiting: VecDeque<Vec<DocumentId>>,
    /// Documents of the present pack that are not written yet.
    open: Vec<DocumentId>,
    is_correction: bool,
    written: usize,
    refused: Vec<RefusedDocument>,
}

impl Extracting {
    pub fn new(ended: Outcome, waiting: VecDeque<Vec<DocumentId>>) -> Self {
        Self { ended, waiting, open: vec![], is_correction: false, written: 0, refused: vec![] }
    }

    pub fn pack(&self) -> &[DocumentId] {
        &self.open
    }

    pub fn next_pack(&mut self) -> Next {
        self.is_correction = false;
        self.open.clear();
        match self.waiting.pop_front() {
            Some(documents) => Next::ReadPack(documents),
            None => Next::Done(self.outcome()),
        }
    }

    fn outcome(&self) -> Outcome {
        match (&self.ended, self.refused.first()) {
            (Outcome::Finished { .. }, Some(first)) if self.written == 0 => {
                let why = format!("none of {} documents could be recorded; the first: {}", self.refused.len(), first.reason);
                Outcome::Failed { why }
            }
            (Outcome::Finished { text }, first) => {
                let refused = first.map_or(String::new(), |_| format!(" {} could not be recorded.", self.refused.len()));
                Outcome::Finished { text: format!("{text} {} documents recorded.{refused}", self.written).trim().into() }
            }
            (ended, _) => ended.clone(),
        }
    }

    pub fn take_pack(&mut self, conversation: &mut Conversation, pack: Pack) -> Next {
        if pack.documents.is_empty() {
            return self.next_pack();
        }
        self.open = pack.documents;
        *conversation = Conversation::opened(pack.text);
        Next::CallModel
    }

    pub fn take_reply(&mut self, conversation: &mut Conversation, counts: &mut Counts, reply: &ModelReply) -> Next {
        match (reply.stop, json_of::<serde_json::Value>(&reply.text)) {
            (StopReason::MaxTokens, _) => self.split("the answer was cut at the longest that is allowed"),
            (StopReason::Refused, _) => self.split("the model refused to read it"),
            (_, Some(arguments)) if arguments.is_object() => {
                Next::CallTools(vec![ToolRequest { id: format!("extract-{}", counts.turns), name: EXTRACT.into(), arguments }])
            }
            _ => self.unusable(conversation, counts, "the answer is not a JSON object of the shape asked for"),
        }
    }

    pub fn take_results(&mut self, conversation: &mut Conversation, counts: &mut Counts, outcomes: Vec<ToolOutcome>) -> Next {
        let Some(ToolOutcome { result, effect }) = outcomes.into_iter().next() else { return self.next_pack() };
        let ToolEffect::Extracted { documents } = effect else {
            return self.unusable(conversation, counts, &result.content);
        };
        counts.malformed_in_a_row = 0;
        let wrong: Vec<RefusedDocument> = self.open.iter().filter_map(|id| what_is_wrong(*id, &documents)).collect();
        self.written += self.open.len() - wrong.len();
        self.open = wrong.iter().map(|refused| refused.document_id).collect();
        match wrong.is_empty() {
            true => self.next_pack(),
            false if self.is_correction => self.refuse(wrong),
            false => self.correct(conversation, &listed(&wrong)),
        }
    }

    /// An answer of no use at all: said once; too many in a row end the session.
    pub fn unusable(&mut self, conversation: &mut Conversation, counts: &mut Counts, why: &str) -> Next {
        counts.malformed_in_a_row += 1;
        if counts.malformed_in_a_row >= counts.limits.max_malformed_calls {
            let why = format!("{} unusable answers in a row; the last: {why}", counts.malformed_in_a_row);
            return Next::Done(Outcome::Failed { why });
        }
        match self.is_correction {
            true => self.refuse_all(why),
            false => self.correct(conversation, why),
        }
    }

    fn correct(&mut self, conversation: &mut Conversation, wrong: &str) -> Next {
        self.is_correction = true;
        let text =
            format!("This was not recorded:\n{wrong}\nAnswer again in the same shape, with these documents only, each whole.");
        conversation.say(&text);
        Next::CallModel
    }

    /// Fewer documents at once, or where it is only one, its failure.
    pub fn split(&mut self, why: &str) -> Next {
        if self.open.len() < 2 {
            return self.refuse_all(why);
        }
        let (first, second) = self.open.split_at(self.open.len() / 2);
        self.waiting.push_front(second.to_vec());
        self.waiting.push_front(first.to_vec());
        self.next_pack()
    }

    fn refuse_all(&mut self, reason: &str) -> Next {
        let refused = self.open.iter().map(|id| RefusedDocument { document_id: *id, reason: reason.to_owned() });
        self.refuse(refused.collect())
    }

    fn refuse(&mut self, refused: Vec<RefusedDocument>) -> Next {
        self.refused.extend(refused.iter().cloned());
        Next::NoteRefused(refused)
    }
}

/// Why a document of the pack was not written; none: it was.
fn what_is_wrong(id: DocumentId, extracted: &[ExtractedDocument]) -> Option<RefusedDocument> {
    let mut entries = extracted.iter().filter(|document| document.document_id == id).peekable();
    let reason = match entries.peek() {
        None => MISSING.to_owned(),
        Some(_) => {
            let errors: Vec<String> =
                entries.flat_map(|entry| &entry.errors).map(|error| format!("{}: {}", error.item, error.error)).collect();
            errors.join("; ")
        }
    };
    (!reason.is_empty()).then_some(RefusedDocument { document_id: id, reason })
}

fn listed(wrong: &[RefusedDocument]) -> String {
    wrong.iter().map(|refused| format!("- document {}: {}", refused.document_id, refused.reason)).collect::<Vec<_>>().join("\n")
}
