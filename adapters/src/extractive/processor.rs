//! The provider as Processor: goes through the documents that the order names and records everything they say.

mod extract;

use super::{Settings, Turn, conversation::Conversation};
use engine::agents::tools::wire::{BatchExtract, BatchExtracted, FetchSourceQuery, SourceAnswer, SourceQuery};

const FETCH: &str = "fetch_source_query";
const EXTRACT: &str = "batch_extract";

/// What it does after what has been said so far.
pub(super) fn turn(settings: &Settings, conversation: &Conversation<'_>) -> Turn {
    let Some(last) = conversation.rounds.last().and_then(|round| round.first()) else {
        return fetch(first_query(conversation));
    };
    if last.request.name == FETCH
        && let Some(answer) = last.json::<SourceAnswer>()
    {
        let documents: Vec<_> = answer.documents.iter().filter_map(|document| extract::document(settings, document)).collect();
        if !documents.is_empty() {
            return Turn::call(EXTRACT, &BatchExtract { documents });
        }
    }
    match next_query(conversation) {
        Some(query) => fetch(query),
        None => Turn::Say(summary(conversation)),
    }
}

fn fetch(query_params: SourceQuery) -> Turn {
    Turn::call(FETCH, &FetchSourceQuery { source_id: "documents".into(), query_params })
}

/// The part of the library that the order names: `documents offset=0 limit=32`; without one, all of it.
fn first_query(conversation: &Conversation<'_>) -> SourceQuery {
    let guidance = conversation.fields("Source guidance").find(|guidance| guidance.starts_with("documents"));
    let number = |key: &str| guidance?.split_whitespace().find_map(|word| word.strip_prefix(key)?.parse::<u64>().ok());
    SourceQuery {
        query: None,
        offset: number("offset=").unwrap_or(0),
        limit: number("limit=").and_then(|limit| u32::try_from(limit).ok()),
    }
}

/// Where the last answer said to go on.
fn next_query(conversation: &Conversation<'_>) -> Option<SourceQuery> {
    let last = conversation.with(FETCH).last()?;
    let answer: SourceAnswer = last.json()?;
    let asked: FetchSourceQuery = last.arguments()?;
    let offset = answer.next_offset?;
    let gone = u32::try_from(offset.saturating_sub(asked.query_params.offset)).unwrap_or(u32::MAX);
    let limit = asked.query_params.limit.map(|limit| limit.saturating_sub(gone)).filter(|left| *left > 0);
    Some(SourceQuery { query: asked.query_params.query, offset, limit })
}

/// One sentence that says what was read, and what could not be recorded.
fn summary(conversation: &Conversation<'_>) -> String {
    let (mut documents, mut claims, mut refused) = (0, 0, 0);
    for written in conversation.with(EXTRACT).filter_map(|exchange| exchange.json::<BatchExtracted>()) {
        documents += written.documents.len();
        claims += written.documents.iter().map(|document| document.claim_ids.len()).sum::<usize>();
        refused += written.documents.iter().filter(|document| !document.errors.is_empty()).count();
    }
    let refused = if refused == 0 { String::new() } else { format!(" {refused} documents were refused.") };
    format!("Read {documents} documents and recorded {claims} claims.{refused}")
}
