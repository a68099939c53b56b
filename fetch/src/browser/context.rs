//! Browser context with its own cookies, storage and proxy, and without downloads.
//!
//! Invariant: contexts never outnumber slots. A slot becomes free when its context or the whole browser is gone, even if the
//! requester left long before.

use super::instance::ChromiumInstance;
use chromiumoxide::{
    cdp::browser_protocol::{
        browser::{BrowserContextId, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams},
        target::CreateBrowserContextParams,
    },
    error::CdpError,
};
use std::{net::SocketAddr, sync::Arc};
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

/// Request timeouts after which a browser that does not dispose of a context counts as hung.
const DISPOSALS: u32 = 3;

/// Context handle. Dropping it disposes of the context.
pub(super) struct Context {
    pub running: Arc<ChromiumInstance>,
    pub id: BrowserContextId,
    slot: Option<OwnedSemaphorePermit>,
}

impl Context {
    /// Creates a context whose pages reach the network through `proxy`.
    pub async fn open(running: Arc<ChromiumInstance>, proxy: SocketAddr, slot: OwnedSemaphorePermit) -> Result<Self, CdpError> {
        // If the caller is cancelled, the task continues and drops the context it made.
        let task = tokio::spawn(async move {
            let id = create(&running, proxy).await?;
            Ok::<_, CdpError>(Self { running, id, slot: Some(slot) })
        });
        let context = task.await.map_err(|_| CdpError::NoResponse)??;
        let mut downloads = SetDownloadBehaviorParams::new(SetDownloadBehaviorBehavior::Deny);
        downloads.browser_context_id = Some(context.id.clone());
        context.running.browser.execute(downloads).await?;
        Ok(context)
    }
}

async fn create(running: &ChromiumInstance, proxy: SocketAddr) -> Result<BrowserContextId, CdpError> {
    let wanted = CreateBrowserContextParams::builder()
        .dispose_on_detach(true)
        .proxy_server(format!("http://{proxy}"))
        .proxy_bypass_list("<-loopback>")
        .build();
    // The driver checks its timeout only when it receives a message.
    let created = timeout(running.patience, running.browser.create_browser_context(wanted)).await;
    let created = created.unwrap_or(Err(CdpError::Timeout));
    if let Err(CdpError::Timeout) = created {
        // A context created later would have no owner.
        give_up(running);
    }
    created
}

/// Disposes of a context; if that fails, ends the browser.
async fn dispose(running: &ChromiumInstance, id: BrowserContextId) {
    let disposal = async { while let Err(CdpError::Timeout) = running.browser.dispose_browser_context(id.clone()).await {} };
    if timeout(running.patience * DISPOSALS, disposal).await.is_err() {
        give_up(running);
    }
}

/// Ends a browser that hangs.
fn give_up(running: &ChromiumInstance) {
    tracing::warn!("browser hangs, killing it");
    running.ended.cancel();
}

impl Drop for Context {
    fn drop(&mut self) {
        let (running, id, slot) = (self.running.clone(), self.id.clone(), self.slot.take());
        tokio::spawn(async move {
            running.ended.run_until_cancelled(dispose(&running, id)).await;
            drop(slot);
        });
    }
}
