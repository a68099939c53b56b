//! Web tools of the roles of features: one query to all sources, and a page with its text.

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolReply, find::fitting, web::open_address};
use crate::fetch::sources::{self, SourceQueryError, SourceSearch};
use async_trait::async_trait;
use domain::{
    DocumentId,
    document::{Document, DocumentText},
    fetch::SourceQuery,
};
use protocol::{
    refs::RefKind,
    tools::{DocumentRead, PageFound, PageRead, ReadPage, WebFound, WebSearch},
};

pub struct WebSearchTool;

#[async_trait]
impl Tool for WebSearchTool {
    type Input = WebSearch;
    const NAME: &'static str = "web_search";
    const TAINTED: bool = true;
    const ON_WEB: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: WebSearch) -> Result<ToolReply, ToolError> {
        let limit = context.items(input.limit);
        let words = context.engine.search.query.text(&input.query).into_string();
        let query = SourceQuery { words, limit, ..SourceQuery::default() };
        let searched = sources::search(context.engine, context.session_id, context.investigation, &query).await;
        let SourceSearch { hits, failed } = searched.map_err(|error| match error {
            SourceQueryError::Refused(why) | SourceQueryError::Unknown(why) => ToolError::ForModel(why),
            SourceQueryError::Store(error) => error.into(),
        })?;
        let (found, _) = fitting(hits.into_iter().map(PageFound::from).collect(), context.max_chars())?;
        Ok(ToolReply::json(&WebFound { found, failed })?.uncut())
    }
}

pub struct ReadPageTool;

#[async_trait]
impl Tool for ReadPageTool {
    type Input = ReadPage;
    const NAME: &'static str = "read_page";
    const TAINTED: bool = true;
    const ON_WEB: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: ReadPage) -> Result<ToolReply, ToolError> {
        let opened = open_address(context, &input.url).await?;
        let shown = opened.documents.into_iter().take(context.items(None) as usize);
        let ids: Vec<DocumentId> = shown.map(|document| document.id).collect();
        let texts = context.engine.documents.texts(&context.investigation.scope, &ids).await?;
        for shown in &texts {
            // Injection detection looks for the words of a call in the documents that have a reference.
            context.refs.give(RefKind::Document, shown.document.id);
        }
        // Escapes and the other fields take part of the room.
        let room = context.max_chars() / 2 / texts.len().max(1);
        let documents = texts.into_iter().map(|document| shorten(document, room)).collect();
        ToolReply::json(&PageRead { final_url: opened.final_url, documents, links: opened.links })
    }
}

fn shorten(document: DocumentText, max_chars: usize) -> DocumentRead {
    let DocumentText { document: Document { id, title, outlet, published, .. }, text } = document;
    let shown: String = text.chars().take(max_chars).collect();
    let is_cut = shown.len() < text.len();
    let published = published.map(|published| published.to_string());
    DocumentRead { document_id: id, title, outlet, published, text: shown, is_cut }
}
