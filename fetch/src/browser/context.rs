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
use tokio::sync::OwnedSemaphorePermit;

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
    let created = running.browser.create_browser_context(wanted).await;
    if let Err(CdpError::Timeout) = created {
        // It is stuck, and what it may make yet would be nobody's.
        tracing::warn!("the browser is ended: it does not answer");
        running.ended.cancel();
    }
    created
}

impl Drop for Context {
    fn drop(&mut self) {
        let (running, id, place) = (self.running.clone(), self.id.clone(), self.place.take());
        tokio::spawn(async move {
            let gone =
                async { while let Err(CdpError::Timeout) = running.browser.dispose_browser_context(id.clone()).await {} };
            running.ended.run_until_cancelled(gone).await;
            drop(place);
        });
    }
}
