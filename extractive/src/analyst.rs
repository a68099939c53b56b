//! The provider as Analyst: orders the library read, searches what came of it, reads the best documents whole, and writes the brief.

use crate::{
    Turn,
    brief::{self, Brief},
    call,
    conversation::{Conversation, Exchange},
    evidence::{self, Evidence},
    question::Question,
    rules::Rules,
    select::{Candidate, Ranking},
    text::fold,
    words::find_phrase,
};
use protocol::tools::{
    AssessmentProduced, ClaimRef, ClaimsFound, CreateWorkOrder, InvestigationHistory, Likeness, MeasureLikeness, NoArguments,
    ProduceEvidenceBrief, SearchClaims, SortBy, SourceList,
};
use serde_json::Value;

const HISTORY: &str = "get_investigation_history";
const SOURCES: &str = "list_fetch_sources";
pub const SEARCH: &str = "search_claims";
const LIKENESS: &str = "measure_likeness";
const ORDER: &str = "create_work_order";
const PRODUCE: &str = "produce_evidence_brief";
/// Beginning of an order to ask sources.
const ASK_SOURCES: &str = "Search the sources for pages on:";
/// Rounds in which it looks at what was done before.
const FIRST_ROUNDS: usize = 3;
/// Claims of one page of a document that is read whole.
const PAGE_CLAIMS: u32 = 500;

/// The next step after the conversation so far, with the tools that are `offered`.
pub(super) fn turn(rules: &Rules, conversation: &Conversation<'_>, offered: &dyn Fn(&str) -> bool) -> Turn {
    let text = conversation.field("Question").unwrap_or(conversation.opening);
    let question = Question::read(text, &rules.lexicon, &rules.words);
    // A first call may have failed: it is made again, within reason.
    let has_looked = conversation.with(HISTORY).any(|exchange| exchange.json::<InvestigationHistory>().is_some());
    if !has_looked && offered(SEARCH) && conversation.rounds.len() < FIRST_ROUNDS {
        return Turn::Call(vec![call(HISTORY, &NoArguments {}), call(SOURCES, &NoArguments {})]);
    }
    // Without a search the evidence stands in the task.
    let Some(last) = conversation.rounds.last() else { return write(rules, conversation, &question) };
    match last.first().map_or("", |exchange| exchange.request.name.as_str()) {
        ORDER => Turn::Say("Collection is ordered.".into()),
        PRODUCE => Turn::Say(end(last)),
        HISTORY => order(rules, conversation, &question, offered(ORDER)).unwrap_or_else(|| search(rules, &question)),
        LIKENESS => write(rules, conversation, &question),
        _ => match read_on(rules, conversation) {
            Some(reading) => reading,
            None if offered(LIKENESS) => measure(rules, conversation, &question),
            None => write(rules, conversation, &question),
        },
    }
}

/// Orders the library read in parts, unless this investigation has done so and nothing is left unread.
fn order(rules: &Rules, conversation: &Conversation<'_>, question: &Question, may_order: bool) -> Option<Turn> {
    let history: InvestigationHistory = conversation.with(HISTORY).last()?.json()?;
    let sources: SourceList = conversation.with(SOURCES).last()?.json()?;
    let documents = sources.sources.iter().find(|source| source.id == "documents")?;
    let (items, unread) = (documents.items.unwrap_or(0), documents.items_not_extracted.unwrap_or(0));
    let failed_before = history.cycles.len() > 1;
    if !may_order || failed_before || (!history.cycles.is_empty() && unread == 0) {
        return None;
    }
    let limits = &rules.limits.collection;
    let is_first = history.cycles.is_empty();
    let source_order = is_first.then(|| ask_sources(&sources, question, limits.source_words)).flatten();
    let about: Vec<&str> = question.terms.iter().map(|term| term.text.as_str()).take(8).collect();
    let again = if is_first { "" } else { " that could not be read before" };
    let as_of = documents.as_of.map(|as_of| format!("as_of={as_of} ")).unwrap_or_default();
    let part = limits.documents_per_order.max(items.div_ceil(limits.work_orders.max(1))).max(1);
    // Where there is nothing to read, one order looks; sources look better.
    let least = u64::from(source_order.is_none());
    let parts = items.div_ceil(part).max(least);
    let new = if unread == 1 { "1 document".to_owned() } else { format!("{unread} documents") };
    let orders = (0..parts).map(|n| {
        let (first, last) = (n * part, ((n + 1) * part).min(items));
        let objective = match items {
            0 => format!("Search the document library for anything on: {}.", about.join(", ")),
            _ if unread == 0 => "Look for documents of the library that were not read yet.".to_owned(),
            _ if parts == 1 => format!("Read {new} of the library{again} and record what is stated."),
            _ => format!(
                "Read what is new among documents {} to {last} of the library ({unread} new in all){again} and record what is stated.",
                first + 1
            ),
        };
        let source_guidance = vec![format!("documents {as_of}offset={first} limit={part}")];
        CreateWorkOrder { objective, source_guidance, ..CreateWorkOrder::default() }
    });
    Some(Turn::Call(orders.chain(source_order).map(|order| call(ORDER, &order)).collect()))
}

/// One order for all the sources besides the library; none without such a source or query.
fn ask_sources(sources: &SourceList, question: &Question, words: usize) -> Option<CreateWorkOrder> {
    let about: Vec<&str> = question.terms.iter().map(|term| term.text.as_str()).take(words).collect();
    let others = sources.sources.iter().filter(|source| source.id != "documents");
    let source_guidance: Vec<String> = others.map(|source| format!("source {}: {}", source.id, about.join(" "))).collect();
    (!source_guidance.is_empty() && !about.is_empty()).then(|| CreateWorkOrder {
        objective: format!("{ASK_SOURCES} {}.", about.join(", ")),
        source_guidance,
        ..CreateWorkOrder::default()
    })
}

/// Searches with the question, with its content words, and with its names.
fn search(rules: &Rules, question: &Question) -> Turn {
    let terms = |is_wanted: &dyn Fn(bool) -> bool| {
        let wanted = question.terms.iter().filter(|term| is_wanted(term.is_name));
        wanted.map(|term| term.text.as_str()).collect::<Vec<_>>().join(" ")
    };
    let mut queries = vec![question.text.chars().take(1_000).collect(), terms(&|_| true), terms(&|is_name| is_name)];
    queries.retain(|query: &String| !query.trim().is_empty());
    queries.dedup();
    let limit = Some(rules.limits.reading.claims_per_search);
    let search = |query| SearchClaims::<String, String> { query: Some(query), limit, ..SearchClaims::default() };
    let searches = queries.into_iter().take(rules.limits.reading.searches);
    Turn::Call(searches.map(|query| call(SEARCH, &search(query))).collect())
}

/// Reads the documents of the best origins whole, page by page.
fn read_on(rules: &Rules, conversation: &Conversation<'_>) -> Option<Turn> {
    let limits = &rules.limits.reading;
    let last = conversation.rounds.last()?;
    let readings = conversation.rounds.iter().filter(|round| round.iter().any(is_reading)).count();
    if readings == 0 {
        let documents = evidence::documents_to_read(conversation, limits.origins_read);
        let read = |ids: &[String]| SearchClaims::<String, String> {
            document_ids: ids.to_vec(),
            sort_by: SortBy::DocumentOrder,
            limit: Some(PAGE_CLAIMS),
            ..SearchClaims::default()
        };
        let calls: Vec<_> = documents.chunks(limits.documents_per_search.max(1)).map(|ids| call(SEARCH, &read(ids))).collect();
        return (!calls.is_empty()).then_some(Turn::Call(calls));
    }
    let pages: Vec<_> = last.iter().filter(|exchange| is_reading(exchange)).filter_map(next_page).collect();
    (readings < limits.pages && !pages.is_empty()).then_some(Turn::Call(pages))
}

fn is_reading(exchange: &Exchange<'_>) -> bool {
    exchange.request.name == SEARCH && exchange.request.arguments.get("document_ids").is_some()
}

fn next_page(exchange: &Exchange<'_>) -> Option<(&'static str, Value)> {
    let mut arguments = exchange.request.arguments.clone();
    arguments["offset"] = exchange.json::<ClaimsFound>()?.next_offset?.into();
    Some((SEARCH, arguments))
}

/// Has the passages that share most with the question compared with it by their vectors.
fn measure(rules: &Rules, conversation: &Conversation<'_>, question: &Question) -> Turn {
    let evidence = Evidence::read(rules, conversation);
    let corpus = &evidence.corpus;
    let ranking = Ranking::new(question, corpus, rules);
    let pool = ranking.by_words();
    let claim_ids: Vec<String> = pool.iter().map(|candidate| corpus.passages[candidate.passage].reference.clone()).collect();
    match claim_ids.is_empty() {
        true => produce(&ranking, conversation, &evidence, &[]),
        false => Turn::call(LIKENESS, &MeasureLikeness { text: question.text.clone(), claim_ids }),
    }
}

fn write(rules: &Rules, conversation: &Conversation<'_>, question: &Question) -> Turn {
    let evidence = Evidence::read(rules, conversation);
    let ranking = Ranking::new(question, &evidence.corpus, rules);
    let likeness: Option<Likeness> = conversation.with(LIKENESS).last().and_then(Exchange::json);
    let ranked = ranking.closely(ranking.by_words(), likeness.as_ref().map(|likeness| likeness.likeness.as_slice()));
    produce(&ranking, conversation, &evidence, &ranked)
}

fn produce(ranking: &Ranking<'_>, conversation: &Conversation<'_>, evidence: &Evidence, ranked: &[Candidate]) -> Turn {
    let Evidence { corpus, retracted, entities } = evidence;
    let Brief { mut content, cited } = brief::write(ranking, ranked);
    if !retracted.is_empty() {
        let titles: Vec<String> = retracted.iter().map(|title| format!("\u{201c}{title}\u{201d}")).collect();
        content.bottom_line += &format!(" Nothing is quoted from {}: its publisher took it back.", titles.join(", "));
    }
    content.analysis = not_read(conversation);
    let claim_refs = (1..)
        .zip(cited.passages())
        .map(|(marker, passage)| ClaimRef { marker, claim_id: corpus.passages[*passage].reference.clone() });
    let asked = fold(&ranking.question.text);
    let named = entities.iter().filter(|(name, _)| find_phrase(&asked, &fold(name)).is_some());
    Turn::call(
        PRODUCE,
        &ProduceEvidenceBrief::<String, String> {
            claim_refs: claim_refs.collect(),
            entity_refs: named.map(|(_, reference)| reference.clone()).collect(),
            content,
        },
    )
}

/// Unread files and failed sources, as Markdown; empty where there are none.
fn not_read(conversation: &Conversation<'_>) -> String {
    /// So many files are named; their number is always given.
    const NAMED: usize = 5;
    const REASON_CHARS: usize = 300;
    let mut lines: Vec<String> = vec![];
    let history: Option<InvestigationHistory> = conversation.with(HISTORY).last().and_then(Exchange::json);
    if let Some(history) = history.filter(|history| history.unread_total > 0) {
        let short = |reason: &str| reason.chars().take(REASON_CHARS).collect::<String>();
        let named: Vec<String> =
            history.unread.iter().take(NAMED).map(|file| format!("{} ({})", file.path, short(&file.reason))).collect();
        let named = named.join("; ").replace('[', "\\[");
        lines.push(match history.unread_total {
            1 => format!("What was given with the question could not be read: {named}."),
            all => format!("{all} of the files and pages that were given could not be read: {named}."),
        });
    }
    let sources: Option<SourceList> = conversation.with(SOURCES).last().and_then(Exchange::json);
    for source in sources.into_iter().flat_map(|list| list.sources) {
        if let Some(trouble) = source.trouble {
            lines.push(format!("{} gave nothing: {}.", source.name, trouble.trim_end_matches('.')).replace('[', "\\["));
        }
    }
    lines.join("\n\n")
}

/// The brief ends the session by itself; this is said only where it was refused.
fn end(last: &[Exchange<'_>]) -> String {
    match last.first() {
        Some(exchange) if exchange.json::<AssessmentProduced>().is_some() => "The brief is written.".into(),
        Some(exchange) => format!("The brief was refused: {}", exchange.result.content),
        None => "There was nothing to do.".into(),
    }
}
