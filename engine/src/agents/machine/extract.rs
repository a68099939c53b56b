//! The Processor's third phase: for each pack of documents one call without history and without tools, whose answer goes through
//! `batch_extract`. What is wrong goes back once; what is still wrong is that document's failure and costs nothing else. What is
//! too much at once is halved, at last within a document.
//!
//! Before an answer is written, a judge is asked once for each pack about those of its names that are probably known. Whatever
//! becomes of that, the answer is written.

use super::{
    Conversation, Counts, ExtractedDocument, Next, Outcome, Phase, RefusedDocument, ToolEffect, ToolOutcome, Writable,
};
use crate::{
    agents::{
        names::{self, NamePair, NamePairs, NameVerdict},
        pack::{Pack, Part, Portion},
        tools::wire::json_of,
    },
    models::{ModelReply, StopReason, ToolRequest},
};
use domain::DocumentId;
use std::collections::{BTreeSet, VecDeque};

const EXTRACT: &str = "batch_extract";
const MISSING: &str = "the answer has no entry for it";
/// A document in more parts than this is not worth the calls.
const MAX_PARTS: u32 = 64;

#[derive(Debug, Clone)]
pub(super) struct Extracting {
    /// How research ended.
    ended: Outcome,
    waiting: VecDeque<Portion>,
    /// Documents of the present pack that are not written yet.
    open: Vec<DocumentId>,
    /// Where the pack is a part of one document, and whether an earlier part of it was refused.
    part: Option<Part>,
    is_torn: bool,
    is_correction: bool,
    written: usize,
    refused: Vec<RefusedDocument>,
    /// The answer that waits until it is known what its names are.
    answer: Option<ToolRequest>,
    judging: Option<Asking>,
    is_judged: bool,
    verdicts: Vec<NameVerdict>,
}

/// What a judge is being asked, and the conversation that goes on afterwards.
#[derive(Debug, Clone)]
struct Asking {
    pairs: Vec<NamePair>,
    conversation: Conversation,
}

impl Extracting {
    pub fn new(ended: Outcome, waiting: VecDeque<Portion>) -> Self {
        Self {
            ended,
            waiting,
            open: vec![],
            part: None,
            is_torn: false,
            is_correction: false,
            written: 0,
            refused: vec![],
            answer: None,
            judging: None,
            is_judged: false,
            verdicts: vec![],
        }
    }

    pub const fn phase(&self) -> Phase {
        if self.judging.is_some() { Phase::Judge } else { Phase::Extract }
    }

    pub fn writable(&self) -> Writable<'_> {
        Writable { documents: &self.open, completes: self.completes(), verdicts: &self.verdicts }
    }

    fn completes(&self) -> bool {
        self.part.is_none_or(|part| part.is_last() && !self.is_torn)
    }

    pub fn next_pack(&mut self) -> Next {
        self.is_correction = false;
        self.is_judged = false;
        self.verdicts.clear();
        self.open.clear();
        let Some(portion) = self.waiting.pop_front() else { return Next::Done(self.outcome()) };
        self.part = portion.part;
        self.is_torn &= self.part.is_some_and(|part| part.number > 1);
        Next::ReadPack(portion)
    }

    fn outcome(&self) -> Outcome {
        let refused = self.refused.iter().map(|refused| refused.document_id).collect::<BTreeSet<_>>().len();
        match (&self.ended, self.refused.first()) {
            (Outcome::Finished { .. }, Some(first)) if self.written == 0 => {
                let why = format!("none of {refused} documents could be recorded; the first: {}", first.reason);
                Outcome::Failed { why }
            }
            (Outcome::Finished { text }, first) => {
                let refused = first.map_or(String::new(), |_| format!(" {refused} could not be recorded."));
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
        if let Some(asking) = &self.judging {
            self.verdicts.extend(names::verdicts(&asking.pairs, &reply.text));
            return self.go_on(conversation);
        }
        match (reply.stop, json_of::<serde_json::Value>(&reply.text)) {
            (StopReason::MaxTokens, _) => self.split("the answer was cut at the longest that is allowed"),
            (StopReason::Refused, _) => self.split("the model refused to read it"),
            (_, Some(arguments)) if arguments.is_object() => {
                self.answer = Some(ToolRequest {
                    id: format!("extract-{}", counts.turns),
                    name: EXTRACT.into(),
                    arguments: arguments.clone(),
                });
                match counts.limits.judge_pairs > 0 && !self.is_judged {
                    true => Next::FindPairs(arguments),
                    false => self.write(),
                }
            }
            _ => self.unusable(conversation, counts, "the answer is not a JSON object of the shape asked for"),
        }
    }

    pub fn take_pairs(&mut self, conversation: &mut Conversation, pairs: NamePairs) -> Next {
        self.verdicts = pairs.settled;
        if pairs.open.is_empty() {
            return self.write();
        }
        self.is_judged = true;
        let extracting = std::mem::replace(conversation, Conversation::opened(pairs.text));
        self.judging = Some(Asking { pairs: pairs.open, conversation: extracting });
        Next::CallModel
    }

    /// Back to the documents, with whatever verdicts there are.
    pub fn go_on(&mut self, conversation: &mut Conversation) -> Next {
        if let Some(asking) = self.judging.take() {
            *conversation = asking.conversation;
        }
        self.write()
    }

    fn write(&mut self) -> Next {
        self.answer.take().map_or_else(|| self.next_pack(), |answer| Next::CallTools(vec![answer]))
    }

    pub fn take_results(&mut self, conversation: &mut Conversation, counts: &mut Counts, outcomes: Vec<ToolOutcome>) -> Next {
        let Some(ToolOutcome { result, effect }) = outcomes.into_iter().next() else { return self.next_pack() };
        let ToolEffect::Extracted { documents } = effect else {
            return self.unusable(conversation, counts, &result.content);
        };
        counts.malformed_in_a_row = 0;
        let wrong: Vec<RefusedDocument> = self.open.iter().filter_map(|id| what_is_wrong(*id, &documents)).collect();
        self.written += if self.completes() { self.open.len() - wrong.len() } else { 0 };
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

    /// Half of the documents at once, or where it is only one, half of it; at last, its failure.
    pub fn split(&mut self, why: &str) -> Next {
        let documents = std::mem::take(&mut self.open);
        let (first, second) = match (&documents[..], self.part.unwrap_or(Part { number: 1, of: 1 })) {
            ([_], part) if part.of >= MAX_PARTS => {
                self.open = documents;
                return self.refuse_all(why);
            }
            ([_], part) => {
                let (one, other) = part.halves();
                (Portion { documents: documents.clone(), part: Some(one) }, Portion { documents, part: Some(other) })
            }
            (several, _) => {
                let (one, other) = several.split_at(several.len() / 2);
                let whole = |documents: &[DocumentId]| Portion { documents: documents.to_vec(), part: None };
                (whole(one), whole(other))
            }
        };
        self.waiting.push_front(second);
        self.waiting.push_front(first);
        self.next_pack()
    }

    fn refuse_all(&mut self, reason: &str) -> Next {
        let refused = self.open.iter().map(|id| RefusedDocument { document_id: *id, reason: reason.to_owned() });
        self.refuse(refused.collect())
    }

    fn refuse(&mut self, mut refused: Vec<RefusedDocument>) -> Next {
        if let Some(Part { number, of }) = self.part {
            self.is_torn = true;
            refused.iter_mut().for_each(|refused| refused.reason = format!("part {number} of {of}: {}", refused.reason));
        }
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
