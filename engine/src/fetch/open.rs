//! Opening of an address: fetch, storage, and its capture record.

use super::WebPage;
use crate::{
    Engine, StoreError,
    library::{self, ExtractedFile, IngestReport, StoredFiles},
};
use domain::{
    CollectionId, InvestigationId,
    document::{Document, RejectedFile},
    fetch::{
        BrowseRequest, FetchError, FetchFailure, FetchRequest, FetchedPage, Link, RetrievalMethod, WebCapture, has_scripts,
    },
};
use futures::{StreamExt, stream};
use std::collections::HashSet;

/// Result of opening an address.
#[derive(Debug, Clone)]
pub struct OpenedPage {
    pub final_url: String,
    pub documents: Vec<Document>,
    /// Number of new documents, and the paths of the others.
    pub new: u64,
    pub known: Vec<String>,
    /// Links of the texts, in order, without duplicates.
    pub links: Vec<Link>,
    /// Unreadable files.
    pub rejected: Vec<RejectedFile>,
}

/// Progress of opening the addresses named by a person.
#[derive(Debug, Clone, Copy)]
pub struct PageProgress<'a> {
    pub report: &'a IngestReport,
    pub done: usize,
    pub of: usize,
}

/// Errors of opening an address.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Fetches an address, stores its documents and the capture.
pub async fn open(
    engine: &Engine,
    collection: CollectionId,
    investigation: Option<InvestigationId>,
    request: &FetchRequest,
) -> Result<OpenedPage, OpenError> {
    let Some(fetch) = &engine.fetch else {
        return Err(FetchError::new(FetchFailure::Unreachable, "Web access is switched off (`engine.web.enabled`).").into());
    };
    let fetched = fetch.page(request).await;
    let (page, reached) = match wants_scripts(engine, &fetched) {
        true => with_scripts(engine, &request.url, fetched).await?,
        false => (fetched?, RetrievalMethod::Fetched),
    };
    Ok(keep(engine, collection, investigation, page, reached).await?)
}

/// Returns whether a page has little or no text without running its scripts.
fn wants_scripts(engine: &Engine, fetched: &Result<WebPage, FetchError>) -> bool {
    match fetched {
        Err(error) => error.reason == FetchFailure::Scripted,
        Ok(WebPage { page, bytes }) => match (&page.documents[..], &bytes[..]) {
            ([document], [bytes]) => {
                document.media_type == "text/html"
                    && document.text.chars().count() < engine.config.web.scripted_below_chars
                    && has_scripts(bytes)
            }
            _ => false,
        },
    }
}

/// Returns the rendered page, when it has more text than the fetched one.
async fn with_scripts(
    engine: &Engine,
    url: &str,
    fetched: Result<WebPage, FetchError>,
) -> Result<(WebPage, RetrievalMethod), FetchError> {
    let fetched = fetched.map(|page| (page, RetrievalMethod::Fetched));
    let Some(browser) = &engine.browse else { return fetched };
    let chars = |page: &FetchedPage| page.documents.iter().map(|document| document.text.chars().count()).sum::<usize>();
    match (fetched, browser.render(&BrowseRequest::page(url)).await) {
        (Ok(fetched), Ok(rendered)) if chars(&rendered.page.page) <= chars(&fetched.0.page) => Ok(fetched),
        (_, Ok(rendered)) => Ok((rendered.into(), RetrievalMethod::Rendered)),
        (Ok(fetched), Err(_)) => Ok(fetched),
        (Err(error), Err(why)) => Err(match why.reason {
            FetchFailure::Unavailable => FetchError { message: format!("{} {}", error.message, why.message), ..error },
            FetchFailure::Scripted | FetchFailure::Unreadable => {
                let message =
                    "No text was found in this page, nor after its scripts had run; save what you see as plain text or PDF.";
                FetchError { message: message.into(), ..error }
            }
            _ => why,
        }),
    }
}

/// Stores the documents of a page and, unless the web is invented, the capture.
pub async fn keep(
    engine: &Engine,
    collection: CollectionId,
    investigation: Option<InvestigationId>,
    page: WebPage,
    reached: RetrievalMethod,
) -> Result<OpenedPage, StoreError> {
    let WebPage { mut page, bytes } = page;
    let mut known = HashSet::new();
    let links = page.documents.iter().flat_map(|document| &document.links);
    let links: Vec<Link> = links.filter(|link| known.insert(&link.url)).cloned().collect();
    let read = std::mem::take(&mut page.documents)
        .into_iter()
        .zip(bytes)
        .map(|(document, bytes)| Ok(ExtractedFile::new(document, bytes)));
    let unread = std::mem::take(&mut page.rejected).into_iter();
    let unread = unread.map(|rejected| Err(RejectedFile { path: rejected.path, reason: rejected.message }));
    let StoredFiles { documents, are_new, new, rejected } =
        library::store(engine, collection, investigation, read.chain(unread).collect()).await?;
    // An invented page was never fetched: its document must not say so.
    if !engine.has_invented_web() {
        let captures: Vec<WebCapture> = documents.iter().map(|document| capture(&page, document, reached)).collect();
        engine.captures.record_captures(&captures).await?;
    }
    let known =
        documents.iter().zip(are_new).filter(|(_, is_new)| !is_new).map(|(document, _)| document.path.clone()).collect();
    Ok(OpenedPage { final_url: page.final_url, documents, new, known, links, rejected })
}

fn capture(page: &FetchedPage, document: &Document, reached: RetrievalMethod) -> WebCapture {
    WebCapture {
        document_id: document.id,
        url: page.url.clone(),
        final_url: page.final_url.clone(),
        canonical_url: page.canonical_url.clone(),
        status: page.status,
        hops: page.hops.clone(),
        headers: page.headers.clone(),
        reached,
        fetched_at: page.fetched_at,
    }
}

/// Opens the addresses named by a person. A failure is recorded with its reason and affects no other address.
pub async fn ingest(
    engine: &Engine,
    collection: CollectionId,
    investigation: InvestigationId,
    addresses: &[String],
    mut on_progress: impl FnMut(PageProgress<'_>),
) -> Result<IngestReport, StoreError> {
    let max = engine.config.web.max_addresses;
    let (addresses, beyond) = addresses.split_at(addresses.len().min(max));
    let mut report = IngestReport::default();
    let left_out = beyond.iter().map(|address| RejectedFile {
        path: address.clone(),
        reason: format!("More than {max} addresses (`engine.web.max_addresses`): start again with fewer."),
    });
    report.rejected.extend(left_out);
    engine.documents.add_rejected(collection, Some(investigation), &report.rejected).await?;
    let at_once = engine.config.web.addresses_at_once.max(1);
    let opened = stream::iter(addresses.to_vec()).map(|address| async move {
        let opened = open(engine, collection, Some(investigation), &FetchRequest::page(&address)).await;
        (address, opened)
    });
    let mut opened = std::pin::pin!(opened.buffered(at_once));
    on_progress(PageProgress { report: &report, done: 0, of: addresses.len() });
    let mut done = 0;
    while let Some((address, opened)) = opened.next().await {
        match opened {
            Ok(opened) => {
                library::unarchive_added(engine, &opened.documents, opened.new).await?;
                report.stored += opened.new;
                report.known.extend(opened.known);
                report.rejected.extend(opened.rejected);
            }
            Err(OpenError::Fetch(error)) => {
                let file = RejectedFile { path: address, reason: error.message };
                engine.documents.add_rejected(collection, Some(investigation), std::slice::from_ref(&file)).await?;
                report.rejected.push(file);
            }
            Err(OpenError::Store(error)) => return Err(error),
        }
        done += 1;
        on_progress(PageProgress { report: &report, done, of: addresses.len() });
    }
    Ok(report)
}
