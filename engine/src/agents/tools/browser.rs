//! Browser tools: a page rendered once, or a session of a few steps. Results are text, never pictures.

use super::{
    GatewayToken, Tool, ToolContext, ToolError, ToolReply,
    sources::Listing,
    web::{announce, fetch_error},
};
use crate::{
    agents::machine::ToolEffect,
    browse::{BrowseContext, ViewedPage},
};
use async_trait::async_trait;
use domain::fetch::BrowseCommand;
use protocol::tools::{
    BrowseUrl, BrowserClick, BrowserClosed, BrowserFill, BrowserOpen, BrowserScroll, BrowserSession, PageView,
};

/// Divisor that reserves room for links, controls and lists beside the page text.
const TEXT_SHARE: usize = 2;

pub struct BrowseUrlTool;
pub struct BrowserOpenTool;
pub struct BrowserClickTool;
pub struct BrowserFillTool;
pub struct BrowserScrollTool;
pub struct BrowserCloseTool;

#[async_trait]
impl Tool for BrowseUrlTool {
    type Input = BrowseUrl;
    const NAME: &'static str = "browse_url";
    const TAINTED: bool = true;
    const NEEDS_BROWSER: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: BrowseUrl) -> Result<ToolReply, ToolError> {
        let seen = visitor(context).render(&input.url).await.map_err(fetch_error)?;
        reply(context, None, seen).await
    }
}

#[async_trait]
impl Tool for BrowserOpenTool {
    type Input = BrowserOpen;
    const NAME: &'static str = "browser_open";
    const TAINTED: bool = true;
    const NEEDS_BROWSER: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: BrowserOpen) -> Result<ToolReply, ToolError> {
        let (session_id, seen) = visitor(context).open(&input.url).await.map_err(fetch_error)?;
        reply(context, Some(session_id), seen).await
    }
}

#[async_trait]
impl Tool for BrowserClickTool {
    type Input = BrowserClick;
    const NAME: &'static str = "browser_click";
    const TAINTED: bool = true;
    const NEEDS_BROWSER: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: BrowserClick) -> Result<ToolReply, ToolError> {
        step(context, input.session_id, BrowseCommand::Click { selector: input.selector }).await
    }
}

#[async_trait]
impl Tool for BrowserFillTool {
    type Input = BrowserFill;
    const NAME: &'static str = "browser_fill";
    const TAINTED: bool = true;
    const NEEDS_BROWSER: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: BrowserFill) -> Result<ToolReply, ToolError> {
        let BrowserFill { session_id, selector, value } = input;
        step(context, session_id, BrowseCommand::Fill { selector, value }).await
    }
}

#[async_trait]
impl Tool for BrowserScrollTool {
    type Input = BrowserScroll;
    const NAME: &'static str = "browser_scroll";
    const TAINTED: bool = true;
    const NEEDS_BROWSER: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: BrowserScroll) -> Result<ToolReply, ToolError> {
        let direction = input.direction.unwrap_or_default();
        step(context, input.session_id, BrowseCommand::Scroll { direction }).await
    }
}

#[async_trait]
impl Tool for BrowserCloseTool {
    type Input = BrowserSession;
    const NAME: &'static str = "browser_close";
    const TAINTED: bool = false;
    const OUTSIDE: bool = false;
    const NEEDS_BROWSER: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: BrowserSession) -> Result<ToolReply, ToolError> {
        visitor(context).close(&input.session_id).await.map_err(fetch_error)?;
        ToolReply::json(&BrowserClosed { closed: true })
    }
}

fn visitor<'a>(context: &ToolContext<'a>) -> BrowseContext<'a> {
    BrowseContext {
        engine: context.engine,
        session: context.session_id,
        investigation: context.investigation,
        order: context.work_order,
    }
}

async fn step(context: &ToolContext<'_>, session_id: String, command: BrowseCommand) -> Result<ToolReply, ToolError> {
    let seen = visitor(context).step(&session_id, &command).await.map_err(fetch_error)?;
    reply(context, Some(session_id), seen).await
}

/// Builds the reply: in a session the page text and its controls, else only the list of documents.
async fn reply(context: &ToolContext<'_>, session_id: Option<String>, seen: ViewedPage) -> Result<ToolReply, ToolError> {
    let ViewedPage { opened, text, controls, is_complete, asks_login } = seen;
    announce(context, &opened).await?;
    let mut links = opened.links;
    links.truncate(context.items(None) as usize);
    let listing = Listing::load(context, opened.documents).await?;
    let effect = ToolEffect::Found { documents: listing.unread(), next_offset: None, as_of: None };
    let (beginning, controls) = match &session_id {
        Some(_) => (Some(text.chars().take(context.max_chars() / TEXT_SHARE).collect()), controls),
        None => (None, vec![]),
    };
    let page = PageView {
        session_id,
        final_url: opened.final_url,
        rendered_content: None,
        controls,
        documents: listing.documents,
        links,
        is_complete,
        asks_login,
    };
    // The scored text needs the page's beginning only once.
    let ToolReply { judged, .. } = ToolReply::json(&page)?.judged_by(&text);
    let page = PageView { rendered_content: beginning, ..page };
    ToolReply::json(&page).map(|reply| ToolReply { judged, ..reply.with(effect) })
}
