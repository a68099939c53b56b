//! The provider as Processor: plans the part of the library that its order names, and records everything that documents say.

mod extract;

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
        _ => match pages(conversation) {
            calls if calls.is_empty() => Turn::Say("The order was carried out as planned.".into()),
            calls => Turn::Call(calls),
        },
    }
}

/// The pages that the order names, each opened once.
fn pages(conversation: &Conversation<'_>) -> Vec<(&'static str, serde_json::Value)> {
    let opened: Vec<FetchUrl> = conversation.with(FETCH_URL).filter_map(|exchange| exchange.arguments()).collect();
    let lines = conversation.field("Work order").into_iter().chain(conversation.fields("Source guidance"));
    let named: BTreeSet<&str> = lines.flat_map(addresses_in).collect();
    let left = named.into_iter().filter(|address| !opened.iter().any(|opened| opened.url == *address));
    left.map(|address| call(FETCH_URL, &FetchUrl { url: address.to_owned() })).collect()
}

/// The parts of the library that the order names: `documents as_of=57 offset=0 limit=32`; without one, all of it.
fn plan(conversation: &Conversation<'_>) -> ResearchPlan {
    let named = conversation.fields("Source guidance").filter(|guidance| guidance.starts_with("documents"));
    let mut queries: Vec<FetchSourceQuery> = named.map(|guidance| query(part(guidance))).collect();
    if queries.is_empty() {
        queries.push(query(SourceQuery::default()));
    }
    ResearchPlan { plan: "Read what the order names, and record everything in it.".into(), queries }
}

fn query(query_params: SourceQuery) -> FetchSourceQuery {
    FetchSourceQuery { source_id: "documents".into(), query_params }
}

fn part(guidance: &str) -> SourceQuery {
    let number = |key: &str| guidance.split_whitespace().find_map(|word| word.strip_prefix(key)?.parse::<u64>().ok());
    SourceQuery {
        query: None,
        as_of: number("as_of="),
        offset: number("offset=").unwrap_or(0),
        limit: number("limit=").and_then(|limit| u32::try_from(limit).ok()),
    }
}

/// Each document by itself: which others lie beside it changes nothing.
fn extract(settings: &Settings, conversation: &Conversation<'_>) -> BatchExtract {
    let documents = Pack::read(conversation.opening);
    BatchExtract { documents: documents.iter().map(|document| extract::document(settings, document)).collect() }
}
