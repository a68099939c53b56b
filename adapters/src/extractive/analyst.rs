//! The provider as Analyst: orders the library read, searches what came of it, reads closely, and writes the assessment.

mod evidence;
mod report;

use super::{
    Settings, Turn,
    answer::{self, Question},
    call,
    conversation::{Conversation, Exchange},
    stand_in,
};
use domain::{DocumentId, EntityId};
use evidence::overview;
use protocol::tools::{
    AssessmentProduced, CreateWorkOrder, InvestigationHistory, NoArguments, SearchAssessments, SearchClaims, SortBy,
    SourceList, TraverseRelationships,
};
use serde_json::Value;

const HISTORY: &str = "get_investigation_history";
const SOURCES: &str = "list_fetch_sources";
const ASSESSMENTS: &str = "search_assessments";
const SEARCH: &str = "search_claims";
const TRAVERSE: &str = "traverse_relationships";
const ORDER: &str = "create_work_order";
const PRODUCE: &str = "produce_assessment";
/// How an order to ask sources begins.
const ASK_SOURCES: &str = "Search the sources for pages on:";

/// What it does after what has been said so far, with the tools that are `offered`.
pub(super) fn turn(settings: &Settings, conversation: &Conversation<'_>, offered: &dyn Fn(&str) -> bool) -> Turn {
    let question = conversation.field("Question").unwrap_or(conversation.opening);
    let asked = || answer::analyse_question(question, &settings.answers);
    let Some(last) = conversation.rounds.last() else {
        return match offered(SEARCH) {
            true => look_around(question),
            // What there is to go by stands in the task.
            false => Turn::call(PRODUCE, &report::assessment(settings, conversation, &asked())),
        };
    };
    let asked = asked();
    match last.first().map_or("", |exchange| exchange.request.name.as_str()) {
        ORDER => Turn::Say("Collection is ordered.".into()),
        PRODUCE => send_again(conversation).unwrap_or_else(|| Turn::Say(end(last))),
        HISTORY => match order(settings, conversation, &asked, offered(ORDER)) {
            Some(orders) => orders,
            None => search(settings, &asked),
        },
        _ => match read_on(settings, conversation) {
            Some(reading) => reading,
            None => Turn::call(PRODUCE, &report::assessment(settings, conversation, &asked)),
        },
    }
}

/// First it looks what was done, what can be read, and what was said of this before.
fn look_around(question: &str) -> Turn {
    let earlier = SearchAssessments { query: question.chars().take(500).collect(), limit: Some(10) };
    Turn::Call(vec![call(HISTORY, &NoArguments {}), call(SOURCES, &NoArguments {}), call(ASSESSMENTS, &earlier)])
}

/// Orders the library read in parts, unless this investigation has done so and nothing is left unread.
fn order(settings: &Settings, conversation: &Conversation<'_>, asked: &Question, may_order: bool) -> Option<Turn> {
    let history: InvestigationHistory = conversation.with(HISTORY).last()?.json()?;
    let sources: SourceList = conversation.with(SOURCES).last()?.json()?;
    let documents = sources.sources.iter().find(|source| source.id == "documents")?;
    let (items, unread) = (documents.items.unwrap_or(0), documents.items_not_extracted.unwrap_or(0));
    let failed_before = history.cycles.len() > 1;
    if !may_order || failed_before || (!history.cycles.is_empty() && unread == 0) {
        return None;
    }
    let limits = &settings.report;
    let is_first = history.cycles.is_empty();
    let source_order = is_first.then(|| ask_sources(&sources, asked, limits.source_words)).flatten();
    let about: Vec<&str> = asked.terms.iter().map(|term| term.text.as_str()).take(8).collect();
    let again = if is_first { "" } else { " that could not be read before" };
    let as_of = documents.as_of.map(|as_of| format!("as_of={as_of} ")).unwrap_or_default();
    let part = limits.documents_per_order.max(items.div_ceil(limits.orders.max(1))).max(1);
    // Where there is nothing to read, one order looks; sources look better.
    let least = u64::from(source_order.is_none());
    let orders = (0..items.div_ceil(part).max(least)).map(|n| {
        let (first, last) = (n * part, ((n + 1) * part).min(items));
        let objective = match items {
            0 => format!("Search the document library for anything on: {}.", about.join(", ")),
            _ => format!("Read documents {} to {last} of the library{again} and record what they state.", first + 1),
        };
        let source_guidance = vec![format!("documents {as_of}offset={first} limit={part}")];
        CreateWorkOrder { objective, source_guidance, ..CreateWorkOrder::default() }
    });
    Some(Turn::Call(orders.chain(source_order).map(|order| call(ORDER, &order)).collect()))
}

/// One order for all the sources besides the library; none, where there is none or nothing to ask for.
fn ask_sources(sources: &SourceList, asked: &Question, words: usize) -> Option<CreateWorkOrder> {
    let about: Vec<&str> = asked.terms.iter().map(|term| term.text.as_str()).take(words).collect();
    let others = sources.sources.iter().filter(|source| source.id != "documents");
    let source_guidance: Vec<String> = others.map(|source| format!("source {}: {}", source.id, about.join(" "))).collect();
    (!source_guidance.is_empty() && !about.is_empty()).then(|| CreateWorkOrder {
        objective: format!("{ASK_SOURCES} {}.", about.join(", ")),
        source_guidance,
        ..CreateWorkOrder::default()
    })
}

fn search(settings: &Settings, asked: &Question) -> Turn {
    let limits = &settings.report;
    let mut queries = vec![asked.text.clone()];
    queries.extend(asked.queries.iter().cloned());
    queries.dedup();
    let searches = queries.into_iter().take(limits.searches).map(|query| {
        let query: String = query.chars().take(1_000).collect();
        let search: SearchClaims =
            SearchClaims { query: Some(query), limit: Some(limits.claims_per_search), ..SearchClaims::default() };
        call(SEARCH, &search)
    });
    Turn::Call(searches.collect())
}

/// Reads the documents of the best origins whole, page by page, then looks who stands behind their outlets.
fn read_on(settings: &Settings, conversation: &Conversation<'_>) -> Option<Turn> {
    let limits = &settings.report;
    let last = conversation.rounds.last()?;
    let readings = conversation.rounds.iter().filter(|round| round.iter().any(is_reading)).count();
    if readings == 0 {
        let documents = overview::documents_to_read(conversation, limits.origins_read_closely);
        let documents: Vec<DocumentId> =
            documents.iter().filter_map(|reference| stand_in::id(reference)).map(DocumentId).collect();
        let calls: Vec<_> = documents.chunks(limits.documents_per_search.max(1)).map(|ids| read(ids.to_vec(), 0)).collect();
        return (!calls.is_empty()).then_some(Turn::Call(calls));
    }
    if readings < limits.pages && last.iter().any(is_reading) {
        let pages: Vec<_> = last.iter().filter_map(next_page).collect();
        if !pages.is_empty() {
            return Some(Turn::Call(pages));
        }
    }
    if conversation.with(TRAVERSE).next().is_some() {
        return None;
    }
    let outlets = overview::outlets(conversation, limits.outlets).into_iter().filter_map(|outlet| stand_in::id(&outlet));
    let calls: Vec<_> = outlets
        .map(|outlet| {
            let traverse = TraverseRelationships {
                entity_id: EntityId(outlet),
                direction: Default::default(),
                description_query: None,
                min_weight: None,
                limit: None,
            };
            call(TRAVERSE, &traverse)
        })
        .collect();
    (!calls.is_empty()).then_some(Turn::Call(calls))
}

fn is_reading(exchange: &Exchange<'_>) -> bool {
    exchange.request.name == SEARCH && exchange.request.arguments.get("document_ids").is_some()
}

fn read(document_ids: Vec<DocumentId>, offset: u32) -> (&'static str, Value) {
    let search: SearchClaims =
        SearchClaims { document_ids, sort_by: SortBy::DocumentOrder, limit: Some(500), offset, ..SearchClaims::default() };
    call(SEARCH, &search)
}

fn next_page(exchange: &Exchange<'_>) -> Option<(&'static str, Value)> {
    let mut arguments = exchange.request.arguments.clone();
    arguments["offset"] = overview::next_offset(exchange)?.into();
    Some((SEARCH, arguments))
}

/// Fixed rules have nothing to mend: what came back once goes out again as it was, so that it is stored with what checks found.
fn send_again(conversation: &Conversation<'_>) -> Option<Turn> {
    let mut sent = conversation.with(PRODUCE);
    let (first, second) = (sent.next()?, sent.next());
    let is_open = second.is_none() && first.json::<AssessmentProduced>().is_none();
    is_open.then(|| Turn::call(PRODUCE, &first.request.arguments))
}

/// The assessment ends the session by itself; this is said only where it was refused.
fn end(last: &[Exchange<'_>]) -> String {
    match last.first() {
        Some(exchange) if exchange.json::<AssessmentProduced>().is_some() => "The assessment is written.".into(),
        Some(exchange) => format!("The assessment was refused: {}", exchange.result.content),
        None => "There was nothing to do.".into(),
    }
}
