//! The provider as Processor: plans the part of the library and the sources that its order names, opens pages that they name, and
//! records everything that documents say.

mod extract;
mod found;
#[cfg(test)]
mod sample;

use super::{Rules, Turn, call, conversation::Conversation};
use domain::fetch::Link;
use protocol::{
    addresses::addresses_in,
    model::ModelRequest,
    pack::Pack,
    tools::{BatchExtract, EntityVerdicts, FetchSourceQuery, FetchUrl, ResearchPlan, SourceQuery, UrlFetched},
};
use std::collections::BTreeSet;

const FETCH_URL: &str = "fetch_url";
/// Shorter words say nothing of what a text is about.
const MIN_WORD_CHARS: usize = 5;

/// The next step after the conversation so far.
pub(super) fn turn(rules: &Rules, conversation: &Conversation<'_>, request: &ModelRequest) -> Turn {
    match request.output_schema.as_ref().map_or("", |shape| &shape.name) {
        "research_plan" => Turn::answer(&plan(conversation)),
        "batch_extract" => Turn::answer(&extract(rules, conversation)),
        // It is never asked, unless it stands in for a model in tests; then it abstains.
        "entity_verdicts" => Turn::answer(&EntityVerdicts::default()),
        // Off the web there is nothing to open.
        _ if !request.tools.iter().any(|tool| tool.name == FETCH_URL) => {
            Turn::Say(found::closing_message(conversation.opening))
        }
        // The plan named everything there is to ask; pages that the order names are left to open, and what they lead to.
        _ => match pages(rules, conversation) {
            calls if calls.is_empty() => Turn::Say(found::closing_message(conversation.opening)),
            calls => Turn::Call(calls),
        },
    }
}

/// The pages that the order names, and the first of those that sources named; then those that these link to and that are about the
/// order by their address. Each is opened once.
fn pages(rules: &Rules, conversation: &Conversation<'_>) -> Vec<(&'static str, serde_json::Value)> {
    let asked: Vec<FetchUrl> = conversation.with(FETCH_URL).filter_map(|exchange| exchange.arguments()).collect();
    let mut known: BTreeSet<String> = asked.into_iter().map(|asked| asked.url).collect();
    let lines = || conversation.field("Work order").into_iter().chain(conversation.fields("Source guidance"));
    let named: BTreeSet<String> = lines().flat_map(addresses_in).map(str::to_owned).collect();
    let found = found::addresses(conversation.opening, rules.limits.collection.pages_opened);
    let found = found.into_iter().filter(|address| !named.contains(address));
    let first: Vec<String> = named.iter().cloned().chain(found).collect();
    let mut left: Vec<String> = first.iter().filter(|address| !known.contains(*address)).cloned().collect();
    if left.is_empty() {
        let about: BTreeSet<String> = lines().flat_map(str::split_whitespace).flat_map(words_of).collect();
        let results: Vec<UrlFetched> = conversation.with(FETCH_URL).filter_map(|exchange| exchange.json()).collect();
        known.extend(results.iter().map(|fetched| fetched.final_url.clone()));
        let links = results.into_iter().flat_map(|fetched| fetched.links);
        let room = (rules.limits.collection.linked_pages + first.len()).saturating_sub(conversation.with(FETCH_URL).count());
        let fresh = links.filter(|link| is_about(link, &about) && known.insert(link.url.clone()));
        left.extend(fresh.map(|link| link.url).take(room));
    }
    left.into_iter().map(|url| call(FETCH_URL, &FetchUrl { url })).collect()
}

/// Whether a word of a link or of the path of its address is one of the order's.
fn is_about(link: &Link, about: &BTreeSet<String>) -> bool {
    let path = link.url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
    words_of(path).chain(words_of(&link.words)).any(|word| about.contains(&word))
}

/// Words that are long enough to say what something is about; an address has none here.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let text = if text.contains("://") { "" } else { text };
    domain::text::words(text)
        .filter(|word| word.chars().count() >= MIN_WORD_CHARS && !word.chars().all(|c| c.is_ascii_digit()))
        .map(str::to_lowercase)
}

/// The parts of the library that the order names, `documents as_of=57 offset=0 limit=32`, and the sources with what to ask them,
/// `source gdelt: grain ships`; where it names none of either, all of the library.
fn plan(conversation: &Conversation<'_>) -> ResearchPlan {
    let mut queries: Vec<FetchSourceQuery> = vec![];
    for guidance in conversation.fields("Source guidance") {
        if guidance.starts_with("documents") {
            queries.push(query("documents", part(guidance)));
        } else if let Some((id, words)) = guidance.strip_prefix("source ").and_then(|rest| rest.split_once(": ")) {
            queries.push(query(id, SourceQuery { query: Some(words.to_owned()), ..SourceQuery::default() }));
        }
    }
    if queries.is_empty() {
        queries.push(query("documents", SourceQuery::default()));
    }
    ResearchPlan { plan: "Read what the order names, and record everything in it.".into(), queries }
}

fn query(source_id: &str, query_params: SourceQuery) -> FetchSourceQuery {
    FetchSourceQuery { source_id: source_id.to_owned(), query_params }
}

fn part(guidance: &str) -> SourceQuery {
    let number = |key: &str| guidance.split_whitespace().find_map(|word| word.strip_prefix(key)?.parse::<u64>().ok());
    SourceQuery {
        as_of: number("as_of="),
        offset: number("offset=").unwrap_or(0),
        limit: number("limit=").and_then(|limit| u32::try_from(limit).ok()),
        ..SourceQuery::default()
    }
}

/// Each document by itself: which others lie beside it changes nothing.
fn extract(rules: &Rules, conversation: &Conversation<'_>) -> BatchExtract {
    let documents = Pack::read(conversation.opening);
    BatchExtract { documents: documents.iter().map(|document| extract::document(rules, document)).collect() }
}
