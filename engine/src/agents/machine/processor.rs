//! Plan and research phases of a Processor.
//!
//! Plan: an answer that chooses the queries before any outside text is seen; the machine runs them. Research: a conversation
//! about the results with read-only tools.
//!
//! A plan that cannot be read is requested once more. Then the program reads the library itself, so that no order ends without a
//! look at it.
//!
//! A phase without a decision is skipped. An order that names parts of the library is its own plan. When all listed documents
//! will be read, research is skipped.
//!
//! Invariant: no tool of these phases writes to the graph, so outside text never meets a writing tool.

use super::{
    conversation::Conversation,
    counts::{Counts, MachineLimits, REFUSED},
    io::{FoundDocument, Next, Outcome, Phase, ToolEffect, ToolOutcome},
};
use crate::agents::parts::{self, DOCUMENTS};
use domain::DocumentId;
use protocol::{
    model::{Message, ModelReply, StopReason, ToolRequest},
    pack::Portion,
    tools::{FetchSourceQuery, ResearchPlan, SourceList, SourceQuery, SourceStatus, parse_json_answer},
};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

const CATALOG: &str = "fetch_source_catalog";
const QUERY: &str = "fetch_source_query";
/// Line of the objective in the opening.
const ORDER: &str = "Work order: ";
/// Minimum length of a word that is searched for, in characters.
const WORD_CHARS: usize = 5;
const UNREADABLE: &str = "it is not a JSON object with `plan` and `queries`";
const PLAN_AGAIN: &str = "Answer with one JSON object alone, which has `plan` (a text) and `queries` (a list).";

#[derive(Debug, Clone, Default)]
pub(super) struct ProcessorState {
    stage: Stage,
    /// First message of research: the order, the sources, the plan and its results.
    briefing: String,
    /// The order itself names parts of the library and nothing else.
    is_named: bool,
    /// Number of documents of the library; none where it is empty, or where the order is about other sources.
    library: Option<u64>,
    /// Reason of the last plan that could not be used.
    bad_plan: Option<String>,
    /// The program's own plan was used.
    is_plain: bool,
    /// A source answered.
    has_searched: bool,
    found: Vec<FoundDocument>,
    known: BTreeSet<DocumentId>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Sources,
    Plan,
    /// Running the planned queries.
    Planned,
    Research,
}

impl ProcessorState {
    pub const fn phase(&self) -> Phase {
        match self.stage {
            Stage::Sources | Stage::Plan | Stage::Planned => Phase::Plan,
            Stage::Research => Phase::Research,
        }
    }

    /// Requests the list of sources, which a plan needs.
    pub fn open(&mut self, text: Arc<str>) -> Next {
        self.briefing = text.to_string();
        Next::CallTools(vec![ToolRequest { id: "sources".into(), name: CATALOG.into(), arguments: serde_json::json!({}) }])
    }

    pub fn take_reply(&mut self, conversation: &mut Conversation, counts: &mut Counts, reply: ModelReply) -> Next {
        match self.stage {
            Stage::Plan => self.take_plan(conversation, counts, &reply),
            _ if reply.tool_calls.is_empty() => match reply.stop {
                StopReason::Refused => Next::Done(Outcome::Failed { why: REFUSED.into() }),
                // Nothing was looked at: the program looks itself.
                _ if !self.has_searched && !self.is_plain && self.library.is_some() => {
                    self.use_plain_plan(conversation, counts, "no source was asked")
                }
                _ => Next::Done(Outcome::Finished { text: reply.text }),
            },
            _ => match counts.spend_calls(&reply.tool_calls) {
                Ok(()) => Next::CallTools(reply.tool_calls),
                Err(why) => Next::Done(Outcome::Failed { why }),
            },
        }
    }

    pub fn take_results(
        &mut self,
        conversation: &mut Conversation,
        counts: &mut Counts,
        asked: &[ToolRequest],
        outcomes: Vec<ToolOutcome>,
    ) -> Next {
        outcomes.iter().for_each(|outcome| self.note(&outcome.effect));
        match self.stage {
            Stage::Sources => {
                self.stage = Stage::Plan;
                self.library = library_items(&outcomes).filter(|_| self.may_read_library());
                self.note_named_documents(&counts.limits);
                let queries = self.named_queries(&counts.limits, &outcomes);
                outcomes.iter().for_each(|outcome| self.brief("Sources", &outcome.result.content));
                self.is_named |= !queries.is_empty();
                if self.is_named {
                    return self.ask(conversation, counts, queries);
                }
                *conversation = Conversation::opened(self.briefing.as_str().into());
                Next::CallModel
            }
            Stage::Planned => self.take_planned(conversation, counts, asked, &outcomes),
            Stage::Plan | Stage::Research => {
                let judged = counts.judge(&outcomes);
                let answered =
                    |(asked, outcome): (&ToolRequest, &ToolOutcome)| asked.name != CATALOG && !outcome.result.is_error;
                self.has_searched |= asked.iter().zip(&outcomes).any(answered);
                conversation.push(Message::Tools { results: outcomes.into_iter().map(|outcome| outcome.result).collect() });
                match judged {
                    Ok(()) => Next::CallModel,
                    Err(why) => Next::Done(Outcome::Failed { why }),
                }
            }
        }
    }

    /// Notes the documents that the order names. One whose size the catalogue did not give is a pack of its own.
    fn note_named_documents(&mut self, limits: &MachineLimits) {
        let guidance = parts::guidance(&self.briefing);
        let named: Vec<DocumentId> = guidance.iter().filter_map(|line| parts::read_documents(line)).flatten().collect();
        self.is_named =
            !named.is_empty() && !self.briefing.contains("://") && guidance.iter().all(|line| parts::is_exact(line));
        let found = named.into_iter().map(|document_id| FoundDocument { document_id, text_bytes: limits.batch_chars });
        let effect = ToolEffect::Found { documents: found.collect(), next_offset: None, as_of: None };
        self.note(&effect);
    }

    /// Returns the queries named by the order: parts of the library, or the whole library when it fits one pack and is the only
    /// source. Empty when a model has to plan.
    fn named_queries(&self, limits: &MachineLimits, outcomes: &[ToolOutcome]) -> Vec<ToolRequest> {
        if self.briefing.contains("://") {
            return vec![];
        }
        let guidance = parts::guidance(&self.briefing).into_iter().filter(|line| parts::read_documents(line).is_none());
        let parts = match guidance.collect::<Vec<_>>() {
            guidance if guidance.is_empty() && self.is_named => return vec![],
            guidance if guidance.iter().all(|line| *line == DOCUMENTS) => None,
            guidance => Some(guidance.into_iter().map(parts::parse_guidance).collect::<Option<Vec<_>>>()),
        };
        let all = || is_one_pack(limits, outcomes).then(|| vec![SourceQuery::default()]);
        let queries = match parts {
            Some(parts) => parts,
            None => all(),
        };
        let asked = queries.into_iter().flatten().take(limits.max_planned_queries as usize).enumerate();
        asked.map(|(n, part)| library_request(n, part)).collect()
    }

    /// Returns whether the order leaves it open to read the library: it names no address and no other source.
    fn may_read_library(&self) -> bool {
        let names_source = |guidance: &&str| guidance.starts_with("source ");
        !self.briefing.contains("://") && !parts::guidance(&self.briefing).iter().any(names_source)
    }

    fn take_plan(&mut self, conversation: &mut Conversation, counts: &mut Counts, reply: &ModelReply) -> Next {
        let Some(plan) = parse_json_answer::<ResearchPlan>(&reply.text) else {
            let why = if reply.stop == StopReason::Refused { REFUSED } else { UNREADABLE };
            return self.take_unreadable_plan(conversation, counts, why);
        };
        if !plan.plan.trim().is_empty() {
            self.brief("Plan", plan.plan.trim());
        }
        let queries = plan.queries.iter().take(counts.limits.max_planned_queries as usize);
        let queries: Vec<ToolRequest> = queries.enumerate().map(|(n, query)| request(&format!("plan-{n}"), query)).collect();
        self.ask(conversation, counts, queries)
    }

    /// Requests an unreadable plan once more; then the program's own is used.
    pub fn take_unreadable_plan(&mut self, conversation: &mut Conversation, counts: &mut Counts, why: &str) -> Next {
        if self.bad_plan.is_some() {
            return self.use_plain_plan(conversation, counts, why);
        }
        self.bad_plan = Some(why.to_owned());
        conversation.say(&format!("Your plan could not be used: {why}. {PLAN_AGAIN}"));
        Next::CallModel
    }

    /// Reads the documents of the library instead of carrying out a plan: all of a small one, else those with words of the order.
    pub fn use_plain_plan(&mut self, conversation: &mut Conversation, counts: &mut Counts, why: &str) -> Next {
        self.bad_plan = Some(why.to_owned());
        self.is_plain = true;
        let Some(items) = self.library else { return self.research(conversation) };
        self.brief("Plan", "Read the documents of the library.");
        let small = u64::from(counts.limits.batch_documents) * u64::from(counts.limits.max_planned_queries);
        let queries: Vec<SourceQuery> = if items <= small {
            vec![SourceQuery::default()]
        } else {
            let objective = self.briefing.lines().find_map(|line| line.strip_prefix(ORDER)).unwrap_or_default();
            let words = domain::text::words(objective).filter(|word| word.chars().count() >= WORD_CHARS);
            let words = words.take(counts.limits.max_planned_queries as usize);
            words.map(|word| SourceQuery { query: Some(word.to_owned()), ..SourceQuery::default() }).collect()
        };
        let queries = queries.into_iter().enumerate().map(|(n, part)| library_request(n, part)).collect();
        self.ask(conversation, counts, queries)
    }

    /// Returns the outcome of plan and research: nothing found means nothing if no source answered.
    pub fn outcome(&self, ended: &Outcome) -> Outcome {
        match (&self.bad_plan, ended) {
            (Some(why), Outcome::Finished { .. }) if !self.has_searched => {
                Outcome::Failed { why: format!("the plan could not be used: {why}; and no source was asked") }
            }
            _ => ended.clone(),
        }
    }

    /// Notes the results of the planned queries and requests further pages.
    fn take_planned(
        &mut self,
        conversation: &mut Conversation,
        counts: &mut Counts,
        asked: &[ToolRequest],
        outcomes: &[ToolOutcome],
    ) -> Next {
        let mut more = vec![];
        self.is_named &= outcomes.iter().all(|outcome| !outcome.result.is_error);
        for (request, outcome) in asked.iter().zip(outcomes) {
            self.has_searched |= !outcome.result.is_error;
            self.brief(&format!("{QUERY} {}", request.arguments), &outcome.result.content);
            more.extend(next_page(request, &outcome.effect));
        }
        self.ask(conversation, counts, more)
    }

    fn ask(&mut self, conversation: &mut Conversation, counts: &mut Counts, queries: Vec<ToolRequest>) -> Next {
        if queries.is_empty() || counts.spend_calls(&queries).is_err() {
            return self.research(conversation);
        }
        self.stage = Stage::Planned;
        Next::CallTools(queries)
    }

    /// Starts research, with or without results of the plan.
    pub fn research(&mut self, conversation: &mut Conversation) -> Next {
        if self.is_named {
            return Next::Done(Outcome::Finished { text: "Read what the order names.".into() });
        }
        self.stage = Stage::Research;
        *conversation = Conversation::opened(self.briefing.as_str().into());
        Next::CallModel
    }

    fn brief(&mut self, heading: &str, content: &str) {
        self.briefing += &format!("\n\n{heading}:\n{content}");
    }

    fn note(&mut self, effect: &ToolEffect) {
        if let ToolEffect::Found { documents, .. } = effect {
            self.found.extend(documents.iter().filter(|document| self.known.insert(document.document_id)));
        }
    }

    /// Returns the found documents in packs with at least one document each: in their order, or by size where that takes fewer.
    pub fn packs(&self, limits: &MachineLimits) -> VecDeque<Portion> {
        let (in_order, by_size) = (self.packed_in_order(limits), self.packed_by_size(limits));
        let packs = if by_size.len() < in_order.len() { by_size } else { in_order };
        let portion =
            |pack: Vec<usize>| Portion { documents: pack.into_iter().map(|n| self.found[n].document_id).collect(), part: None };
        packs.into_iter().map(portion).collect()
    }

    /// Returns packs of places in `found`, each filled until the next document does not fit.
    fn packed_in_order(&self, limits: &MachineLimits) -> Vec<Vec<usize>> {
        let mut packs: Vec<Vec<usize>> = vec![];
        let mut used = 0;
        for (n, document) in self.found.iter().enumerate() {
            used += document.text_bytes;
            match packs.last_mut() {
                Some(pack) if used <= limits.batch_chars && pack.len() < limits.batch_documents as usize => pack.push(n),
                _ => {
                    packs.push(vec![n]);
                    used = document.text_bytes;
                }
            }
        }
        packs
    }

    /// Returns packs of places in `found`: the largest document first, each into the first pack with room. Packs and the documents
    /// in each keep their order.
    fn packed_by_size(&self, limits: &MachineLimits) -> Vec<Vec<usize>> {
        let mut places: Vec<usize> = (0..self.found.len()).collect();
        places.sort_by_key(|n| Reverse(self.found[*n].text_bytes));
        let mut packs: Vec<(u64, Vec<usize>)> = vec![];
        for n in places {
            let size = self.found[n].text_bytes;
            let has_room =
                |used: u64, documents: usize| used + size <= limits.batch_chars && documents < limits.batch_documents as usize;
            match packs.iter_mut().find(|pack| has_room(pack.0, pack.1.len())) {
                Some((used, pack)) => {
                    *used += size;
                    pack.push(n);
                }
                None => packs.push((size, vec![n])),
            }
        }
        let mut packs: Vec<Vec<usize>> = packs.into_iter().map(|(_, pack)| pack).collect();
        packs.iter_mut().for_each(|pack| pack.sort_unstable());
        packs.sort_unstable();
        packs
    }
}

/// Returns whether the library is the only source and fits one pack.
fn is_one_pack(limits: &MachineLimits, outcomes: &[ToolOutcome]) -> bool {
    let [only] = &listed_sources(outcomes)[..] else { return false };
    only.id == DOCUMENTS && only.items.is_some_and(|items| items > 0 && items <= u64::from(limits.batch_documents))
}

/// Returns the number of documents of the library, if it holds any.
fn library_items(outcomes: &[ToolOutcome]) -> Option<u64> {
    listed_sources(outcomes).into_iter().find(|source| source.id == DOCUMENTS)?.items.filter(|items| *items > 0)
}

fn listed_sources(outcomes: &[ToolOutcome]) -> Vec<SourceStatus> {
    let listed = outcomes.first().and_then(|outcome| parse_json_answer::<SourceList>(&outcome.result.content));
    listed.map(|listed| listed.sources).unwrap_or_default()
}

fn library_request(n: usize, query_params: SourceQuery) -> ToolRequest {
    request(&format!("plan-{n}"), &FetchSourceQuery { source_id: DOCUMENTS.into(), query_params })
}

fn request(id: &str, query: &FetchSourceQuery) -> ToolRequest {
    ToolRequest { id: id.into(), name: QUERY.into(), arguments: serde_json::to_value(query).unwrap_or_default() }
}

/// Returns the query for the next page.
fn next_page(request: &ToolRequest, effect: &ToolEffect) -> Option<ToolRequest> {
    let ToolEffect::Found { next_offset: Some(offset), as_of, .. } = effect else { return None };
    let mut query: FetchSourceQuery = serde_json::from_value(request.arguments.clone()).ok()?;
    let gone = offset.checked_sub(query.query_params.offset).filter(|gone| *gone > 0)?;
    query.query_params.as_of = query.query_params.as_of.or(*as_of);
    query.query_params.offset = *offset;
    if let Some(limit) = query.query_params.limit {
        query.query_params.limit = Some(limit.checked_sub(u32::try_from(gone).ok()?).filter(|left| *left > 0)?);
    }
    Some(self::request(&request.id, &query))
}
