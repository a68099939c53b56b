//! Extraction phase of a Processor: one call per pack of documents, without history or tools, recorded through `batch_extract`.
//!
//! The whole items of an answer that was cut are kept, and only the rest is requested again.
//!
//! Valid items are recorded at once. Invalid items and missing documents are requested once more, with the nearest words of the
//! text. Items still invalid are dropped and reported. A pack that is too long is halved, finally within one document.
//!
//! Before an answer is recorded, a judge is asked once per pack about probably known names. The answer is recorded even if the
//! judge fails.

mod entries;

use super::{
    conversation::Conversation,
    counts::Counts,
    io::{ExtractedDocument, Next, Outcome, Phase, RefusedDocument, ToolEffect, ToolOutcome, WriteScope},
    pairs::{self, NamePair, NamePairs, NameVerdict},
};
use domain::DocumentId;
use entries::{carry_view, document_of, entries, entry_of, join, merge};
use protocol::{
    json::complete_part,
    model::{ModelReply, StopReason, ToolRequest},
    pack::{Pack, Portion, TextPart},
    tools::{ItemError, parse_json_answer},
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Name of the tool that records an answer.
pub const EXTRACT_TOOL: &str = "batch_extract";
const MISSING: &str = "the answer has no entry for it";
const REPAIR: &str = "Your answer is recorded, except for these items. Answer in the same shape with these items alone: each whole, under its own \
                      ref, in an entry for its document. Refs of what is recorded can be used. Leave out what cannot be mended.";
/// Request for the rest of a document whose answer was cut.
const GO_ON: &str = "Your answer was cut at the longest that is allowed. Its whole items are kept. Go on with those that are missing, in the \
                     same shape and under new refs, in one entry for this document alone. Refs of what is kept can be used. Document ";
/// Maximum number of continuations of one document before it is halved.
const MAX_CONTINUATIONS: u32 = 4;
/// Brackets around an item of a document's entry, and around an entry.
const ITEM_DEPTH: usize = 4;
const ENTRY_DEPTH: usize = 2;
/// Maximum number of parts of one document.
const MAX_PARTS: u32 = 64;

#[derive(Debug, Clone)]
pub(super) struct ExtractionState {
    /// Outcome of research.
    ended: Outcome,
    waiting: VecDeque<Portion>,
    /// Documents of the current pack not recorded yet.
    open: Vec<DocumentId>,
    /// Part of one document, if the pack is one, and whether an earlier part was refused.
    part: Option<TextPart>,
    is_torn: bool,
    /// Whether an earlier part was read in view of the question only.
    is_in_view_only: bool,
    is_correction: bool,
    /// Entries of the first answer whose invalid items are being requested again.
    partial: BTreeMap<DocumentId, Value>,
    /// Entry of the document whose answer was cut, and how often.
    begun: Option<Value>,
    continuations: u32,
    /// The last answer, with what was kept before.
    given: Value,
    /// Documents that an answer omitted once.
    left_out: BTreeSet<DocumentId>,
    written: usize,
    refused: Vec<RefusedDocument>,
    /// Refused documents not yet reported.
    unnoted: Vec<RefusedDocument>,
    /// Answer waiting for the name verdicts.
    answer: Option<ToolRequest>,
    judging: Option<JudgeQuestion>,
    is_judged: bool,
    verdicts: Vec<NameVerdict>,
}

/// Open question to the judge, and the conversation to resume afterwards.
#[derive(Debug, Clone)]
struct JudgeQuestion {
    pairs: Vec<NamePair>,
    conversation: Conversation,
}

impl ExtractionState {
    pub fn new(ended: Outcome, waiting: VecDeque<Portion>) -> Self {
        Self {
            ended,
            waiting,
            open: vec![],
            part: None,
            is_torn: false,
            is_in_view_only: false,
            is_correction: false,
            partial: BTreeMap::new(),
            begun: None,
            continuations: 0,
            given: Value::Null,
            left_out: BTreeSet::new(),
            written: 0,
            refused: vec![],
            unnoted: vec![],
            answer: None,
            judging: None,
            is_judged: false,
            verdicts: vec![],
        }
    }

    pub const fn phase(&self) -> Phase {
        if self.judging.is_some() { Phase::Judge } else { Phase::Extract }
    }

    pub fn writable(&self) -> WriteScope<'_> {
        WriteScope {
            documents: &self.open,
            completes: self.completes(),
            is_last_try: self.is_correction,
            verdicts: &self.verdicts,
        }
    }

    fn completes(&self) -> bool {
        self.part.is_none_or(|part| part.is_last() && !self.is_torn)
    }

    pub fn next_pack(&mut self) -> Next {
        if !self.unnoted.is_empty() {
            return Next::NoteRefused(std::mem::take(&mut self.unnoted));
        }
        self.is_correction = false;
        self.is_judged = false;
        self.verdicts.clear();
        self.open.clear();
        self.partial.clear();
        self.begun = None;
        self.continuations = 0;
        let Some(portion) = self.waiting.pop_front() else { return Next::Done(self.outcome()) };
        self.part = portion.part;
        let goes_on = self.part.is_some_and(|part| part.number > 1);
        self.is_torn &= goes_on;
        self.is_in_view_only &= goes_on;
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
                let refused = first.map_or(String::new(), |_| format!(" {refused} could not be recorded whole."));
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
            self.verdicts.extend(pairs::verdicts(&asking.pairs, &reply.text));
            return self.go_on(conversation);
        }
        match (reply.stop, parse_json_answer::<Value>(&reply.text)) {
            (StopReason::MaxTokens, _) if self.partial.is_empty() => self.take_cut(conversation, counts, &reply.text),
            (StopReason::Refused, _) if self.partial.is_empty() => self.split("the model refused to read it"),
            (_, Some(answer)) if answer.is_object() => {
                let arguments = if self.partial.is_empty() { self.continued(answer) } else { self.repaired(&answer) };
                self.take_answer(counts, arguments)
            }
            _ if !self.partial.is_empty() => self.without_repair(counts),
            _ => self.unusable(conversation, counts, "the answer is not a JSON object of the shape asked for"),
        }
    }

    fn take_answer(&mut self, counts: &Counts, mut arguments: Value) -> Next {
        if self.part.is_some() {
            self.is_in_view_only = carry_view(&mut arguments, self.is_in_view_only);
        }
        self.given.clone_from(&arguments);
        self.answer = Some(extract_request(counts.turns, arguments.clone()));
        match counts.limits.judge_pairs > 0 && !self.is_judged {
            true => Next::FindPairs(arguments),
            false => self.write(),
        }
    }

    /// Keeps what is whole of a cut answer: whole documents are recorded, and one that was begun is continued. Without any, the pack is
    /// halved.
    fn take_cut(&mut self, conversation: &mut Conversation, counts: &Counts, text: &str) -> Next {
        let whole = if self.begun.is_some() { None } else { complete_part(text, ENTRY_DEPTH) };
        let of_pack = |entry: &Value| document_of(entry).filter(|id| self.open.contains(id));
        let recorded: Vec<DocumentId> = whole.iter().flat_map(entries).filter_map(of_pack).collect();
        if let Some(whole) = whole.filter(|_| !recorded.is_empty()) {
            self.leave_for_later(|id| !recorded.contains(id));
            return self.take_answer(counts, whole);
        }
        let begun = complete_part(text, ITEM_DEPTH).as_ref().and_then(|part| entries(part).last().cloned());
        match begun.and_then(|entry| Some((of_pack(&entry)?, entry))) {
            Some((id, entry)) if self.continuations < MAX_CONTINUATIONS => {
                self.continuations += 1;
                self.leave_for_later(|other| *other != id);
                match &mut self.begun {
                    Some(begun) => join(begun, entry),
                    None => self.begun = Some(entry),
                }
                conversation.say(&format!("{GO_ON}{id}"));
                Next::CallModel
            }
            _ => self.split("the answer was cut at the longest that is allowed"),
        }
    }

    /// Puts these documents of the pack off to the next one.
    fn leave_for_later(&mut self, is_left: impl Fn(&DocumentId) -> bool) {
        let (later, open): (Vec<_>, Vec<_>) = self.open.iter().copied().partition(is_left);
        self.open = open;
        if !later.is_empty() {
            self.waiting.push_front(Portion { documents: later, part: self.part });
        }
    }

    /// Returns an answer together with the entry that it continues.
    fn continued(&mut self, answer: Value) -> Value {
        let Some(mut begun) = self.begun.take() else { return answer };
        if let Some(more) = document_of(&begun).and_then(|id| entry_of(&answer, id)) {
            join(&mut begun, more.clone());
        }
        json!({ "documents": [begun] })
    }

    /// Merges the corrected and added items of the second answer into the entries of the first.
    fn repaired(&self, answer: &Value) -> Value {
        let mut documents: Vec<Value> = vec![];
        for (id, entry) in &self.partial {
            let mut entry = entry.clone();
            let mended = entries(answer).filter(|mended| document_of(mended) == Some(*id));
            mended.for_each(|mended| merge(&mut entry, mended));
            documents.push(entry);
        }
        json!({ "documents": documents })
    }

    /// Records the first answer without its invalid items, when no second answer came.
    fn without_repair(&mut self, counts: &Counts) -> Next {
        let answer = self.repaired(&Value::Null);
        self.answer = Some(extract_request(counts.turns, answer));
        self.write()
    }

    pub fn take_pairs(&mut self, conversation: &mut Conversation, pairs: NamePairs) -> Next {
        self.verdicts = pairs.settled;
        if pairs.open.is_empty() {
            return self.write();
        }
        self.is_judged = true;
        let extracting = std::mem::replace(conversation, Conversation::opened(pairs.text));
        self.judging = Some(JudgeQuestion { pairs: pairs.open, conversation: extracting });
        Next::CallModel
    }

    /// Resumes extraction with the verdicts there are.
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
        let Some(ToolOutcome { result, effect, .. }) = outcomes.into_iter().next() else { return self.next_pack() };
        let ToolEffect::Extracted { documents } = effect else {
            return self.unusable(conversation, counts, &result.content);
        };
        counts.malformed_in_a_row = 0;
        let wrong: Vec<ExtractedDocument> = self.open.iter().filter_map(|id| what_is_wrong(*id, &documents)).collect();
        let is_written = |id: &DocumentId| wrong.iter().all(|wrong| wrong.document_id != *id || wrong.recorded);
        let written = self.open.iter().filter(|id| is_written(id)).count();
        match (wrong.is_empty(), self.is_correction) {
            (true, _) => {
                self.count_written(written);
                self.next_pack()
            }
            (false, true) => {
                self.count_written(written);
                self.refuse(wrong.iter().map(refused).collect())
            }
            (false, false) => {
                self.count_written(self.open.len() - wrong.len());
                self.ask_for_the_rest(conversation, counts, wrong)
            }
        }
    }

    fn count_written(&mut self, documents: usize) {
        self.written += if self.completes() { documents } else { 0 };
    }

    /// Requests the items that were not recorded once more.
    fn ask_for_the_rest(&mut self, conversation: &mut Conversation, counts: &Counts, wrong: Vec<ExtractedDocument>) -> Next {
        let (missing, partial): (Vec<_>, Vec<_>) = wrong.into_iter().partition(|wrong| wrong.note.is_empty());
        // A document the answer omitted is read again later, alone.
        let (again, refused): (Vec<_>, Vec<_>) = missing.iter().partition(|missing| self.left_out.insert(missing.document_id));
        if !again.is_empty() {
            let documents = again.iter().map(|missing| missing.document_id).collect();
            self.waiting.push_front(Portion { documents, part: self.part });
        }
        let refused: Vec<RefusedDocument> = refused.into_iter().map(self::refused).collect();
        self.open = partial.iter().map(|wrong| wrong.document_id).collect();
        if partial.is_empty() {
            return self.refuse(refused);
        }
        self.refused.extend(refused.iter().cloned());
        self.unnoted.extend(refused);
        let entries_of =
            |wrong: &ExtractedDocument| Some((wrong.document_id, entry_of(&self.given, wrong.document_id)?.clone()));
        self.partial = partial.iter().filter_map(entries_of).collect();
        self.is_correction = true;
        if self.partial.len() < partial.len() {
            return self.without_repair(counts);
        }
        let notes: Vec<String> =
            partial.iter().map(|wrong| format!("Document {}\n{}", wrong.document_id, wrong.note)).collect();
        *conversation = Conversation::opened(format!("{REPAIR}\n\n{}", notes.join("\n\n")).into());
        Next::CallModel
    }

    /// Handles an unusable answer: reported once, and too many in a row end the session.
    pub fn unusable(&mut self, conversation: &mut Conversation, counts: &mut Counts, why: &str) -> Next {
        if !self.partial.is_empty() {
            return self.without_repair(counts);
        }
        // The rest of a document that was begun is missing, so it is read again in smaller parts.
        if self.begun.is_some() {
            return self.split(why);
        }
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
        conversation.say(&format!("Nothing was recorded: {wrong}\nAnswer again in the same shape, each document whole."));
        Next::CallModel
    }

    /// Handles a request too long for every model.
    pub fn too_long(&mut self, counts: &Counts) -> Next {
        match self.partial.is_empty() {
            true => self.split("it is too long for the model"),
            false => self.without_repair(counts),
        }
    }

    /// Halves the pack, or a single document; finally fails the document.
    fn split(&mut self, why: &str) -> Next {
        let documents = std::mem::take(&mut self.open);
        let (first, second) = match (&documents[..], self.part.unwrap_or(TextPart { number: 1, of: 1 })) {
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
        let refused =
            self.open.iter().map(|id| RefusedDocument { document_id: *id, reason: reason.to_owned(), in_part: false });
        self.refuse(refused.collect())
    }

    fn refuse(&mut self, mut refused: Vec<RefusedDocument>) -> Next {
        if let Some(TextPart { number, of }) = self.part {
            self.is_torn = true;
            refused.iter_mut().for_each(|refused| refused.reason = format!("part {number} of {of}: {}", refused.reason));
        }
        self.refused.extend(refused.iter().cloned());
        self.unnoted.extend(refused);
        self.next_pack()
    }
}

fn extract_request(turn: u32, arguments: Value) -> ToolRequest {
    ToolRequest { id: format!("extract-{turn}"), name: EXTRACT_TOOL.into(), arguments }
}

/// Returns the refusal of a document of the pack; none when it was recorded completely.
fn what_is_wrong(id: DocumentId, extracted: &[ExtractedDocument]) -> Option<ExtractedDocument> {
    let mut entries = extracted.iter().filter(|document| document.document_id == id).peekable();
    if entries.peek().is_none() {
        let errors = vec![ItemError { item: String::new(), error: MISSING.to_owned() }];
        return Some(ExtractedDocument { document_id: id, recorded: false, errors, note: String::new() });
    }
    entries.find(|entry| !entry.errors.is_empty()).cloned()
}

fn refused(wrong: &ExtractedDocument) -> RefusedDocument {
    RefusedDocument { document_id: wrong.document_id, reason: in_words(&wrong.errors), in_part: wrong.recorded }
}

/// Describes the items that are left out for people: how many of each kind and why, without the advice to the model after the colon.
fn in_words(errors: &[ItemError]) -> String {
    let mut groups: Vec<(&str, &str, usize)> = vec![];
    for ItemError { item, error } in errors {
        let kind = item.split([' ', '[']).next().unwrap_or_default().trim_end_matches('s');
        let (kind, why) =
            (if kind.ends_with("entitie") { "entity" } else { kind }, error.split(": ").next().unwrap_or_default());
        match groups.iter_mut().find(|group| (group.0, group.1) == (kind, why)) {
            Some(group) => group.2 += 1,
            None => groups.push((kind, why, 1)),
        }
    }
    let words = groups.into_iter().map(|(kind, why, count)| match (kind, count) {
        ("", _) | ("document", _) => why.to_owned(),
        ("entity", 2..) => format!("{count} entities ({why})"),
        (kind, 1) => format!("1 {kind} ({why})"),
        (kind, _) => format!("{count} {kind}s ({why})"),
    });
    words.collect::<Vec<_>>().join("; ")
}
