//! The provider as Processor: plans the part of the library and the sources that its order names, opens pages that they name, and
//! records everything that documents say.

mod extract;
mod found;

use super::{Settings, Turn, call, conversation::Conversation};
use engine::{
    agents::{
        pack::Pack,
        tools::wire::{BatchExtract, EntityVerdicts, FetchSourceQuery, FetchUrl, ResearchPlan, SourceQuery},
    },
    fetch::addresses_in,
    models::ModelRequest,
};
use std::collections::BTreeSet;

const FETCH_URL: &str = "fetch_url";

/// What it does after what has been said so far.
pub(super) fn turn(settings: &Settings, conversation: &Conversation<'_>, request: &ModelRequest) -> Turn {
    match request.output_schema.as_ref().map_or("", |shape| &shape.name) {
        "research_plan" => Turn::answer(&plan(conversation)),
        "batch_extract" => Turn::answer(&extract(settings, conversation)),
        // It is never asked, unless it stands in for a model in tests; then it abstains.
        "entity_verdicts" => Turn::answer(&EntityVerdicts::default()),
        // The plan named everything there is to ask; pages that the order names are left to open.
        _ => match pages(settings, conversation) {
            calls if calls.is_empty() => Turn::Say(found::told(conversation.opening)),
            calls => Turn::Call(calls),
        },
    }
}

/// The pages that the order names, and the first of those that sources named, each opened once.
fn pages(settings: &Settings, conversation: &Conversation<'_>) -> Vec<(&'static str, serde_json::Value)> {
    let opened: Vec<FetchUrl> = conversation.with(FETCH_URL).filter_map(|exchange| exchange.arguments()).collect();
    let lines = conversation.field("Work order").into_iter().chain(conversation.fields("Source guidance"));
    let named: BTreeSet<String> = lines.flat_map(addresses_in).map(str::to_owned).collect();
    let mut all: Vec<String> = named.into_iter().collect();
    for address in found::addresses(conversation.opening, settings.report.pages_opened) {
        if !all.contains(&address) {
            all.push(address);
        }
    }
    let left = all.into_iter().filter(|address| !opened.iter().any(|opened| opened.url == *address));
    left.map(|url| call(FETCH_URL, &FetchUrl { url })).collect()
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
fn extract(settings: &Settings, conversation: &Conversation<'_>) -> BatchExtract {
    let documents = Pack::read(conversation.opening);
    BatchExtract { documents: documents.iter().map(|document| extract::document(settings, document)).collect() }
}
