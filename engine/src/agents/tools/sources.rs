//! Source tools: the catalogue, and queries.
//!
//! The document library is one source. The others are the enabled sources of the catalogue; the session may open the pages they
//! list.

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolOffer, ToolReply, find::fitting};
use crate::{
    StoreError,
    agents::{
        machine::{FoundDocument, ToolEffect},
        parts::{DOCUMENTS, read_documents},
    },
    fetch::{
        offer_listed,
        sources::{self, SourceQueryError, SourceRecord},
    },
    library::{DocumentOrder, DocumentQuery, question_key},
};
use async_trait::async_trait;
use domain::{DocumentId, Timestamp, document::Document, fetch::SourceEntry};
use protocol::{
    refs::RefKind,
    tools::{DocumentEntry, FetchSourceQuery, NoArguments, PageFound, SourceAnswer, SourceFound, SourceList, SourceStatus},
};

/// Maximum number of pages per query; more would not fit a result.
const PAGES: u32 = 100;

pub struct ListFetchSourcesTool;

#[async_trait]
impl Tool for ListFetchSourcesTool {
    type Input = NoArguments;
    const NAME: &'static str = "list_fetch_sources";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    // Titles of documents come from outside.
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, _: NoArguments) -> Result<ToolReply, ToolError> {
        let mut catalogue = catalogue(context).await?;
        let limit = context.items(None);
        for library in catalogue.sources.iter_mut().filter(|source| source.id == DOCUMENTS) {
            if library.items_not_extracted.is_some_and(|unread| unread > 0 && unread <= u64::from(limit)) {
                let period = context.investigation.terms.period;
                let question = Some(question_key(&context.investigation.question));
                let query = DocumentQuery {
                    only_unextracted: true,
                    question,
                    as_of: library.as_of,
                    limit,
                    period,
                    ..DocumentQuery::default()
                };
                let page = context.engine.documents.list(&context.investigation.scope, &query).await?;
                library.unread = page.documents.into_iter().map(|document| list_one(context, document, false)).collect();
            }
        }
        ToolReply::json(&catalogue)
    }
}

pub struct FetchSourceCatalogTool;

#[async_trait]
impl Tool for FetchSourceCatalogTool {
    type Input = NoArguments;
    const NAME: &'static str = "fetch_source_catalog";
    const TAINTED: bool = false;

    /// Returns the catalogue; its effect gives the sizes of the documents that the order names.
    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, _: NoArguments) -> Result<ToolReply, ToolError> {
        let reply = ToolReply::json(&catalogue(context).await?)?;
        let documents = named_documents(context).await?;
        Ok(match documents.is_empty() {
            true => reply,
            false => reply.with(ToolEffect::Found { documents, next_offset: None, as_of: None }),
        })
    }
}

/// Returns the documents that the work order names, in its order, with their sizes.
async fn named_documents(context: &ToolContext<'_>) -> Result<Vec<FoundDocument>, ToolError> {
    let guidance = context.work_order.iter().flat_map(|order| &order.source_guidance);
    let named: Vec<DocumentId> = guidance.filter_map(|line| read_documents(line)).flatten().collect();
    if named.is_empty() {
        return Ok(vec![]);
    }
    let documents = context.engine.documents.documents(&context.investigation.scope, &named).await?;
    let found = |document: Document| FoundDocument { document_id: document.id, text_bytes: document.text_bytes };
    Ok(documents.into_iter().map(found).collect())
}

async fn catalogue(context: &ToolContext<'_>) -> Result<SourceList, ToolError> {
    let (scope, period) = (&context.investigation.scope, context.investigation.terms.period);
    let count = async |only_unextracted, as_of| {
        let question = Some(question_key(&context.investigation.question));
        let query = DocumentQuery { only_unextracted, question, as_of, limit: 0, period, ..DocumentQuery::default() };
        context.engine.documents.list(scope, &query).await
    };
    let all = count(false, None).await?;
    let documents = SourceStatus {
        id: DOCUMENTS.into(),
        name: "Documents".into(),
        description:
            "The documents that people have put in, ordered by the hash of their text. query: words to find; as_of, offset, limit: which part; \
             only_unread: what nobody has recorded yet."
                .into(),
        items: Some(all.total),
        items_not_extracted: Some(count(true, Some(all.as_of)).await?.total),
        unread: vec![],
        as_of: Some(all.as_of),
        coverage: None,
        trouble: None,
    };
    let mut others = match sources::usable(context.engine, context.investigation).await {
        Ok(known) => known,
        Err(SourceQueryError::Refused(why) | SourceQueryError::Unknown(why)) => {
            tracing::warn!(why, "source catalogue unavailable, listing the library only");
            vec![]
        }
        Err(SourceQueryError::Store(error)) => return Err(error.into()),
    };
    sources::count_added_feeds(&mut others, &context.engine.source_log.feeds().await?);
    let others = others.into_iter().map(|(entry, record)| source_status(entry, record));
    Ok(SourceList { sources: std::iter::once(documents).chain(others).collect() })
}

fn source_status(entry: SourceEntry, record: SourceRecord) -> SourceStatus {
    SourceStatus {
        id: entry.id,
        name: entry.name,
        description: entry.description,
        items: None,
        items_not_extracted: None,
        unread: vec![],
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

    /// Returns whether a cached result may be used: never for the library, news lists or disabled sources.
    async fn may_reuse(&self, context: &ToolContext<'_>, input: FetchSourceQuery) -> Result<bool, ToolError> {
        if input.source_id == DOCUMENTS {
            return Ok(false);
        }
        match sources::usable(context.engine, context.investigation).await {
            Ok(known) => Ok(known.iter().any(|(entry, _)| entry.id == input.source_id && !entry.is_current)),
            Err(SourceQueryError::Refused(_) | SourceQueryError::Unknown(_)) => Ok(false),
            Err(SourceQueryError::Store(error)) => Err(error.into()),
        }
    }

    /// Lets the session open the addresses of the answer.
    async fn reuse(&self, context: &ToolContext<'_>, content: &str) -> Result<(), ToolError> {
        let answer: SourceFound = serde_json::from_str(content).map_err(|error| StoreError::Defect(error.to_string()))?;
        let addresses: Vec<String> = answer.found.into_iter().map(|page| page.url).collect();
        offer_listed(context.engine, context.session_id, context.investigation, &addresses).await?;
        Ok(())
    }

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: FetchSourceQuery) -> Result<ToolReply, ToolError> {
        if input.source_id != DOCUMENTS {
            return ask(context, input).await;
        }
        let asked = input.query_params;
        let query = DocumentQuery {
            text: asked.query.and_then(|words| context.engine.search.query.some_text(&words)),
            only_unextracted: asked.only_unread,
            question: Some(question_key(&context.investigation.question)),
            period: context.investigation.terms.period,
            as_of: asked.as_of,
            offset: asked.offset,
            limit: context.items(asked.limit),
            order: DocumentOrder::Stable,
            ..DocumentQuery::default()
        };
        let page = context.engine.documents.list(&context.investigation.scope, &query).await?;
        let (listing, given) = Listing::load(context, page.documents).await?.fitting(context.max_chars())?;
        let wanted = u64::from(asked.limit.unwrap_or(u32::MAX));
        let (given, next) = (given as u64, asked.offset + given as u64);
        let next_offset = (given > 0 && given < wanted && next < page.total).then_some(next);
        let effect = ToolEffect::Found { documents: listing.unread(), next_offset, as_of: Some(page.as_of) };
        Ok(ToolReply::json(&SourceAnswer { documents: listing.documents, total: page.total, as_of: page.as_of, next_offset })?
            .uncut()
            .into_listing()
            .with(effect))
    }
}

/// Queries a source of the catalogue.
async fn ask(context: &ToolContext<'_>, input: FetchSourceQuery) -> Result<ToolReply, ToolError> {
    let asked = input.query_params;
    let bounds = [&asked.since, &asked.until];
    if let Some(day) = bounds.into_iter().flatten().find(|day| !is_day(day)) {
        return Err(ToolError::Malformed(format!("'{day}' is no day: it must be like 2031-03-14")));
    }
    let period = context.investigation.terms.period;
    let query = domain::fetch::SourceQuery {
        words: context.engine.search.query.text(&asked.query.unwrap_or_default()).into_string(),
        since: later(period.from.map(|from| day(from.first_moment())), asked.since),
        until: earlier(period.until.map(|until| day(until.last_moment())), asked.until),
        language: asked.language,
        region: asked.region,
        limit: context.items(asked.limit).min(PAGES),
        page: asked.page,
    };
    match sources::query(context.engine, context.session_id, context.investigation, &input.source_id, &query).await {
        Ok(page) => {
            let (found, _) = fitting(page.hits.into_iter().map(PageFound::from).collect(), context.max_chars())?;
            Ok(ToolReply::json(&SourceFound { found, total: page.total, next_page: page.next })?.uncut())
        }
        Err(SourceQueryError::Refused(why)) => Err(ToolError::ForModel(why)),
        Err(SourceQueryError::Unknown(why)) => Err(ToolError::Beyond(why)),
        Err(SourceQueryError::Store(error)) => Err(error.into()),
    }
}

/// Returns the day of a moment, as sources write it. Days in this form sort as they follow one another.
fn day(moment: Timestamp) -> String {
    moment.to_datetime().format("%Y-%m-%d").to_string()
}

fn later(one: Option<String>, other: Option<String>) -> Option<String> {
    one.max(other)
}

fn earlier(one: Option<String>, other: Option<String>) -> Option<String> {
    [one, other].into_iter().flatten().min()
}

fn is_day(text: &str) -> bool {
    text.len() == 10 && text.bytes().enumerate().all(|(n, c)| if matches!(n, 4 | 7) { c == b'-' } else { c.is_ascii_digit() })
}

/// Listed documents, with those not extracted yet.
pub(super) struct Listing {
    pub documents: Vec<DocumentEntry>,
    unread: Vec<Option<FoundDocument>>,
}

impl Listing {
    pub async fn load(context: &ToolContext<'_>, documents: Vec<Document>) -> Result<Self, ToolError> {
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        let question = question_key(&context.investigation.question);
        let extracted = context.engine.documents.extracted_for(&ids, Some(&question)).await?;
        let mut listing = Self { documents: vec![], unread: vec![] };
        for document in documents {
            let is_extracted = extracted.contains(&document.id);
            let found = FoundDocument { document_id: document.id, text_bytes: document.text_bytes };
            listing.unread.push((!is_extracted).then_some(found));
            listing.documents.push(list_one(context, document, is_extracted));
        }
        Ok(listing)
    }

    /// Returns as many documents as fit the limit, at least one, and their number.
    fn fitting(mut self, max_chars: usize) -> Result<(Self, usize), ToolError> {
        let (documents, given) = fitting(self.documents, max_chars)?;
        self.unread.truncate(given);
        Ok((Self { documents, ..self }, given))
    }

    pub fn unread(&self) -> Vec<FoundDocument> {
        self.unread.iter().flatten().copied().collect()
    }
}

fn list_one(context: &ToolContext<'_>, document: Document, extracted: bool) -> DocumentEntry {
    DocumentEntry {
        reference: context.refs.give(RefKind::Document, document.id),
        title: document.title,
        outlet: document.outlet,
        published: document.published.map(|published| published.to_string()),
        bytes: document.text_bytes,
        extracted,
    }
}
