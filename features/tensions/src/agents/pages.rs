//! Pages that a session read.
//!
//! Invariant: only an address that `read_page` opened in the session counts. A model invents addresses.

use super::{READ_PAGE, answers::FoundQuote};
use domain::{
    ClaimId, DocumentId, Scope,
    agent::ToolCall,
    claim::{Attribution, Information, Mode},
    document::DocumentText,
};
use engine::{
    Engine, StoreResult,
    evidence::{self, Statement},
    graph::GraphWrite,
};
use protocol::{
    fence::unfenced,
    tools::{PageRead, ReadPage},
};
use std::collections::BTreeMap;

/// Pages that a session opened, by their addresses before and after redirects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenedPages(BTreeMap<String, Vec<DocumentId>>);

/// Quote of a page as a claim of the graph.
#[derive(Debug, Clone)]
pub struct PageQuote {
    pub claim: ClaimId,
    pub document: DocumentText,
}

impl OpenedPages {
    /// Reads the pages from the calls of a session.
    pub fn from_calls(calls: &[ToolCall]) -> Self {
        let mut pages = BTreeMap::new();
        for call in calls.iter().filter(|call| call.tool == READ_PAGE && !call.is_error) {
            let result = unfenced(call.raw.as_deref().unwrap_or(&call.result));
            let Ok(read) = serde_json::from_str::<PageRead>(result) else { continue };
            let documents: Vec<DocumentId> = read.documents.iter().map(|document| document.document_id).collect();
            if let Ok(ReadPage { url }) = serde_json::from_value(call.arguments.clone()) {
                pages.insert(address_key(&url), documents.clone());
            }
            pages.insert(address_key(&read.final_url), documents);
        }
        Self(pages)
    }

    /// Returns the documents of a page that was opened.
    pub fn documents(&self, url: &str) -> Option<&[DocumentId]> {
        self.0.get(&address_key(url)).map(Vec::as_slice)
    }

    /// Adds the claim of a quote to the graph; none where its page was not opened or does not contain it. Repeating is harmless.
    pub async fn claim_of_quote(&self, engine: &Engine, scope: &Scope, found: &FoundQuote) -> StoreResult<Option<PageQuote>> {
        let Some(documents) = self.documents(&found.url) else { return Ok(None) };
        for document in engine.documents.texts(scope, documents).await? {
            let statement = Statement {
                content: found.quote.clone(),
                quote: found.quote.clone(),
                published: None,
                occurred: None,
                attribution: Attribution::Unattributed,
                information: Information::Assertion,
                speaker: None,
                mode: Mode::Asserted,
                entities: vec![],
            };
            let id = ClaimId(engine.ids.next());
            let Ok(claim) = evidence::claim(id, &document.document, &document.text, statement) else { continue };
            let order = evidence::document_order(&document.document);
            let collection = document.document.collection_id;
            let mut write = GraphWrite::new(document.document.id, collection, order, engine.clock.now());
            write.claims.push(claim);
            let written = engine.graph.write(&[write], &*engine.resolve).await?;
            let written = written.into_iter().next().and_then(|outcome| outcome.claims.into_iter().next());
            if let Some(written) = written {
                return Ok(Some(PageQuote { claim: written.id, document }));
            }
        }
        Ok(None)
    }
}

/// An address without its fragment and last slash, for comparison.
fn address_key(url: &str) -> String {
    let whole = url.trim().split('#').next().unwrap_or_default();
    whole.trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{SessionId, Timestamp, ToolCallId, agent::ToolLatency};
    use testkit::id;

    fn call(tool: &str, url: &str, result: String, is_error: bool) -> ToolCall {
        ToolCall {
            id: ToolCallId(id()),
            session_id: SessionId(id()),
            investigation_id: None,
            tool: tool.into(),
            source: None,
            arguments: serde_json::json!({"url": url}),
            result: "A summary.".into(),
            raw: Some(result),
            is_error,
            from_cache: false,
            latency: ToolLatency::default(),
            reflection: None,
            injection: None,
            called_at: Timestamp::from_micros(0),
        }
    }

    #[test]
    fn only_pages_that_were_read_count_under_both_addresses() {
        let document = DocumentId(id());
        let read = PageRead {
            final_url: "https://b.example/page/".into(),
            documents: vec![protocol::tools::DocumentRead {
                document_id: document,
                title: "Page".into(),
                outlet: None,
                published: None,
                text: "Text.".into(),
                is_cut: false,
            }],
            links: vec![],
        };
        let text = protocol::fence::fence(&serde_json::to_string(&read).unwrap(), "7f");
        let pages = OpenedPages::from_calls(&[
            call("read_page", "https://a.example/", text.clone(), false),
            call("read_page", "https://c.example/", text.clone(), true),
            call("web_search", "https://d.example/", text, false),
        ]);
        for url in ["https://a.example", "https://b.example/page#part"] {
            assert_eq!(pages.documents(url), Some(&[document][..]), "{url}");
        }
        for url in ["https://c.example/", "https://d.example/", "https://b.example/"] {
            assert_eq!(pages.documents(url), None, "{url}");
        }
    }
}
