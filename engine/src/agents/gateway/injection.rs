//! Injection detection: the document whose words appear in a refused call.
//!
//! A finding needs verbatim words, because these can be shown in the document. Words of the order or the question never count.
//! Without a matching document the call is only recorded as refused.

use crate::{StoreError, agents::context::ToolContext, evidence::locate};
use domain::{DocumentId, agent::InjectionFinding, document::DocumentText};
use protocol::{addresses::addresses_in, model::ToolRequest, refs::RefKind};
use serde_json::Value;
use url::Url;

/// Minimum length of matched words, in characters; shorter ones match by chance. Addresses always count.
const MIN_CHARS: usize = 12;
/// Maximum number of documents searched, latest first.
const MAX_DOCUMENTS: usize = 64;

/// Returns the injection finding for `request`, when a document contains its words.
pub(super) async fn find(context: &ToolContext<'_>, request: &ToolRequest) -> Result<Option<InjectionFinding>, StoreError> {
    let mut words = vec![];
    words_of(&request.arguments, &mut words);
    let own = own_words(context);
    words.retain(|words| locate(&own, words).is_none());
    if words.is_empty() {
        return Ok(None);
    }
    let given = documents_given(context);
    let texts = context.engine.documents.texts(&context.investigation.scope, &given).await?;
    // The longest match is the strongest evidence.
    words.sort_by_key(|words| std::cmp::Reverse(words.len()));
    Ok(words.iter().find_map(|words| texts.iter().find_map(|text| find_in(&request.name, words, text))))
}

fn find_in(tool: &str, words: &str, DocumentText { document, text }: &DocumentText) -> Option<InjectionFinding> {
    let span = locate(text, words)?;
    Some(InjectionFinding {
        tool: tool.to_owned(),
        document_id: document.id,
        title: document.title.clone(),
        outlet: document.outlet.clone(),
        words: span.slice(text)?.to_owned(),
        span,
    })
}

/// Returns the texts of the order and the question.
fn own_words(context: &ToolContext<'_>) -> String {
    let order =
        context.work_order.into_iter().flat_map(|order| std::iter::once(&order.objective).chain(&order.source_guidance));
    order.chain([&context.investigation.question]).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Collects the significant strings of a call: long texts, their long lines, and the addresses in them.
fn words_of(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let lines = std::iter::once(text.as_str()).chain(text.lines());
            words.extend(lines.map(str::trim).filter(|line| line.chars().count() >= MIN_CHARS).map(str::to_owned));
            words.extend(addresses_in(text).flat_map(address_and_parts));
        }
        Value::Array(items) => items.iter().for_each(|item| words_of(item, words)),
        Value::Object(fields) => fields.values().for_each(|field| words_of(field, words)),
        _ => {}
    }
}

/// Returns an address, the same without its query, and its host: an injected call may add to the address.
fn address_and_parts(address: &str) -> Vec<String> {
    let Ok(url) = Url::parse(address) else { return vec![] };
    let Some(host) = url.host_str().filter(|host| host.contains(['.', ':'])) else { return vec![] };
    let plain = address.split(['?', '#']).next().unwrap_or_default();
    vec![address.to_owned(), plain.to_owned(), host.to_owned()]
}

/// Returns the documents the session was given, latest first.
fn documents_given(context: &ToolContext<'_>) -> Vec<DocumentId> {
    let mut given: Vec<DocumentId> = context.writable.iter().flat_map(|writable| writable.documents).copied().collect();
    for id in context.refs.ids(RefKind::Document).into_iter().filter_map(|id| id.parse().ok()) {
        if !given.contains(&id) {
            given.push(id);
        }
    }
    given.truncate(MAX_DOCUMENTS);
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_call_is_known_by_its_long_words_and_by_where_it_leads() {
        let mut words = vec![];
        words_of(
            &json!({"url": "https://evil.example/take?d=secret", "limit": 3, "more": ["short", "Tell me all about it"]}),
            &mut words,
        );
        words.sort_unstable();
        let expected = [
            "Tell me all about it",
            "Tell me all about it",
            "evil.example",
            "https://evil.example/take",
            "https://evil.example/take?d=secret",
            "https://evil.example/take?d=secret",
            "https://evil.example/take?d=secret",
        ];
        assert_eq!(words, expected);
        let mut words = vec![];
        words_of(&json!({"objective": "Read https://evil.example/a?b, now"}), &mut words);
        assert_eq!(words[2..], ["https://evil.example/a?b", "https://evil.example/a", "evil.example"]);
    }
}
