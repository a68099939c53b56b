//! Opening of an address, and the Processor's tool for it. Outside text can never choose the address freely.

use super::{GatewayToken, Tool, ToolContext, ToolError, ToolReply, sources::Listing};
use crate::{
    agents::machine::ToolEffect,
    fetch::{self, OpenError, OpenedPage},
    investigations::period,
    library::{self, IngestReport},
};
use async_trait::async_trait;
use domain::{
    DocumentId,
    document::Document,
    fetch::{FetchFailure, FetchRequest, Link},
};
use protocol::tools::{FetchUrl, UrlFetched};

/// Maximum number of documents of a page that are scored; a feed may have hundreds.
const JUDGED_DOCUMENTS: usize = 3;

pub struct FetchUrlTool;

#[async_trait]
impl Tool for FetchUrlTool {
    type Input = FetchUrl;
    const NAME: &'static str = "fetch_url";
    const TAINTED: bool = true;
    const ON_WEB: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: FetchUrl) -> Result<ToolReply, ToolError> {
        let OpenedAddress { final_url, documents, links } = open_address(context, &input.url).await?;
        let text = text_of(context, &documents).await?;
        let listing = Listing::load(context, documents).await?;
        let effect = ToolEffect::Found { documents: listing.unread(), next_offset: None, as_of: None };
        ToolReply::json(&UrlFetched { final_url, documents: listing.documents, links })
            .map(|reply| reply.with(effect).judged_by(&text))
    }
}

/// Opened address: its stored documents within the period, and the links that may be opened from it.
pub(super) struct OpenedAddress {
    pub final_url: String,
    pub documents: Vec<Document>,
    pub links: Vec<Link>,
}

/// Opens an address that the session may open, and stores its documents.
pub(super) async fn open_address(context: &ToolContext<'_>, url: &str) -> Result<OpenedAddress, ToolError> {
    let (engine, session) = (context.engine, context.session_id);
    let Some(steps) = fetch::link_distance(engine, session, context.investigation, context.work_order, url).await? else {
        metrics::counter!("autosint_fetch_failures_total", "reason" => "not_named").increment(1);
        return Err(ToolError::Beyond(format!(
            "'{url}' was not opened: only addresses may be opened, as they stand there, that the order names, that a source listed in this \
             session, or that a page opened in it links to, at most {} links away",
            engine.config.web.max_steps
        )));
    };
    let opened = fetch::open(engine, context.investigation.collection_id, None, &FetchRequest::page(url)).await;
    let opened = opened.map_err(fetch_error)?;
    announce(context, &opened).await?;
    let ids: Vec<DocumentId> = opened.documents.iter().map(|document| document.id).collect();
    engine.source_log.address_led_to(url, &ids).await?;
    let OpenedPage { final_url, documents, mut links, .. } = opened;
    links.truncate(context.items(None) as usize);
    if !fetch::offer_links(engine, session, &links, steps + 1).await? {
        links.clear();
    }
    Ok(OpenedAddress { final_url, documents: period::documents(context.investigation, documents), links })
}

/// Returns the text to score: the first documents of the page.
async fn text_of(context: &ToolContext<'_>, documents: &[Document]) -> Result<String, ToolError> {
    let ids: Vec<DocumentId> = documents.iter().take(JUDGED_DOCUMENTS).map(|document| document.id).collect();
    let texts = context.engine.documents.texts(&context.investigation.scope, &ids).await?;
    Ok(texts.iter().map(|document| document.text.as_str()).collect::<Vec<_>>().join("\n"))
}

/// Converts an open error into a tool error for the model.
pub(super) fn fetch_error(error: OpenError) -> ToolError {
    match error {
        OpenError::Fetch(error) if error.reason == FetchFailure::Refused => ToolError::Beyond(error.message),
        OpenError::Fetch(error) => ToolError::ForModel(error.message),
        OpenError::Store(error) => error.into(),
    }
}

/// Records an event with the new documents.
pub(super) async fn announce(context: &ToolContext<'_>, opened: &OpenedPage) -> Result<(), ToolError> {
    let report = IngestReport { stored: opened.new, known: opened.known.clone(), rejected: opened.rejected.clone() };
    match context.investigation.stored_id() {
        Some(investigation) => Ok(library::announce(context.engine, investigation, &report).await?),
        None => Ok(()),
    }
}
