//! Printing of our own HTML as PDF.
//!
//! Invariant: what is printed runs no script and reaches no network with any outside text in it: its context has a proxy without
//! a listener, scripts are disabled, its policy allows only styles and fonts within it, and it contains no `meta` that redirects.

use super::{Browser, context::Context, instance::ChromiumInstance};
use chromiumoxide::{
    cdp::browser_protocol::{
        emulation::SetScriptExecutionDisabledParams,
        page::{PrintToPdfParams, SetDocumentContentParams},
        target::CreateTargetParams,
    },
    cdp::js_protocol::runtime::EvaluateParams,
    error::CdpError,
};
use domain::fetch::{FetchError, FetchFailure};
use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

/// Address without a listener.
const NOWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 9);
/// Policy of the printed page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'";
/// A4, in inches, and its margins.
const PAPER: (f64, f64) = (8.27, 11.69);
const MARGIN_TOP: f64 = 0.75;
const MARGIN_BOTTOM: f64 = 0.7;
const MARGIN_SIDE: f64 = 0.7;
/// Size of the texts at the edges, 8.25 points: nothing on paper is smaller. Whole pixels, else letters stand apart.
const EDGE_PIXELS: u8 = 11;

/// Pages to print. All texts are escaped here, except the style sheet and the body.
#[derive(Debug, Clone)]
pub struct PrintRequest {
    pub title: String,
    /// Right end of the header: a date.
    pub date: String,
    /// Left end of the footer.
    pub footer: String,
    /// Style sheet; it must not end its element.
    pub style: String,
    /// HTML of the body, already escaped.
    pub body: String,
}

impl Browser {
    /// Prints pages as PDF, with the title, the date and page numbers at their edges.
    pub async fn print(&self, request: &PrintRequest) -> Result<Vec<u8>, FetchError> {
        let slot = self.slot().await?;
        let running = self.running().await?;
        let limit = Duration::from_millis(self.inner.config.load_timeout_ms);
        let printed = match timeout(limit, print(running.clone(), slot, request)).await {
            Ok(printed) => printed.map_err(|error| {
                tracing::warn!(%error, "printing failed");
                FetchError::new(FetchFailure::Unavailable, "The browser of the server did not print the pages; try again.")
            }),
            Err(_) => Err(FetchError::new(
                FetchFailure::TimedOut,
                "Printing takes longer than `fetch.browser.load_timeout_ms`; print from your browser instead.",
            )),
        };
        metrics::counter!("autosint_browser_pages_total", "ok" => printed.is_ok().to_string()).increment(1);
        printed
    }
}

async fn print(
    running: Arc<ChromiumInstance>,
    slot: OwnedSemaphorePermit,
    request: &PrintRequest,
) -> Result<Vec<u8>, CdpError> {
    let context = Context::open(running.clone(), NOWHERE, slot).await?;
    let target = CreateTargetParams { browser_context_id: Some(context.id.clone()), ..CreateTargetParams::new("about:blank") };
    let page = running.browser.new_page(target).await?;
    page.execute(SetScriptExecutionDisabledParams::new(true)).await?;
    let frame = page.mainframe().await?.ok_or(CdpError::NotFound)?;
    page.execute(SetDocumentContentParams::new(frame, whole(request))).await?;
    // Fonts within the page are decoded beside it. Scripts of the page are disabled; the DevTools are not.
    let fonts = EvaluateParams { await_promise: Some(true), ..EvaluateParams::new("document.fonts.ready.then(() => true)") };
    page.execute(fonts).await?;
    page.pdf(settings(request)).await
}

fn settings(request: &PrintRequest) -> PrintToPdfParams {
    let PrintRequest { title, date, footer, .. } = request;
    let header = edge_html(&[title, date], "");
    let footer = edge_html(&[footer], "<span><span class=\"pageNumber\"></span> / <span class=\"totalPages\"></span></span>");
    PrintToPdfParams {
        display_header_footer: Some(true),
        header_template: Some(header),
        footer_template: Some(footer),
        print_background: Some(true),
        paper_width: Some(PAPER.0),
        paper_height: Some(PAPER.1),
        margin_top: Some(MARGIN_TOP),
        margin_bottom: Some(MARGIN_BOTTOM),
        margin_left: Some(MARGIN_SIDE),
        margin_right: Some(MARGIN_SIDE),
        generate_tagged_pdf: Some(true),
        generate_document_outline: Some(true),
        ..PrintToPdfParams::default()
    }
}

/// Header or footer of a page: texts from left to right.
fn edge_html(texts: &[&String], last: &str) -> String {
    let spans: Vec<String> = texts.iter().map(|text| format!("<span>{}</span>", escaped(text))).collect();
    format!(
        "<div style=\"width:100%;margin:0 {MARGIN_SIDE}in;display:flex;justify-content:space-between;gap:2em;\
         font:{EDGE_PIXELS}px sans-serif;color:#4f5e67\">{}{last}</div>",
        spans.join("")
    )
}

fn whole(request: &PrintRequest) -> String {
    let PrintRequest { title, style, body, .. } = request;
    // A style sheet of ours has no reason for this sequence.
    let style = style.replace("</", "<\\/");
    let body = without_meta(body);
    format!(
        "<!DOCTYPE html><html lang=\"en\" data-theme=\"light\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"><title>{}</title><style>{style}</style></head>\
         <body>{body}</body></html>",
        escaped(title)
    )
}

/// Escapes `meta` elements: one that redirects would replace the page while it is printed, and no policy forbids it.
fn without_meta(body: &str) -> String {
    let is_meta = |at: usize| body.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case("meta"));
    let mut safe = String::with_capacity(body.len());
    let mut done = 0;
    for (at, _) in body.match_indices('<').filter(|(at, _)| is_meta(*at)) {
        safe.push_str(&body[done..at]);
        safe.push_str("&lt;");
        done = at + 1;
    }
    safe + &body[done..]
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_cannot_redirect() {
        let body = "<p>One</p><META http-equiv=refresh content='0;url=/x'><é><meta><";
        assert_eq!(without_meta(body), "<p>One</p>&lt;META http-equiv=refresh content='0;url=/x'><é>&lt;meta><");
    }

    #[test]
    fn texts_of_the_edges_and_the_title_are_escaped() {
        let text = "<img src=x onerror=alert(1)> & \"so\"".to_owned();
        let request = PrintRequest {
            title: text.clone(),
            date: text.clone(),
            footer: text,
            style: "</style>".into(),
            body: String::new(),
        };
        let html =
            whole(&request) + &settings(&request).header_template.unwrap() + &settings(&request).footer_template.unwrap();
        assert!(!html.contains("<img") && html.contains("&lt;img"), "{html}");
        assert_eq!(html.matches("</style>").count(), 1);
    }
}
