//! Tools that lead to the sources: what there is, and what it holds. The one source of today is the library of documents.

use super::{
    ToolContext, ToolError, ToolReply,
    find::fitting,
    wire::{DocumentSeen, FetchSourceQuery, Nothing, SourceAnswer, SourceSeen, SourcesListed},
};
use crate::{
    agents::{gateway::Pass, registry::Tool},
    library::{DocumentOrder, DocumentQuery},
};
use async_trait::async_trait;
use domain::{DocumentId, document::Document, event::Happening};
use std::collections::BTreeMap;

/// The catalogue id of the library.
pub const DOCUMENTS: &str = "documents";

pub struct ListFetchSourcesTool;

#[async_trait]
impl Tool for ListFetchSourcesTool {
    type Input = Nothing;
    const NAME: &'static str = "list_fetch_sources";
    const TAINTED: bool = false;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, _: Nothing) -> Result<ToolReply, ToolError> {
        ToolReply::json(&catalogue(context).await?)
    }
}

pub struct FetchSourceCatalogTool;

#[async_trait]
impl Tool for FetchSourceCatalogTool {
    type Input = Nothing;
    const NAME: &'static str = "fetch_source_catalog";
    const TAINTED: bool = false;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, _: Nothing) -> Result<ToolReply, ToolError> {
        ToolReply::json(&catalogue(context).await?)
    }
}

async fn catalogue(context: &ToolContext<'_>) -> Result<SourcesListed, ToolError> {
    let scope = &context.investigation.scope;
    let count = async |only_unextracted| {
        let query = DocumentQuery { only_unextracted, limit: 0, ..DocumentQuery::default() };
        context.engine.documents.list(scope, &query).await.map(|page| page.total)
    };
    let documents = SourceSeen {
        id: DOCUMENTS.into(),
        name: "Documents".into(),
        description:
            "The documents that people have put in, in a stable order. query: words to find; offset, limit: which part.".into(),
        capabilities: vec!["full_text".into(), "list".into()],
        items: Some(count(false).await?),
        items_not_extracted: Some(count(true).await?),
    };
    Ok(SourcesListed { sources: vec![documents] })
}

pub struct FetchSourceQueryTool;

#[async_trait]
impl Tool for FetchSourceQueryTool {
    type Input = FetchSourceQuery;
    const NAME: &'static str = "fetch_source_query";
    const TAINTED: bool = true;

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: FetchSourceQuery) -> Result<ToolReply, ToolError> {
        if input.source_id != DOCUMENTS {
            return Err(ToolError::ForModel(format!("there is no source '{}': see fetch_source_catalog", input.source_id)));
        }
        let asked = input.query_params;
        let query = DocumentQuery {
            text: asked.query.filter(|words| !words.trim().is_empty()),
            only_unextracted: false,
            offset: asked.offset,
            limit: context.items(asked.limit),
            order: DocumentOrder::Stable,
        };
        let page = context.engine.documents.list(&context.investigation.scope, &query).await?;
        let listed = page.documents.len() as u64;
        let (documents, taken) = read_within(context, page.documents).await?;
        // The whole of what was asked for, or the next document that did not fit.
        let next_offset = (taken < listed).then_some(asked.offset + taken);
        Ok(ToolReply::json(&SourceAnswer { documents, total: page.total, next_offset })?.uncut())
    }
}

/// Reads the texts of the documents that are not extracted yet, as far as they fit; gives how many documents were gone through.
/// A text that is longer than a whole answer is given alone and uncut: the gateway never cuts evidence.
async fn read_within(context: &ToolContext<'_>, documents: Vec<Document>) -> Result<(Vec<DocumentSeen>, u64), ToolError> {
    let engine = context.engine;
    let scope = &context.investigation.scope;
    let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
    let extracted = engine.documents.extracted(&ids).await?;
    let max_bytes = context.max_chars() as u64;
    let (mut used, mut taken, mut wanted) = (0, 0, vec![]);
    for document in &documents {
        if !extracted.contains(&document.id) {
            if !wanted.is_empty() && used + document.text_bytes > max_bytes {
                break;
            }
            used += document.text_bytes;
            wanted.push(document.id);
        }
        taken += 1;
    }
    let mut texts: BTreeMap<DocumentId, String> =
        engine.documents.texts(scope, &wanted).await?.into_iter().map(|read| (read.document.id, read.text)).collect();
    let described = documents.into_iter().take(taken).map(|document| {
        let text = texts.remove(&document.id);
        describe(document, text)
    });
    // Marks and line ends take more room as JSON than the text has bytes.
    let (seen, taken) = fitting(described.collect(), context.max_chars())?;
    for document in seen.iter().filter(|document| document.text.is_some()) {
        announce(context, document).await?;
    }
    Ok((seen, taken as u64))
}

async fn announce(context: &ToolContext<'_>, document: &DocumentSeen) -> Result<(), ToolError> {
    let Some(order) = context.work_order else { return Ok(()) };
    let engine = context.engine;
    let happening =
        Happening::Reading { work_order_id: order.id, document_id: document.document_id, title: document.title.clone() };
    engine.events.append(context.investigation.id, engine.clock.now(), happening).await?;
    Ok(())
}

fn describe(document: Document, text: Option<String>) -> DocumentSeen {
    DocumentSeen {
        document_id: document.id,
        title: document.title,
        path: document.path,
        outlet: document.outlet,
        published_at: document.published.map(|published| published.value.to_string()),
        language: document.language,
        origin: document.text_sha256,
        text,
    }
}
