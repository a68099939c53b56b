//! A context of the browser, with cookies, storage and a proxy of its own, and without downloads.
//!
//! Invariant: there are never more contexts than places. A place is free when its context is gone, or the whole browser is; whoever asked for
//! it may have left long before.

use super::running::Running;
use chromiumoxide::{
    cdp::browser_protocol::{
        browser::{BrowserContextId, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams},
        target::CreateBrowserContextParams,
    },
    error::CdpError,
};
use std::{net::SocketAddr, sync::Arc};
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

/// A browser that has not disposed of a context in so many times of the patience with one request does not answer.
const DISPOSALS: u32 = 3;

/// Dropping it disposes of it.
pub(super) struct Context {
    pub running: Arc<Running>,
    pub id: BrowserContextId,
    place: Option<OwnedSemaphorePermit>,
}

impl Context {
    /// Makes one whose pages reach the network through `proxy`.
    pub async fn open(running: Arc<Running>, proxy: SocketAddr, place: OwnedSemaphorePermit) -> Result<Self, CdpError> {
        // Whoever leaves meanwhile leaves the task behind, which drops what it has made.
        let made = tokio::spawn(async move {
            let id = create(&running, proxy).await?;
            Ok::<_, CdpError>(Self { running, id, place: Some(place) })
        });
        let context = made.await.map_err(|_| CdpError::NoResponse)??;
        let mut downloads = SetDownloadBehaviorParams::new(SetDownloadBehaviorBehavior::Deny);
        downloads.browser_context_id = Some(context.id.clone());
        context.running.browser.execute(downloads).await?;
        Ok(context)
    }
}

async fn create(running: &Running, proxy: SocketAddr) -> Result<BrowserContextId, CdpError> {
    let wanted = CreateBrowserContextParams::builder()
        .dispose_on_detach(true)
        .proxy_server(format!("http://{proxy}"))
        .proxy_bypass_list("<-loopback>")
        .build();
    // The driver looks at the clock only when it hears something.
    let created = timeout(running.patience, running.browser.create_browser_context(wanted)).await;
    let created = created.unwrap_or(Err(CdpError::Timeout));
    if let Err(CdpError::Timeout) = created {
        // What it may make yet would be nobody's.
        give_up(running);
    }
    created
}

/// Disposes of a context, or of the browser with it.
async fn dispose(running: &Running, id: BrowserContextId) {
    let gone = async { while let Err(CdpError::Timeout) = running.browser.dispose_browser_context(id.clone()).await {} };
    if timeout(running.patience * DISPOSALS, gone).await.is_err() {
        give_up(running);
    }
}

/// It is stuck.
fn give_up(running: &Running) {
    tracing::warn!("the browser is ended: it does not answer");
    running.ended.cancel();
}

impl Drop for Context {
    fn drop(&mut self) {
        let (running, id, place) = (self.running.clone(), self.id.clone(), self.place.take());
        tokio::spawn(async move {
            running.ended.run_until_cancelled(dispose(&running, id)).await;
            drop(place);
        });
    }
}
