//! Tools that lead to the sources: what there is, and what it holds. The library of documents is one of them; the others are those of
//! the catalogue that somebody has switched on, and name pages that the session may then open.

use super::{
    ToolContext, ToolError, ToolReply,
    find::fitting,
    wire::{DocumentListed, FetchSourceQuery, Nothing, PageFound, SourceAnswer, SourceFound, SourceSeen, SourcesListed},
};
use crate::{
    StoreError,
    agents::{
        gateway::Pass,
        machine::{FoundDocument, ToolEffect},
        registry::Tool,
    },
    fetch::{
        offer,
        sources::{self, AskError, SourceRecord},
    },
    library::{DocumentOrder, DocumentQuery},
};
use async_trait::async_trait;
use domain::{DocumentId, document::Document, fetch::SourceEntry};

/// Pages that one answer lists: more would not fit into it.
const PAGES: u32 = 100;

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
    let count = async |only_unextracted, as_of| {
        let query = DocumentQuery { only_unextracted, as_of, limit: 0, ..DocumentQuery::default() };
        context.engine.documents.list(scope, &query).await
    };
    let all = count(false, None).await?;
    let documents = SourceSeen {
        id: DOCUMENTS.into(),
        name: "Documents".into(),
        description:
            "The documents that people have put in, in a stable order. query: words to find; as_of, offset, limit: which part."
                .into(),
        capabilities: vec!["full_text".into(), "list".into()],
        items: Some(all.total),
        items_not_extracted: Some(count(true, Some(all.as_of)).await?.total),
        as_of: Some(all.as_of),
        coverage: None,
        trouble: None,
    };
    let mut others = match sources::usable(context.engine, context.investigation).await {
        Ok(known) => known,
        Err(AskError::Refused(why) | AskError::Unknown(why)) => {
            tracing::warn!(why, "the catalogue of sources cannot be asked; agents are told of the library only");
            vec![]
        }
        Err(AskError::Store(error)) => return Err(error.into()),
    };
    sources::say_added(&mut others, &context.engine.source_log.feeds().await?);
    let others = others.into_iter().map(|(entry, record)| seen(entry, record));
    Ok(SourcesListed { sources: std::iter::once(documents).chain(others).collect() })
}

fn seen(entry: SourceEntry, record: SourceRecord) -> SourceSeen {
    SourceSeen {
        id: entry.id,
        name: entry.name,
        description: entry.description,
        capabilities: vec!["full_text".into()],
        items: None,
        items_not_extracted: None,
        as_of: None,
        coverage: Some(entry.coverage),
        trouble: record.health.last_error,
    }
}

pub struct FetchSourceQueryTool;

#[async_trait]
impl Tool for FetchSourceQueryTool {
    type Input = FetchSourceQuery;
    const NAME: &'static str = "fetch_source_query";
    const TAINTED: bool = true;
    const OUTSIDE: bool = true;
    const REUSABLE: bool = true;

    /// Not the library, which is our own, nor what lists news; nor a source that has been switched off since.
    async fn may_reuse(&self, context: &ToolContext<'_>, input: FetchSourceQuery) -> Result<bool, ToolError> {
        if input.source_id == DOCUMENTS {
            return Ok(false);
        }
        match sources::usable(context.engine, context.investigation).await {
            Ok(known) => Ok(known.iter().any(|(entry, _)| entry.id == input.source_id && !entry.is_current)),
            Err(AskError::Refused(_) | AskError::Unknown(_)) => Ok(false),
            Err(AskError::Store(error)) => Err(error.into()),
        }
    }

    /// The session may open what the answer names.
    async fn reuse(&self, context: &ToolContext<'_>, content: &str) -> Result<(), ToolError> {
        let answer: SourceFound = serde_json::from_str(content).map_err(|error| StoreError::Defect(error.to_string()))?;
        let addresses: Vec<String> = answer.found.into_iter().map(|page| page.url).collect();
        offer(context.engine, context.session_id, &addresses, 0).await?;
        Ok(())
    }

    async fn run(&self, _: Pass, context: &ToolContext<'_>, input: FetchSourceQuery) -> Result<ToolReply, ToolError> {
        if input.source_id != DOCUMENTS {
            return ask(context, input).await;
        }
        let asked = input.query_params;
        let query = DocumentQuery {
            text: asked.query.filter(|words| !words.trim().is_empty()),
            only_unextracted: false,
            as_of: asked.as_of,
            offset: asked.offset,
            limit: context.items(asked.limit),
            order: DocumentOrder::Stable,
        };
        let page = context.engine.documents.list(&context.investigation.scope, &query).await?;
        let (documents, given) = fitting(listed(context, page.documents).await?, context.max_chars())?;
        let wanted = u64::from(asked.limit.unwrap_or(u32::MAX));
        let (given, next) = (given as u64, asked.offset + given as u64);
        let next_offset = (given > 0 && given < wanted && next < page.total).then_some(next);
        let effect = ToolEffect::Found { documents: unread(&documents), next_offset, as_of: Some(page.as_of) };
        Ok(ToolReply::json(&SourceAnswer { documents, total: page.total, as_of: page.as_of, next_offset })?
            .uncut()
            .with(effect))
    }
}

/// Asks a source of the catalogue.
async fn ask(context: &ToolContext<'_>, input: FetchSourceQuery) -> Result<ToolReply, ToolError> {
    let asked = input.query_params;
    let bounds = [&asked.since, &asked.until];
    if let Some(day) = bounds.into_iter().flatten().find(|day| !is_day(day)) {
        return Err(ToolError::Malformed(format!("'{day}' is no day: it must be like 2031-03-14")));
    }
    let query = domain::fetch::SourceQuery {
        words: asked.query.unwrap_or_default().trim().to_owned(),
        since: asked.since,
        until: asked.until,
        language: asked.language,
        region: asked.region,
        limit: context.items(asked.limit).min(PAGES),
        page: asked.page,
    };
    match sources::ask(context.engine, context.session_id, context.investigation, &input.source_id, &query).await {
        Ok(page) => {
            let (found, _) = fitting(page.hits.into_iter().map(PageFound::from).collect(), context.max_chars())?;
            Ok(ToolReply::json(&SourceFound { found, total: page.total, next_page: page.next })?.uncut())
        }
        Err(AskError::Refused(why)) => Err(ToolError::ForModel(why)),
        Err(AskError::Unknown(why)) => Err(ToolError::Beyond(why)),
        Err(AskError::Store(error)) => Err(error.into()),
    }
}

fn is_day(text: &str) -> bool {
    text.len() == 10 && text.bytes().enumerate().all(|(n, c)| if matches!(n, 4 | 7) { c == b'-' } else { c.is_ascii_digit() })
}

/// Those that nobody has extracted yet.
pub(super) fn unread(documents: &[DocumentListed]) -> Vec<FoundDocument> {
    let unread = documents.iter().filter(|document| !document.extracted);
    unread.map(|document| FoundDocument { document_id: document.document_id, text_bytes: document.bytes }).collect()
}

pub(super) async fn listed(context: &ToolContext<'_>, documents: Vec<Document>) -> Result<Vec<DocumentListed>, ToolError> {
    let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
    let extracted = context.engine.documents.extracted(&ids).await?;
    let listed = documents.into_iter().map(|document| DocumentListed {
        document_id: document.id,
        title: document.title,
        outlet: document.outlet,
        published: document.published.map(|published| published.to_string()),
        bytes: document.text_bytes,
        extracted: extracted.contains(&document.id),
    });
    Ok(listed.collect())
}
